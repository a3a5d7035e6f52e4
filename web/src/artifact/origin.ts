// Where the pages under review come from: the daemon. A report is built with `report/origin` in the place of this.
export { getText as textOf } from "../net/api";

/** What makes a frame show the page. */
export const shows = (source: string) => ({ src: source });
