/** An address that a person may be sent to: a path of this daemon, or the web. Anything else is none. */
export function address(url: string | undefined): string | null {
  if (!url) return null;
  return /^https?:\/\//i.test(url) || /^\/(?![/\\])/.test(url) ? url : null;
}
