// Text over pictures and gradients, against the pixels that Chromium paints there. axe leaves such text undecided, so the
// referee is the picture of the page itself: the ratio that all but one in twenty of the pixels behind a text reach.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { context, launch, open } from "./browser.mjs";
import { reports } from "./jury.mjs";
import { percent } from "./table.mjs";
import { PNG } from "./tools.mjs";

const PICTURES = [
  { name: "dusk.jpg", kind: "image/jpeg", width: 1600, height: 1000, colours: ["#0b1a2b", "#1d3144", "#4a3f36"] },
  { name: "field.webp", kind: "image/webp", width: 900, height: 1400, colours: ["#f4f8ec", "#dbe8c8", "#b9cc9c"] },
  { name: "wall.png", kind: "image/png", width: 333, height: 211, colours: ["#b8afa2", "#8d8275", "#5e544a"] },
];

/** Ways to lay a picture behind text; PICTURE stands for its address. */
const WAYS = {
  cover: "background:url(PICTURE) center/cover",
  corner: "background:url(PICTURE) 20% 80%/cover no-repeat",
  contain: "background:#ccc url(PICTURE) right center/contain no-repeat",
  tiles: "background:url(PICTURE) 10px 5px/120px auto",
  row: "background:#aaa url(PICTURE) 0 0/40% auto repeat-x",
  stretched: "background:url(PICTURE) 0 0/100% 100%",
  veiled: "background:linear-gradient(90deg,#000b,#0003),url(PICTURE) center/cover",
  faded: "background:url(PICTURE) top/cover;opacity:.85",
  gradient: "background:linear-gradient(120deg,#123,#789 60%,#eee)",
};
const INKS = ["#ffffff", "#111111", "#8a8a8a"];
const NEEDED = 4.5;

/** Draws a picture like a photograph: a sky of colours with many soft spots. Runs in the browser. */
function draw({ kind, width, height, colours }) {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const pen = canvas.getContext("2d");
  const sky = pen.createLinearGradient(0, 0, width / 3, height);
  colours.forEach((colour, index) => sky.addColorStop(index / (colours.length - 1), colour));
  pen.fillStyle = sky;
  pen.fillRect(0, 0, width, height);
  let seed = 7;
  const chance = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  for (let spot = 0; spot < 300; spot += 1) {
    pen.fillStyle = `hsl(${chance() * 360} 30% ${chance() * 100}% / .12)`;
    pen.beginPath();
    pen.arc(chance() * width, chance() * height, (chance() * width) / 12, 0, 7);
    pen.fill();
  }
  return canvas.toDataURL(kind, 0.9);
}

function page(picture) {
  const words = "Words that are long enough to stand on many of the colours that lie behind them, and a few more.";
  const under = (inner, style) => `<div style="${style}">${inner}</div>`;
  const texts = Object.values(WAYS).flatMap((way) =>
    INKS.map((ink) => under(`<p style="color:${ink}">${words}</p>`, way.replaceAll("PICTURE", picture.name))),
  );
  for (const fit of ["cover", "contain"]) {
    for (const ink of INKS) {
      const image = `<img alt="A view" src="${picture.name}" style="object-fit:${fit}">`;
      texts.push(under(`${image}<p style="position:relative;color:${ink}">${words}</p>`, "background:#ddd"));
    }
  }
  return `<!doctype html><html lang="en"><title>Text over ${picture.name}</title><style>body{margin:0;font:18px/1.5 Arial}
div{position:relative;width:700px;height:120px;padding:20px;margin:10px}p{margin:0}
img{position:absolute;inset:0;width:100%;height:100%}</style><main><h1>Text over a picture</h1>${texts.join("\n")}</main>`;
}

/** Every paragraph with its colour, its opacity and the boxes of its lines. Runs in the browser. */
function readLines() {
  return [...document.querySelectorAll("p")].map((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const lines = [...range.getClientRects()].map(({ x, y, width, height }) => ({ x: x + scrollX, y: y + scrollY, width, height }));
    const opacity = Number(getComputedStyle(element.parentElement).opacity);
    return { path: globalThis.juryPath(element), ink: getComputedStyle(element).color.match(/\d+/g).map(Number), opacity, lines };
  });
}

function luminance(colour) {
  const [red, green, blue] = colour.map((value) => (value <= 10.31475 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function ratio(one, other) {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/** The ratio that all but one in twenty of the pixels behind the letters reach. */
function worst({ ink, opacity, lines }, image) {
  const text = ink.map((value) => value * opacity + 255 * (1 - opacity));
  const ratios = [];
  for (const line of lines) {
    const middle = line.y + line.height / 2;
    for (let y = Math.round(middle - 7); y < middle + 9; y += 1) {
      for (let x = Math.ceil(line.x + 1); x < line.x + line.width - 1; x += 1) {
        const at = (y * image.width + x) * 4;
        ratios.push(ratio(text, [...image.data.subarray(at, at + 3)]));
      }
    }
  }
  return ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 20)];
}

export async function pictures() {
  const folder = await mkdtemp(join(tmpdir(), "jury-pictures-"));
  const browser = await launch();
  try {
    const easel = await browser.newPage();
    const told = [];
    for (const picture of PICTURES) {
      const drawn = await easel.evaluate(draw, picture);
      await writeFile(join(folder, picture.name), Buffer.from(drawn.split(",")[1], "base64"));
      const name = `${picture.name}.html`;
      await writeFile(join(folder, name), page(picture));
      const view = await open(await context(browser, folder), name);
      const texts = await view.evaluate(readLines);
      await view.addStyleTag({ content: "p{color:transparent!important}" });
      const image = PNG.sync.read(await view.screenshot({ fullPage: true }));
      await view.close();
      told.push({ name, texts: texts.map((text) => ({ path: text.path, ratio: worst(text, image) })) });
    }
    return compare(told, await reports(told.map(({ name }) => join(folder, name))), folder);
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function compare(told, known, folder) {
  const wrong = [];
  let [same, all] = [0, 0];
  const rows = told.map(({ name, texts }) => {
    const report = known.get(join(folder, name));
    const places = (list) =>
      new Set((list ?? []).filter((found) => found.check === "a11y/contrast").flatMap((found) => found.places.map((place) => place.path)));
    const [failed, open] = [places(report?.findings), places(report?.undecided)];
    const counts = { both: 0, neither: 0, ours: 0, theirs: 0, open: 0 };
    for (const { path, ratio } of texts) {
      const [here, there] = [failed.has(path), ratio < NEEDED];
      const kind = open.has(path) ? "open" : here && there ? "both" : here ? "ours" : there ? "theirs" : "neither";
      counts[kind] += 1;
      if (!["both", "neither"].includes(kind)) wrong.push({ page: name, path, what: `${kind}, ${ratio.toFixed(2)}:1 in Chromium` });
    }
    same += counts.both + counts.neither;
    all += texts.length;
    return [name.replace(".html", ""), texts.length, counts.both, counts.neither, counts.ours, counts.theirs, counts.open];
  });
  return {
    title: "Text over pictures and gradients, against Chromium's pixels",
    columns: ["picture", "texts", "both fail", "both pass", "fails here only", "fails there only", "can't tell"],
    rows,
    wrong,
    bars: [{ what: "the same verdict on ≥ 95 % of texts over pictures", holds: same >= 0.95 * all, figure: percent(same, all) }],
  };
}
