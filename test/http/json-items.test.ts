/** A body that is counted and cut while it arrives gives the value, or the refusal, that JSON.parse of the whole gives. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseItems } from '../../src/http/json-items.ts';
import { JsonScanner } from '../../src/http/json-scanner.ts';

function scan(text: string, pieceLength = 65_536): { body: Buffer; scanner: JsonScanner } {
  const body = Buffer.from(text);
  const scanner = new JsonScanner(true);
  for (let at = 0; at < body.length; at += pieceLength) scanner.scan(body.subarray(at, at + pieceLength));
  return { body, scanner };
}

async function parseInParts(text: string, pieceLength?: number): Promise<unknown> {
  const { body, scanner } = scan(text, pieceLength);
  if (!scanner.isWhole) throw new SyntaxError('not whole');
  return parseItems(body, scanner.items, () => undefined);
}

const parsed = (parse: () => unknown) =>
  Promise.resolve()
    .then(parse)
    .then(JSON.stringify, () => 'not JSON');

const value = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });
const name = fc.oneof(
  fc.constantFrom('documents', 'docum\\u0065nts', '__proto__', ''),
  fc
    .string()
    .map(JSON.stringify)
    .map((text) => text.slice(1, -1)),
);
const blank = fc.constantFrom('', ' ', '\n\t', '\r\n  ');
const member = fc.tuple(name, blank, fc.oneof(fc.array(value, { maxLength: 4 }), value)).map(([key, space, item]) => {
  const text = JSON.stringify(item, null, space);
  return `"${key}"${space}:${space}${text}${space}`;
});
const text = fc.oneof(
  fc.array(member, { maxLength: 4 }).map((members) => `{${members.join(',')}}`),
  value.map((any) => JSON.stringify(any)),
);

it('is the same for any JSON, however it is cut into pieces, with members of any name, repeated or not', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 40 }), async (json, pieceLength) => {
      expect(await parsed(() => parseInParts(json, pieceLength))).toBe(await parsed(() => JSON.parse(json)));
    }),
    { numRuns: 500 },
  );
});

it('is refused when the whole would be: with a part missing, doubled, or in the place of another', async () => {
  const damage = fc.tuple(
    fc.nat(),
    fc.nat({ max: 5 }),
    fc.constantFrom('', ',', '[', ']', '{', '}', '"', '\\', ':', '0', ' '),
  );
  await fc.assert(
    fc.asyncProperty(text, damage, async (json, [at, length, put]) => {
      const start = at % (json.length + 1);
      const damaged = (json.slice(0, start) + put + json.slice(start + length)).toWellFormed();
      expect(await parsed(() => parseInParts(damaged))).toBe(await parsed(() => JSON.parse(damaged)));
    }),
    { numRuns: 2000 },
  );
});

it.each([
  '{"documents":[]}',
  '{"documents":[1,]}',
  '{"documents":[,1]}',
  '{"documents":[1}',
  '{"a":[{]},2]}',
  '[[1],[2]]',
  '"x"',
  '',
  '}{',
  '{"a":[1],"a":[2,3]}',
])('treats %s as the whole would be', async (json) =>
  expect(await parsed(() => parseInParts(json))).toBe(await parsed(() => JSON.parse(json))),
);

it('counts what there is to parse, for each item and in all, and nothing that is text', () => {
  const { scanner } = scan('{"documents":[{"a":[{},{}],"b":"{[,\\"[{,"},"[[,[[",7],"c":{}}');
  expect(scanner.items.map(({ values }) => values)).toEqual([6, 0, 0]);
  expect(scanner.values).toBe(2 + 6 + 2 + 2);
});

it('lets others have their turn in between', async () => {
  const item = JSON.stringify({ text: '\u0001'.repeat(14_000) });
  const json = `{"documents":[${Array(100).fill(item).join(',')}]}`;
  let turns = 0;
  const count = () => {
    turns++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  expect(await parseInParts(json)).toEqual(JSON.parse(json));
  clearImmediate(counting);
  expect(turns).toBeGreaterThan(0);
});
