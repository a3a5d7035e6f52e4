// What the styles promise: inks that can be read on both themes, and no small print.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { web } from "./load.mjs";

const folder = join(web, "src/styles");
const styles = Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]));
const tokens = styles["tokens.css"];

/** The colours of a theme, as linear sRGB. */
function palette(theme) {
  const colours = {};
  for (const [, name, light, dark] of tokens.matchAll(/--([\w-]+): light-dark\(oklch\(([^)]+)\), oklch\(([^)]+)\)\)/g)) {
    const [l, c, h] = (theme === "light" ? light : dark).split(/\s+/).map(Number);
    colours[name] = { l, c, h, lab: [l, c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)] };
  }
  return colours;
}

function linear([l, a, b]) {
  const [x, y, z] = [
    l + 0.3963377774 * a + 0.2158037573 * b,
    l - 0.1055613458 * a - 0.0638541728 * b,
    l - 0.0894841775 * a - 1.291485548 * b,
  ].map((value) => value ** 3);
  return [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ].map((value) => Math.min(1, Math.max(0, value)));
}

const luminance = (lab) => {
  const [r, g, b] = linear(lab);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one, other) => {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
};
/** As `color-mix(in oklab, one PART, other)` makes it. */
const mix = (one, part, other) => one.map((value, index) => value * part + other[index] * (1 - part));

const ROLES = ["designer", "critic", "brand", "a11y", "copy"];

for (const theme of ["light", "dark"]) {
  const c = palette(theme);
  test(`${theme}: every ink can be read wherever it stands`, () => {
    const inks = [...ROLES, "good", "warn", "bad", "ink", "ink-2", "ink-3"];
    for (const ink of inks) {
      for (const ground of ["paper", "sheet", "wash"]) {
        const found = contrast(c[ink].lab, c[ground].lab);
        assert.ok(found >= 4.5, `${ink} on ${ground}: ${found.toFixed(2)}`);
      }
      const tint = contrast(c[ink].lab, mix(c[ink].lab, 0.12, c.sheet.lab));
      assert.ok(tint >= 4.5, `${ink} on its own tint: ${tint.toFixed(2)}`);
    }
    for (const [ink, ground] of [...ROLES.map((role) => ["sheet", role]), ["paper", "ink"]]) {
      assert.ok(contrast(c[ink].lab, c[ground].lab) >= 4.5, `${ink} on ${ground}`);
    }
    for (const edge of ["edge", "focus"]) assert.ok(contrast(c[edge].lab, c.sheet.lab) >= 3, edge);
  });

  test(`${theme}: five roles are five colours`, () => {
    for (const [index, one] of ROLES.entries()) {
      for (const other of ROLES.slice(index + 1)) {
        const [a, b] = [c[one].lab, c[other].lab];
        const distance = Math.hypot(...a.map((value, axis) => value - b[axis]));
        assert.ok(distance > 0.1, `${one} and ${other}: ${distance.toFixed(3)}`);
      }
    }
  });
}

test("body text is never under 12 pixels", () => {
  const chrome = ["role-tag", "dim-dot", "round-divider", "meta-pill"];
  for (const [file, text] of Object.entries(styles)) {
    for (const [, selectors, body] of text.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
      const sizes = [...body.matchAll(/font(?:-size)?:[^;]*?(\d+(?:\.\d+)?)px/g)].map(([, size]) => Number(size));
      const small = sizes.some((size) => size < 12) || /font(?:-size)?:[^;]*var\(--t-chrome\)/.test(body);
      if (!small) continue;
      for (const selector of selectors.split(",")) {
        const last = selector.trim().split(/\s+/).at(-1);
        assert.ok(chrome.some((name) => last.includes(`.${name}`)), `${file}: ${selector.trim()}`);
      }
    }
  }
  for (const [, name, size] of tokens.matchAll(/--t-([\w]+): (\d+)px/g)) {
    assert.ok(Number(size) >= 12 || name === "chrome", `--t-${name}`);
  }
});

test("sizes and colours come from the scales", () => {
  for (const [file, text] of Object.entries(styles)) {
    if (file === "tokens.css") continue;
    assert.doesNotMatch(text, /#[0-9a-f]{3,8}\b(?![^{]*\{)/i, `${file}: a colour as hex`);
    const sizes = [...text.matchAll(/font-size: (\d+)px/g)].map(([, size]) => size);
    assert.ok(sizes.every((size) => size === "24"), `${file}: font-size ${sizes}`);
  }
});

test("nothing of a demo is in the page", () => {
  const built = join(web, "dist/assets");
  for (const file of readdirSync(built).filter((name) => /\.(js|css)$/.test(name))) {
    assert.doesNotMatch(readFileSync(join(built, file), "utf8"), /data-demo|demo-tabs/, file);
  }
});
