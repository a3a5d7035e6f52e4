// What a played agent says: transcripts, whole and in pieces.

export const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Ledger</title>
<style>body{margin:0;font:18px/1.6 "Liberation Sans",sans-serif;color:#1b1d22;background:#fff}main{max-width:880px;margin:0 auto;padding:96px 32px}
h1{font-size:56px;line-height:1.1}a{display:inline-block;margin-top:24px;padding:14px 28px;background:#1b1d22;color:#fff}</style></head>
<body><main><h1>Close the books in a day</h1><p>Ledger matches every payment to its invoice and shows what is left.</p><a href="/start">Start with one account</a></main></body></html>`;

export const head = (maxRounds = 3, threshold = "8.0") =>
  `<CRITIQUE_RUN version="1" maxRounds="${maxRounds}" threshold="${threshold}" scale="10">\n`;
export const foot = "</CRITIQUE_RUN>\n";

export const designer = (page = PAGE, notes = "One idea, one button, one reason to press it.") =>
  `<PANELIST role="designer"><NOTES>${notes}</NOTES><ARTIFACT mime="text/html"><![CDATA[${page}]]></ARTIFACT></PANELIST>\n`;

const DIMS = {
  critic: [["hierarchy", "The headline and the button compete; the eye lands twice."], ["rhythm", "Gaps of 12, 16 and 40 follow no system."]],
  brand: [["palette", "Two greys that are not in the palette."], ["type", "The face is right, the weights are not."]],
  a11y: [["contrast", "The button has 3.9:1 against its ground."], ["names", "Every picture has a text."]],
  copy: [["clarity", "The first sentence says what it does."], ["voice", "Plain, and in the second person."]],
};
const FIXES = {
  critic: "Give the headline room: 48 pixels above the button.",
  brand: "Take the two greys from the palette.",
  a11y: "Darken the button until it has 4.5:1.",
  copy: "Say what happens after the button.",
};
export const SPECIALISTS = ["critic", "brand", "a11y", "copy"];

export function panelist(role, score, fixes = 0) {
  const dims = DIMS[role].map(([name, note]) => `<DIM name="${name}" score="${score}">${note}</DIM>`).join("");
  const must = Array.from({ length: fixes }, (_, n) => `<MUST_FIX>${FIXES[role]}${n > 0 ? ` (${n + 1})` : ""}</MUST_FIX>`).join("");
  return `<PANELIST role="${role}" score="${score}" must_fix="${fixes}">${dims}${must}</PANELIST>\n`;
}

export const open = (n) => `<ROUND n="${n}">\n`;
export const close = (n, composite, fixes) =>
  `<ROUND_END n="${n}" composite="${composite}" must_fix="${fixes}" decision="${fixes === 0 && composite >= 8 ? "ship" : "continue"}"><REASON>${fixes === 0 ? "The bar is met." : `Below the bar, ${fixes} open.`}</REASON></ROUND_END>\n</ROUND>\n`;

/** A whole round in which everybody gives the same score and the first `fixes` ask for something. */
export function round(n, score, fixes = 0, page = PAGE) {
  const said = SPECIALISTS.map((role, index) => panelist(role, score, index < fixes ? 1 : 0)).join("");
  return open(n) + designer(page) + said + close(n, score, fixes);
}

export const ship = (n, composite, page = PAGE) =>
  `<SHIP round="${n}" composite="${composite}" status="shipped"><ARTIFACT mime="text/html"><![CDATA[${page}]]></ARTIFACT><SUMMARY>The button is dark enough, and the gaps are on a grid of eight.</SUMMARY></SHIP>\n`;

export const SHIPPED = head() + round(1, 6.4, 3) + round(2, 8.6) + ship(2, 8.6) + foot;
export const BELOW = head(2) + round(1, 5.2, 4) + round(2, 6.8, 2) + foot;
