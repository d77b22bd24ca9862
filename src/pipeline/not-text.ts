/** Tells what is plainly no text: a file in base64, or its bytes taken for characters. It is read all the same. */

/** What a file is shows in its first characters; a document may have a hundred thousand. */
const LOOKED_AT = 4096;
/** Of so many characters, one that no text has is one too many. Text that was cut or converted badly has fewer of them. */
const ONE_IN = 20;
/** A key, a hash or a signature is shorter, and may be all that there is. */
const SHORTEST_BASE64 = 200;
/** Lines of base64 have 64 or 76 characters; lines of anything else differ in length. */
const SHORTEST_LINE = 60;

export function whyNotText(text: string): string | null {
  const sample = text.slice(0, LOOKED_AT);
  if (/^\s*%PDF-\d/.test(sample)) return why('the bytes of a PDF');
  if (isBinary(sample)) return why('binary data');
  if (/^\s*data:[^,\s]{0,200};base64,/i.test(sample) || isBase64(sample.trim())) return why('base64');
  return null;
}

const why = (what: string) => `This looks like ${what} and not like text: send the text that it stands for.`;

/** Control characters, and what a decoder puts in the place of bytes that are no UTF-8. */
function isBinary(sample: string): boolean {
  let strange = 0;
  for (let at = 0; at < sample.length; at++) {
    const code = sample.charCodeAt(at);
    const isControl = code < 0x20 ? code < 0x09 || code > 0x0d : code >= 0x7f && code < 0xa0 && code !== 0x85;
    if (isControl || code === 0xfffd) strange++;
  }
  return strange * ONE_IN > sample.length;
}

function isBase64(sample: string): boolean {
  if (sample.length < SHORTEST_BASE64 || !/^[\w+/=\r\n-]+$/.test(sample)) return false;
  const lines = sample.split(/\r?\n/);
  const width = lines[0]?.length ?? 0;
  const areEven = lines.slice(0, -1).every(({ length }) => length === width && width >= SHORTEST_LINE);
  return areEven && /[a-z]/.test(sample) && /[A-Z]/.test(sample) && /\d/.test(sample);
}
