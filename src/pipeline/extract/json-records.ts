/** Finds the records of JSON: its objects, each with what tells it from others. */
import { stem } from '../lexicon/stem.ts';
import type { Block, Cell } from '../plain-text.ts';
import type { Reading } from '../read.ts';
import { asWord } from '../term.ts';
import { namesOfWhole } from './json-names.ts';
import {
  besidesValue,
  identityOf,
  isBareValue,
  isClaimed,
  isDescribed,
  isTelling,
  type Lines,
  linesOf,
  named,
  ownKeyOf,
  periodsOf,
  plain,
  repeatedLabels,
  textOf,
} from './record-keys.ts';
import type { Record } from './structured.ts';
import { timeOf } from './titles.ts';
import { labelWords, subjectStems } from './words.ts';

/** So many of the objects that hold a field tell it from others: the identity of each stands in those of all that it holds. */
const MAX_STEPS = 8;

const NOBODY = { subject: [], name: '', above: [] };

interface JsonObject extends Pick<Record, 'identity' | 'subject' | 'name' | 'above'> {
  key: Cell | null;
  lines: Lines;
  /** The date that these give. */
  time: string;
  /** Labels that hold several values. */
  repeated: Set<string>;
  hasBareValue: boolean;
  /** What says of which kind that value is. */
  besides: string;
  /** It is known wherever it stands, and need not be told by what holds it. */
  isTold: boolean;
  /** The label of its key says that it is one. */
  isKnown: boolean;
}

/** By their paths. */
export function objectsOf(reading: Reading): Map<string, JsonObject> {
  const objects = new Map<string, JsonObject>();
  for (const [within, blocks] of Map.groupBy(reading.blocks, (block) => block.within)) {
    if (within === undefined) continue;
    const list = blocks.flatMap(({ cells }) => cells);
    const place = within === '' ? 'whole' : within.endsWith(']') ? 'list' : 'part';
    const found = ownKeyOf(reading, list, place);
    const lines = linesOf(list);
    const about = found
      ? { ...named(reading, found), above: labelWords(found.key.label).map(stem).map(asWord) }
      : NOBODY;
    const identity = found ? identityOf(reading, found.key, lines) : '';
    const isTold = found !== null && (ROOT.test(within) || isTelling(reading, found));
    const isKnown = found?.isKnown === true;
    const own = {
      key: found?.key ?? null,
      lines,
      time: timeOf(reading, lines),
      repeated: repeatedLabels(list),
      isTold,
      isKnown,
    };
    const hasBareValue = list.some(isBareValue);
    const besides = hasBareValue ? besidesValue(reading, list) : '';
    objects.set(within, { identity, ...about, ...own, hasBareValue, besides });
  }
  if (objects.size > 0) nameWholes(reading, objects);
  return objects;
}

/** What has no key of its own may have an object that names it: the whole of the JSON, or one of a list. */
function nameWholes(reading: Reading, objects: Map<string, JsonObject>): void {
  // Where anything has a name or a key, a part may well name something else than the whole.
  const areParts = !objects.has('') && !objects.values().some(({ isKnown }) => isKnown);
  const fields = reading.blocks.filter(({ within }) => within !== undefined);
  for (const [path, blocks] of Map.groupBy(fields, ({ within = '' }) => within.slice(0, within.lastIndexOf(']') + 1))) {
    const object = objects.get(path);
    const whole = { path, blocks, isOfParts: areParts && path === '' };
    const names = object?.isKnown ? [] : namesOfWhole(reading, whole);
    if (names.length === 0) continue;
    const named = namedBy(reading, names, object?.lines ?? []);
    objects.set(path, { ...(object ?? NOTHING), ...named, key: null, isTold: ROOT.test(path) });
  }
}

const NOTHING = {
  key: null,
  lines: [],
  time: '',
  repeated: new Set<string>(),
  hasBareValue: false,
  besides: '',
  isKnown: false,
};

/** By all of its names: a first name alone is that of many. */
function namedBy(
  reading: Reading,
  names: Cell[],
  lines: Lines,
): Pick<JsonObject, 'identity' | 'subject' | 'name' | 'above'> {
  const texts = names.map((name) => textOf(reading, name));
  const byLength = texts.toSorted((one, other) => one.length - other.length);
  return {
    identity: `name:${texts.map(plain).join('|')}${periodsOf(reading, lines)}`,
    subject: [...new Set(byLength.flatMap(subjectStems))],
    name: byLength[0] ?? '',
    above: [],
  };
}

/** The whole of it, or one of a list that is the whole. */
const ROOT = /^(?:\[\d+\])?$/;

/** What only holds other things: an object is the same alone, in a list, and in `{"data": […]}`. */
const ENVELOPE =
  /^(?:data|results?|items?|records?|rows?|entries|list|response|payload|values?|hits|docs?|documents|content|objects?|elements)?$/i;

/** An object without a key is part of the one that holds it; one of a list without a key cannot be told from the next. */
export function recordOfField(objects: Map<string, JsonObject>, block: Block): Record | null {
  const within = block.within ?? '';
  if (within.startsWith('@')) return null;
  const own = objects.get(within);
  const prefix: string[] = [];
  const steps: string[] = [];
  let about: Pick<Record, 'subject' | 'name' | 'above'> | null = null;
  let time = '';
  let isTold = false;
  for (let path = within; ; ) {
    const object = objects.get(path);
    isTold ||= object?.isTold === true;
    time ||= object?.time ?? '';
    if (object && object.identity !== '') {
      about ??= object;
      steps.unshift(object.identity);
    } else if (path.endsWith(']')) return null;
    if (path === '') break;
    const cut = path.lastIndexOf('.');
    // What is between a named object and the one that holds it only says where it stands.
    const step = path.slice(cut + 1).replace(/\[\d+\]/g, '');
    if (!about) prefix.unshift(step);
    else if (!ENVELOPE.test(step)) steps.unshift(step);
    path = path.slice(0, Math.max(0, cut));
  }
  if (!about || !isTold || isDescribed(own?.key, block.cells)) return null;
  const cells = block.cells.filter(
    (cell) => isClaimed(cell, own?.key ?? undefined, own?.lines ?? []) && !own?.repeated.has(cell.label),
  );
  const { subject, name, above } = about;
  const found = { identity: steps.slice(-MAX_STEPS).join(' / '), subject, name, above, time, block };
  const label = prefix.at(-1)?.trim();
  if (label === undefined || !own?.hasBareValue) return { ...found, prefix, cells };
  return {
    ...found,
    identity: `${found.identity}${own.besides}`,
    prefix: prefix.slice(0, -1),
    cells: cells.filter(isBareValue).map((cell) => ({ ...cell, label })),
  };
}
