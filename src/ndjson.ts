/** Lines of JSON, for whoever reads by lines. */

/** Many take these for ends of a line, too. */
const ENDS = /[\u0085\u2028\u2029]/g;

/** For JSON that is written already, one line or many: there these can only be in strings. */
export const withoutOtherEnds = (json: string): string =>
  json.replace(ENDS, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const ndjsonLine = (value: unknown): string => `${withoutOtherEnds(JSON.stringify(value))}\n`;
