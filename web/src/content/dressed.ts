// The styles of these pages are fetched with them.
import "../styles/content.css";
import "../styles/draft.css";

export function dressed(): Promise<unknown> {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/assets/content.css" });
  document.head.append(link);
  // Without its styles a page can still be read.
  return new Promise((done) => (link.onload = link.onerror = done));
}
