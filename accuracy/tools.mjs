// The referee's tools. They live with the web page, which needs the same ones for its own tests.
import { createRequire } from "node:module";

const require = createRequire(new URL("../web/package.json", import.meta.url));

export const { chromium } = require("playwright-core");
export const { PNG } = require("pngjs");
export const axe = require("axe-core");
export const pixelmatch = (await import(require.resolve("pixelmatch"))).default;
