// In a report, a page is its own text: there is nobody to fetch it from. What could have opened a connection has an empty
// attribute in front of its own; the source is shown without it.
const EMPTY = /(<(?:link|iframe|frame)) (?:rel|srcdoc|src)=""/gi;

export const textOf = async (source: string): Promise<string> => source.replace(EMPTY, "$1");

/** What makes a frame show the page. Nobody lands on its links with a key; the styles see to the pointer. */
export const shows = (source: string) => ({ srcdoc: source, tabIndex: -1 });
