/** Looks for secrets in logs, also where they are cut, escaped or encoded. */

export interface Secret {
  name: string;
  text: string;
}

/** Of a key that was cut, this much is too much. Shorter pieces could be anybody's. */
const PIECE = 16;

/** The public beginning of a key (`dk_12345678_`) may be told; what comes after it may not. */
export function secretsOf(keys: Record<string, string>): Secret[] {
  return Object.entries(keys).map(([name, key]) => ({ name, text: key.replace(/^d[aik]_\w{8}_/, '') }));
}

/** One line for each secret in each log. */
export function findLeaks(logs: Record<string, string>, secrets: Secret[]): string[] {
  const found: string[] = [];
  for (const [place, log] of Object.entries(logs)) {
    // Escapes may stand within a text, and base64 may begin at any third of it.
    const plain = log.replaceAll(/\\+u([0-9a-f]{4})/gi, (_all, code) => String.fromCharCode(Number.parseInt(code, 16)));
    for (const { name, text } of secrets) {
      const form = formsOf(text).find((candidate) => log.includes(candidate) || plain.includes(candidate));
      if (form !== undefined) found.push(`${name} is in ${place}: …${around(log.includes(form) ? log : plain, form)}…`);
    }
  }
  return found;
}

function formsOf(text: string): string[] {
  const pieces = text.length > 2 * PIECE ? [text.slice(0, PIECE), text.slice(-PIECE)] : [text];
  return pieces.flatMap((piece) => [piece, encodeURIComponent(piece), hex(piece), ...base64s(piece)]);
}

const hex = (text: string) => Buffer.from(text).toString('hex');

/** By how many bytes stand before it; without the ends, which depend on its neighbours. */
const base64s = (text: string) =>
  [0, 1, 2].map((before) =>
    Buffer.from('x'.repeat(before) + text)
      .toString('base64')
      .slice(before === 0 ? 0 : 4, -4),
  );

/** Enough of the line to find where it comes from. */
function around(log: string, form: string): string {
  const at = log.indexOf(form);
  return log.slice(Math.max(0, at - 150), at + form.length + 50).replaceAll('\n', '⏎');
}
