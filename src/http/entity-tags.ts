/** Entity tags: by them a client says what it has already. */

/** Whether If-None-Match names this one, which stands in quotes. Weak or not is all the same here, as RFC 9110 has it. */
export function namesTag(list: string | undefined, tag: string): boolean {
  return (list ?? '').split(',').some((item) => item.trim() === '*' || item.trim().replace(/^W\//, '') === tag);
}
