/** Changes to a body: to what it says, and to the bytes that say it. */
import type { Json } from './operations.ts';
import type { Random } from './random.ts';
import type { FuzzRequest } from './request.ts';
import { awkward, Pairs, Raw, serialise } from './values.ts';
import { ONLY_KNOWN } from './world.ts';

type Change = (body: Record<string, Json>, schema: Json, random: Random) => Json;

const propertyOf = (body: object, random: Random) => random.pick([...Object.keys(body), 'extra']);

const CHANGES: Record<string, Change> = {
  'a property has an awkward value': (body, { properties = {} }, random) => {
    const name = random.pick([...Object.keys(properties), ...Object.keys(body)]);
    return { ...body, [name]: awkward(random, properties[name]) };
  },
  'a property within has an awkward value': (body, _schema, random) => ({ ...body, ...within(body, random) }),
  'a property is missing': (body, _schema, random) => {
    const { [propertyOf(body, random)]: _gone, ...rest } = body;
    return rest;
  },
  'a property is too many': (body, _schema, random) => ({
    ...body,
    [random.pick(['extra', '', ' name', 'Name', 'a\0b', '\ud800', 'x'.repeat(5000), 'toString', 'hasOwnProperty'])]:
      awkward(random),
  }),
  'a key of the prototype': (body, _schema, random) =>
    new Pairs([
      ...Object.entries(body),
      [random.pick(['__proto__', 'constructor', 'prototype']), random.pick([{ name: 'x' }, { prototype: {} }, null])],
    ]),
  'a key twice': (body, _schema, random) => {
    const name = propertyOf(body, random);
    const pairs: [string, Json][] = [[name, awkward(random)], ...Object.entries(body)];
    return new Pairs(random.is(0.5) ? pairs : pairs.reverse());
  },
  'something else altogether': (_body, _schema, random) => awkward(random),
  'a list of it': (body) => [body],
  'the text of it': (body) => JSON.stringify(body),
};

function within(body: Record<string, Json>, random: Random): Json {
  const inner = Object.entries(body).filter(([, value]) => typeof value === 'object' && value !== null);
  if (inner.length === 0) return { extra: { a: [awkward(random)] } };
  const [name, value] = random.pick(inner);
  if (!Array.isArray(value)) return { [name]: { ...value, [propertyOf(value, random)]: awkward(random) } };
  const items = value.map((item) =>
    typeof item === 'object' && item !== null
      ? { ...item, [propertyOf(item, random)]: awkward(random) }
      : awkward(random),
  );
  return { [name]: random.is(0.8) ? items : [...items, ...Array(200).fill('x')] };
}

const isPlainObject = (value: Json) =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

export function changeValue(request: FuzzRequest, random: Random): void {
  const { value, operation } = request;
  if (!isPlainObject(value)) {
    changeBytes(request, random);
    return;
  }
  const [name, change] = random.pick(Object.entries(CHANGES));
  request.value = change(value, operation.body?.schema ?? {}, random);
  request.body = Buffer.from(serialise(request.value));
  request.changes.push(name);
}

/** Whether the body alone decides: what else it names is right by itself. */
export const isDecidedBySchema = (parsed: object) => !Object.keys(parsed).some((name) => ONLY_KNOWN.has(name));

const splice = (body: Buffer, at: number, bytes: number[] | string) =>
  Buffer.concat([body.subarray(0, at), Buffer.from(bytes as string), body.subarray(at)]);

const BYTES: Record<string, (body: Buffer, random: Random) => Buffer> = {
  'cut short': (body, random) => body.subarray(0, random.int(0, body.length - 1)),
  'a byte order mark': (body) => splice(body, 0, '\ufeff'),
  'invalid UTF-8': (body, random) =>
    splice(
      body,
      random.int(0, body.length),
      random.pick([[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80], [0xe2]]),
    ),
  'a NUL byte': (body, random) => splice(body, random.int(0, body.length), [0]),
  'more after the end': (body, random) => splice(body, body.length, random.pick(['}', '{}', ',', '\0', 'x', ' \n '])),
  'a flipped bit': (body, random) => {
    const copy = Buffer.from(body);
    const at = random.int(0, body.length - 1);
    copy[at] = (copy[at] ?? 0) ^ (1 << random.int(0, 7));
    return copy;
  },
  'UTF-16': (body) => Buffer.from(body.toString(), 'utf16le'),
  'only spaces': () => Buffer.from(' \n\t '),
  nothing: () => Buffer.alloc(0),
  'a comment': (body) => splice(body, 0, '/* x */'),
  'single quotes': (body) => Buffer.from(body.toString().replaceAll('"', "'")),
  'no JSON': (_body, random) =>
    Buffer.from(random.pick(['NaN', 'undefined', 'Infinity', '<a/>', '"', '[', '\u2028', '01'])),
};

export function changeBytes(request: FuzzRequest, random: Random): void {
  const [name, change] = random.pick(Object.entries(BYTES));
  request.body = change(request.body?.length ? request.body : Buffer.from('{}'), random);
  request.value = new Raw('bytes');
  request.changes.push(`the body: ${name}`);
}
