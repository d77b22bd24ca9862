/** Moments as people send them. Pure. */

/** In milliseconds since 1970; NaN for what is none. RFC 3339 allows small letters, Date does not. */
export const momentOf = (text: string): number => Date.parse(text.toUpperCase());
