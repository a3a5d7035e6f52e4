// A draft as blocks that can be shown. What a draft says is text: nothing of it becomes markup, and no link in it leads anywhere.

export type Piece = { kind: "text" | "strong" | "code"; text: string } | { kind: "link"; text: string; href: string };

export type Block =
  | { kind: "heading"; level: number; pieces: Piece[]; mark: string }
  | { kind: "text" | "quote"; pieces: Piece[] }
  | { kind: "list"; ordered: boolean; items: Piece[][] }
  | { kind: "code"; text: string };

interface Shown {
  /** Name, title and description, as search results have them. */
  front: [name: string, text: string][];
  blocks: Block[];
}

export function read(markdown: string): Shown {
  const lines = markdown.replace(/\r\n?/g, "\n").split("\n");
  const front: Shown["front"] = [];
  let at = 0;
  if (lines[0] === "---") {
    const end = lines.indexOf("---", 1);
    if (end > 0) {
      for (const line of lines.slice(1, end)) {
        const [, name, text] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
        if (name && text !== undefined) front.push([name, unquoted(text)]);
      }
      at = end + 1;
    }
  }
  const blocks: Block[] = [];
  let below = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const heading = /^(#{1,6})\s+(.*?)\s*(?:\{([\w-]+)\})?\s*#*$/.exec(line);
    const fence = /^\s*(```|~~~)/.exec(line)?.[1];
    if (line.trim() === "") at++;
    else if (heading) {
      // A level that is left out is one that nobody can find.
      below = Math.min(heading[1]?.length ?? 1, below + 1);
      blocks.push({ kind: "heading", level: below, pieces: inline(heading[2] ?? ""), mark: heading[3] ?? "" });
      at++;
    } else if (fence) {
      const end = lines.findIndex((one, index) => index > at && one.trim().startsWith(fence));
      const until = end < 0 ? lines.length : end;
      blocks.push({ kind: "code", text: lines.slice(at + 1, until).join("\n") });
      at = until + 1;
    } else {
      const item = ITEM.exec(line);
      const kind = item ? "list" : line.startsWith(">") ? "quote" : "text";
      const taken: string[] = [];
      while (at < lines.length && (taken.length === 0 || goesOn(kind, lines[at] ?? ""))) taken.push(lines[at++] ?? "");
      if (item) blocks.push({ kind: "list", ordered: /\d/.test(item[1] ?? ""), items: items(taken) });
      else blocks.push({ kind: kind === "quote" ? "quote" : "text", pieces: inline(taken.map((one) => one.replace(/^>\s?/, "").trim()).filter(Boolean).join(" ")) });
    }
  }
  return { front, blocks };
}

const ITEM = /^\s{0,3}([-*+]|\d{1,3}[.)])\s+(.*)$/;

function goesOn(kind: "list" | "quote" | "text", line: string): boolean {
  if (line.trim() === "" || /^#{1,6}\s/.test(line) || /^\s*(```|~~~)/.test(line)) return false;
  if (kind === "quote") return line.startsWith(">");
  return kind === "list" || !(line.startsWith(">") || ITEM.test(line));
}

function items(lines: readonly string[]): Piece[][] {
  const all: string[] = [];
  for (const line of lines) {
    const own = ITEM.exec(line);
    if (own) all.push(own[2] ?? "");
    else all.push(`${all.pop() ?? ""} ${line.trim()}`);
  }
  return all.map(inline);
}

/** A text of front matter: JSON quotes it as a string, people often do not. */
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

const MARKS = /\*\*([^*]+)\*\*|`([^`]+)`|\[([^\]]+)\]\(([^()\s]*)\)/g;

export function inline(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const found of text.matchAll(MARKS)) {
    const [whole, strong, code, label, href] = found;
    if (found.index > from) pieces.push({ kind: "text", text: text.slice(from, found.index) });
    if (strong !== undefined) pieces.push({ kind: "strong", text: strong });
    else if (code !== undefined) pieces.push({ kind: "code", text: code });
    else pieces.push({ kind: "link", text: label ?? "", href: href ?? "" });
    from = found.index + whole.length;
  }
  if (from < text.length) pieces.push({ kind: "text", text: text.slice(from) });
  return pieces;
}
