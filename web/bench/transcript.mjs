// A transcript of about 1 MiB, as an agent would write it: ten rounds in which everybody has a lot to say.
import { close, designer, head, open } from "../test/browser/words.mjs";

const NOTES = [
  "The call to action competes with the logo at the top left; the eye lands twice before it finds the headline.",
  "A headline of 64 pixels reads as a poster and not as a landing page; the second level has nowhere to go.",
  "The button has 3.9:1 against its background, which fails AA for text of that size in either theme.",
  "Vertical gaps of 12, 16, 24 and 40 pixels follow no system that can be named; a grid of eight would hold them.",
  "The padding of the hero is not symmetric: 48 pixels on the left and 32 on the right, which nobody decided.",
];
const ROUNDS = 10;
const DIMS = 80;
const FIXES = 30;

export function transcript() {
  let text = head(ROUNDS);
  for (let round = 1; round <= ROUNDS; round++) {
    text += open(round) + designer();
    ["critic", "brand", "a11y", "copy"].forEach((role, seat) => {
      const score = (5 + ((round * 7 + seat * 3) % 25) / 10).toFixed(1);
      text += `<PANELIST role="${role}" score="${score}" must_fix="${FIXES}"><NOTES>${NOTES[seat]} ${NOTES[(round + seat) % 5]}</NOTES>`;
      for (let n = 0; n < DIMS; n++) text += `<DIM name="dimension-${n}" score="${((n * 13 + round) % 100) / 10}">${NOTES[(n + seat) % 5]}</DIM>`;
      for (let n = 0; n < FIXES; n++) text += `<MUST_FIX>${role} ${n}, round ${n % 3 === 0 ? 1 : round}: ${NOTES[(n + round) % 5]}</MUST_FIX>`;
      text += "</PANELIST>\n";
    });
    text += close(round, 6, 4 * FIXES);
  }
  return `${text}</CRITIQUE_RUN>\n`;
}
