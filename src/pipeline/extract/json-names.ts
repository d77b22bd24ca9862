/** Finds what an object of JSON is called where an object of its own says so: `"name": {"common": "Algeria", …}`. */
import type { Block, Cell } from '../plain-text.ts';
import type { Reading } from '../read.ts';
import { identifying, isBareValue, isShort } from './record-keys.ts';

/** An object that is called so says what the whole is called: `"name": {"common": "Algeria", …}`. */
const OWN_NAMES =
  /^(?:(?:country|company|product|project|organi[sz]ation|full|display|official|legal)[ _-])?names?(?:\.|$)/i;
/** By which it has parts of a name or the name in several languages, and is no field that is called 'name'. */
const PART_OF_NAME =
  /^(?:[a-z]{2}(?:[-_][a-z]{2,4})?|text|value|#text|@value|(?:common|official|native|first|last|given|family|middle|surname|maiden|preferred|short|long|full|legal|trading|local|english)(?:[ _-]?(?:name|form))?)$/i;
/** A part may name the whole, too: `"Government": {"Country name": {"long form": …, "short form": …}}`. */
const NAMES_IN_PART = /^[^.[]+\.country[ _-]names?(?:\.|$)/i;
const FORM = /(?:long|short) form$/i;
/** These alone are those of many. */
const GIVEN = /^(?:first|given|preferred|middle)(?:[ _-]?name)?$/i;
const MAX_NAMES = 6;

interface Named {
  label: string;
  cell: Cell;
}

/** All that an object holds, but for the objects of its lists. */
export interface Whole {
  /** '' for what is in no list. */
  path: string;
  blocks: Block[];
  /** It has nothing but parts. */
  isOfParts: boolean;
}

/** The cells of the first object in it that names it; none where there is no such object. */
export function namesOfWhole(reading: Reading, whole: Whole): Cell[] {
  const own = namesWithin(whole, OWN_NAMES);
  const inPart = whole.isOfParts && own.length === 0 ? namesWithin(whole, NAMES_IN_PART) : [];
  const forms = inPart.length > 1 ? inPart.filter(({ label }) => FORM.test(label)) : [];
  const isOwn = own.length > 0 && own.length <= MAX_NAMES && own.every(({ label }) => PART_OF_NAME.test(label));
  const names = (isOwn ? own : forms).slice(0, MAX_NAMES);
  const short = names.filter(({ cell }) => isShort(cell));
  // What is left of a name without its long part may be that of many.
  const isWhole = !isOwn || short.length === names.length || short.length > 1;
  const tells = isWhole && short.some(({ label, cell }) => !GIVEN.test(label) && identifying(reading, cell));
  return tells ? short.map(({ cell }) => cell) : [];
}

/** Where an object only holds a value, its own label says what that is. */
function namesWithin({ path, blocks }: Whole, like: RegExp): Named[] {
  const held = blocks.map(({ within = '', cells }) => ({
    within: within.slice(path === '' ? 0 : path.length + 1),
    cells,
  }));
  const object = held.map(({ within }) => like.exec(within)?.[0]).find((found) => found !== undefined);
  if (object === undefined) return [];
  return held
    .filter(({ within }) => isIn(within, object))
    .flatMap(({ within, cells }) => {
      const around = within.length > object.length ? within.slice(within.lastIndexOf('.') + 1) : '';
      return cells.map((cell) => ({ label: (isBareValue(cell) && around ? around : cell.label).trim(), cell }));
    });
}

const isIn = (within: string, object: string) =>
  within === object || `${within}.`.startsWith(object.replace(/\.?$/, '.'));
