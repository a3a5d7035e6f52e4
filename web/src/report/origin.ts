// In a report, a page is its own text: there is nobody to fetch it from.
export const textOf = async (source: string): Promise<string> => source;

/** What makes a frame show the page. */
export const shows = (source: string) => ({ srcdoc: source });
