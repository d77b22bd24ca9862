/** Makes a scope of like records about different things, and plants documents that contradict some of them. */
import type { Chance } from '../../../storm/chance.ts';
import type { Source } from '../read.ts';
import { devices, staff, stock } from './data.ts';
import type { Field, Kind, Values } from './kind.ts';
import { bridges, offices } from './pages.ts';
import { contracts, invoices, minutes, reports } from './papers.ts';

const KINDS = [invoices, contracts, minutes, reports, devices, staff, stock, bridges, offices];
/** Things of a kind: as many as share their labels in a small scope, and more than are compared under one key. */
const THINGS = 24;
/** Of the things of a kind so many are contradicted, and as many are said again, or tempt. */
const CONTRADICTED = 6;
const SAID_AGAIN = 3;
const TEMPTING = 3;

export interface RecordDocument extends Source {
  /** What it says, by the thing and the field. Two documents contradict each other where the same has another value. */
  facts: Map<string, string>;
}

export interface Records {
  documents: RecordDocument[];
  /** The facts that two documents contradict each other on, each with what it is of. */
  planted: Map<string, { kind: string; label: string }>;
}

interface Thing {
  kind: Kind;
  subject: string;
  values: Values;
}

/** Every second document on a thing is a record like the first one, the others are notes. */
export function generateRecords(chance: Chance): Records {
  const records: Records = { documents: [], planted: new Map() };
  for (const kind of KINDS) {
    const own = chance.fork(kind.name);
    const things = Array.from({ length: THINGS }, (_, n): Thing => {
      const values = new Map(kind.fields.map(({ label, value }): [string, string] => [label, value(own)]));
      return { kind, subject: kind.subject(n), values };
    });
    records.documents.push(...things.map((thing, n) => recordOf(`${kind.name}/${n}`, thing)));
    const said = kind.fields.filter(({ says }) => says);
    for (let n = 0; n < CONTRADICTED; n++) {
      const thing = things[n] as Thing;
      const field = said[n % said.length] as Field;
      const changed = { ...thing, values: new Map(thing.values).set(field.label, otherValue(thing, field, own)) };
      const name = `${kind.name}/${n}/other`;
      records.documents.push(n % 2 === 0 ? noteOf(name, changed, field) : recordOf(name, changed));
      records.planted.set(keyOf(thing, field.label), { kind: kind.name, label: field.label });
    }
    for (let n = 0; n < SAID_AGAIN; n++) {
      const name = `${kind.name}/${n}/again`;
      records.documents.push(noteOf(name, things[CONTRADICTED + n] as Thing, said[n % said.length] as Field));
    }
    const tempting = kind.fields.find(({ tempts }) => tempts);
    for (let n = 0; tempting && n < TEMPTING; n++) {
      const thing = things[CONTRADICTED + SAID_AGAIN + n] as Thing;
      const text = tempting.tempts?.(thing.subject, otherValue(thing, tempting, own)) ?? '';
      records.documents.push({ name: `${kind.name}/${n}/tempting`, type: 'txt', text, facts: new Map() });
    }
  }
  return records;
}

const keyOf = ({ kind, subject }: Thing, label: string) => `${kind.name} ${subject}: ${label}`;

function recordOf(name: string, thing: Thing): RecordDocument {
  const { kind, subject, values } = thing;
  const facts = new Map([...values].map(([label, value]) => [keyOf(thing, label), value]));
  return { name, type: kind.type, text: kind.write(subject, values), facts };
}

function noteOf(name: string, thing: Thing, { label, says }: Field): RecordDocument {
  const value = thing.values.get(label) ?? '';
  const text = `This note is for the file. ${says?.(thing.subject, value)} Nothing else was noted.\n`;
  return { name, type: 'txt', text, facts: new Map([[keyOf(thing, label), value]]) };
}

/** Every field has two values at least, so that one comes in the end. */
function otherValue({ values }: Thing, { label, value }: Field, chance: Chance): string {
  for (;;) {
    const other = value(chance);
    if (other !== values.get(label)) return other;
  }
}
