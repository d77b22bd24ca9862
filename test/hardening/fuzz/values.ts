/** Values that fit a schema, and values that no schema has thought of. */
import type { Json } from './operations.ts';
import type { Random } from './random.ts';
import { CANARY, knownValue, ONLY_KNOWN, type World } from './world.ts';

/** JSON that no JavaScript value gives: numbers out of range, ten thousand brackets. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** An object as it is written, in which a key may come twice. */
export class Pairs {
  readonly pairs: [string, Json][];
  constructor(pairs: [string, Json][]) {
    this.pairs = pairs;
  }
}

export function serialise(value: Json): string {
  if (value instanceof Raw) return value.text;
  if (value instanceof Pairs)
    return `{${value.pairs.map(([name, item]) => `${JSON.stringify(name)}:${serialise(item)}`).join(',')}}`;
  if (Array.isArray(value)) return `[${value.map(serialise).join(',')}]`;
  if (typeof value === 'object' && value !== null) return serialise(new Pairs(Object.entries(value)));
  return JSON.stringify(value);
}

const ASTRAL = '🙂𝕏𠮷';
const LETTERS = 'abc ABC 0189 .,:;-_/\\"\'<>&%äöß東京\u200b\u2028\t\n';
/** Where a schema names no end, the size of a body does. */
const LONGEST = 300;

/** Identifiers stand in addresses, and addresses may be logged. */
const IN_ADDRESS = new Set(['tenantId', 'prefix', 'document_id', 'contradictionId', 'subject', 'error', 'item']);

/** A value that fits. */
export function fitting(schema: Json, name: string, random: Random, world: World): Json {
  const known = random.is(0.8) || ONLY_KNOWN.has(name) ? knownValue(name, random, world) : undefined;
  if (known !== undefined) return known;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  if (schema.anyOf) return fitting(random.pick(schema.anyOf), name, random, world);
  if (Array.isArray(schema.type)) return fitting({ ...schema, type: random.pick(schema.type) }, name, random, world);
  if (schema.type === 'object') return fittingObject(schema, random, world);
  if (schema.type === 'array') return fittingArray(schema, random, world);
  if (schema.type === 'string') return fittingText(schema, random, IN_ADDRESS.has(name) ? '' : CANARY);
  if (schema.type === 'boolean') return random.is(0.5);
  if (schema.type === 'null') return null;
  if (schema.type === 'integer' || schema.type === 'number') {
    const { minimum = -1000, maximum = 1000 } = schema;
    return random.pick([minimum, maximum, random.int(minimum, maximum)]);
  }
  throw new Error(`no value can be made for ${name}: ${JSON.stringify(schema)}`);
}

function fittingObject({ properties, required = [], minProperties = 0 }: Json, random: Random, world: World): Json {
  const names = Object.keys(properties).filter((name) => required.includes(name) || random.is(0.5));
  if (names.length < minProperties) names.push(...Object.keys(properties).slice(0, minProperties));
  return Object.fromEntries(names.map((name) => [name, fitting(properties[name], name, random, world)]));
}

function fittingArray({ items, minItems = 0, maxItems = 5, uniqueItems }: Json, random: Random, world: World): Json {
  const length = random.pick([minItems, Math.min(maxItems, 3), random.is(0.05) ? maxItems : minItems]);
  const schema = items?.type || items?.anyOf ? items : world.batchItem;
  const values = Array.from({ length }, () => fitting(schema, 'item', random, world));
  return uniqueItems ? [...new Set(values)] : values;
}

function fittingText(
  { minLength = 0, maxLength = LONGEST, pattern, format }: Json,
  random: Random,
  canary: string,
): string {
  if (format === 'date-time') return '2099-01-01T00:00:00Z';
  if (format) throw new Error(`no text of the format ${format} can be made`);
  const length = random.is(0.15) ? random.pick([minLength, maxLength]) : random.int(minLength, Math.min(maxLength, 40));
  if (pattern === '^[a-z0-9][a-z0-9-]*$')
    return random.text('abc019', 1, 1) + random.text('abc019-', length - 1, length - 1);
  if (pattern?.startsWith('^fact_')) return `fact_${random.text('0123456789abcdefghjkmnpqrstvwxyz', 11, 11)}`;
  if (pattern) throw new Error(`no text of the pattern ${pattern} can be made`);
  const alphabet = random.is(0.3) ? ASTRAL : LETTERS;
  const text = length > canary.length ? canary : '';
  // Long texts are one piece repeated: what matters is their length in code points.
  const piece = random.text(alphabet, 50, 50);
  return text + [...piece.repeat(Math.ceil(length / 50))].slice(0, length - text.length).join('');
}

const nested = (open: string, close: string) => new Raw(open.repeat(10_000) + close.repeat(10_000));

/** Values to put where others belong. The schema, if known, gives the lengths and numbers at its very edges. */
export function awkward(random: Random, schema: Json = {}): Json {
  const { maxLength, minLength, minimum, maximum, format } = schema;
  const edges: (() => Json)[] = [];
  if (maxLength)
    for (const letter of ['a', '🙂'])
      edges.push(
        () => letter.repeat(maxLength),
        () => letter.repeat(maxLength + 1),
      );
  if (minLength) edges.push(() => '');
  if (format === 'date-time') for (const text of DATES) edges.push(() => text);
  if (minimum !== undefined)
    edges.push(
      () => minimum,
      () => minimum - 1,
    );
  if (maximum !== undefined)
    edges.push(
      () => maximum,
      () => maximum + 1,
    );
  if (edges.length > 0 && random.is(0.4)) return random.pick(edges)();
  return random.pick(AWKWARD)();
}

const DATES = [
  '2099-01-01T00:00:00+23:59',
  '2099-01-01T00:00:00-23:59',
  '2099-01-01 00:00:00z',
  '2099-01-01\u00a000:00:00Z',
  '9999-12-31T23:59:59.999999999999Z',
  '9999-12-31T23:59:59-12:00',
  '2098-12-31T23:59:60Z',
  '2099-02-30T00:00:00Z',
  '0000-01-01T00:00:00Z',
];

const AWKWARD: (() => Json)[] = [
  () => '',
  () => 'a\0b',
  () => '\ud800',
  () => 'x\udc00y',
  () => '\ud83d\ud83d\ude42',
  () => new Raw('"\\u0000"'),
  () => new Raw('"\\uDEAD\\uD83D"'),
  () => 'y'.repeat(70_000),
  () => '🙂'.repeat(50_000),
  () => new Raw(`"${'\\ud83d\\ude42'.repeat(2000)}"`),
  () => new Raw('1e999'),
  () => new Raw('-1e999'),
  () => new Raw('-0'),
  () => new Raw('9007199254740993'),
  () => new Raw('1'.repeat(1000)),
  () => new Raw('1e-999'),
  () => 0.1,
  () => -1,
  () => 2 ** 31,
  () => 2 ** 63,
  () => true,
  () => null,
  () => [],
  () => [[]],
  () => ({}),
  () => nested('[', ']'),
  () => new Raw(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`),
  () => '__proto__',
  () => 'constructor',
  () => ({ toString: 1, valueOf: null, length: -1 }),
  () => new Pairs([['__proto__', { admin: true }]]),
  () => "'; drop table documents; --",
  () => '$1 %s %n #{7*7} {{7*7}}',
  () => '../../etc/passwd',
  () => '\r\nX-Injected: 1\r\n\r\n',
  () => 'NaN',
  () => 'null',
];
