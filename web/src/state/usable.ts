// Whether a panelist has looked at the draft. It mirrors `has_words` and its callers in the program.
import type { Review } from "../words";

/** Whether the panelist looked at the draft: a score and a word. Only such a review closes what it asked for before. */
export function isUsable(review: Review): boolean {
  const asked = review.mustFix.map((mustFix) => mustFix.text);
  const said = [...review.dimensions.map((dimension) => dimension.note), ...asked, review.notes].some(hasWords);
  return review.closed && (review.role === "designer" || (review.score !== null && said));
}

/** Tags and character references of somebody's markup. */
const MARKUP = /<[A-Za-z/!][^>]*>|&[A-Za-z#][A-Za-z0-9#]*;/g;

/** Letters by their class that show nothing. */
const FILLERS = /[\u115f\u1160\u3164\uffa0]/g;

/** Two letters in a row, or one of a script that puts no space between words. */
const WORD = /\p{Alphabetic}{2}|(?=\p{Alphabetic})[\u0e00-\u0e7f\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/u;

/** Whether a text has a word in it, as `has_words` of the program says. */
function hasWords(text: string): boolean {
  return WORD.test(text.replace(MARKUP, " ").replace(FILLERS, " "));
}
