// Content runs for a browser to look at: golden logs in the place of the daemon's answers, and ideas with their documents.
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("../..", import.meta.url));
const examples = join(web, "../examples");
export const RUN = "0198c0de-0000-7000-8000-000000000008";

/** A draft with something in it that would hurt. */
export const DRAFT = '---\nname: "Acme"\ntitle: "Acme, kept"\n---\n\n# Kept books\n\nAcme **keeps** the books. <script>window.hurt=1</script>\n\n[Start](javascript:alert(1))\n\n### Deep\n\n- one\n- two\n';
const BLOCKS = [
  { change: "same", text: "# Kept books" },
  { change: "removed", text: "Acme keeps your books in order" },
  { change: "added", text: "Acme keeps all books in order" },
  { change: "added", text: "<img src=x onerror=window.hurt=1>" },
];

/** Opens a run whose log is a golden one. */
export async function golden(page, url, name) {
  const { records } = JSON.parse(readFileSync(join(web, `test/golden-content/${name}.json`), "utf8"));
  // A stream that stays open: a run that goes on has its connection.
  await page.addInitScript((records) => {
    const Real = EventSource;
    globalThis.EventSource = class extends EventTarget {
      static CLOSED = 2;
      readyState = 1;
      constructor(url) {
        super();
        if (!String(url).includes("/api/content-pipeline/")) return new Real(url);
        queueMicrotask(() => {
          this.onopen?.();
          for (const record of records) this.dispatchEvent(new MessageEvent(record.event, { data: JSON.stringify(record), lastEventId: String(record.seq) }));
        });
      }
      close() {}
    };
  }, records);
  await page.route(`**/api/content-pipeline/acme/runs/${RUN}**`, (route) => {
    const { pathname } = new URL(route.request().url());
    const json = (body) => route.fulfill({ contentType: "application/json", body: JSON.stringify(body) });
    if (pathname.endsWith("/draft")) return route.fulfill({ contentType: "text/markdown", body: DRAFT });
    if (pathname.endsWith("/diff")) return json({ blocks: BLOCKS });
    return json({ run: { runId: RUN } });
  });
  await page.goto(`${url}/p/default/content/acme/${RUN}`);
}

/** Puts the example of an idea where a daemon finds it. */
export const idea = (daemon, name = "acme") => cpSync(join(examples, "ideas/acme"), join(daemon.folder, "ideas", name), { recursive: true });

export const draft = (name) => readFileSync(join(examples, `drafts/${name}.md`), "utf8");
