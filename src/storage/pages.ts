/** A page of a list ends where it gets large: 200 rows of what callers may store in one could be 20 MB. */

/**
 * As it is stored. While this process reads so much, writes it as JSON and sends it, it does nothing else; and a page of usual
 * rows, of a kilobyte or two, is never cut.
 */
const PAGE_BYTES = 1_000_000;

/** Set for a row after which the list goes on, whether or not the page does. */
export interface Listed {
  goes_on: boolean;
}

interface PageOptions {
  select: string;
  /** Unique. */
  order: string;
  /** What a row may be large by. */
  bytes: string;
  /** Where it gets large, if not where all lists do. */
  most?: number;
}

/**
 * The rows of a page, as long as those before a row are not that large together; so there is always one. Postgres decides it: what
 * does not fit is not sent. What is selected is made of the rows that fit only.
 */
export function withinBytes(page: string, { select, order, bytes, most = PAGE_BYTES }: PageOptions): string {
  return `select ${select}, goes_on
     from (select *, sum(bytes) over in_order - bytes as bytes_before, lead(true) over in_order is not null as goes_on
             from (select *, ${bytes} as bytes from (${page}) page) page window in_order as (order by ${order})) page
    where bytes_before < ${most} order by ${order}`;
}

/** The length of a text is known without reading it, even of one that is stored compressed. */
export const bytesOf = (texts: string[]): string =>
  texts.map((text) => `coalesce(octet_length(${text}), 0)`).join(' + ');
