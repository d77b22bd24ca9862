/** Idempotency keys that nobody has used before. */

const BYTES = 16;

/** Not by `randomUUID`, which browsers have only on pages that came over TLS. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
