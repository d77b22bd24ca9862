/** Finds the fields of a JSON record that state a value; another record of the corpus lends a name or a word. */
import type { Chance } from '../../../storm/chance.ts';
import type { Source } from '../read.ts';
import { otherDay, otherFigure } from './change.ts';
import { copyOf, type Form, type Range, type Statement } from './statement.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Scalar = boolean | number | string;

interface Field {
  path: string[];
  value: Scalar;
}

/** What a record is known by is not changed: it would be another record. */
const IDENTITY = /^(?:name|title|id|code|codename|key|slug|symbol|model|vendor|.*[_ -](?:id|no|code|number))$/i;
const NO_FACT =
  /url|link|image|repo|tree|path|file|hash|version|variant|branch|install|partition|reboot|short|comment|note|description/i;

/** The values that the records of a corpus have in each field. */
export class FieldValues extends Map<string, Set<Scalar>> {
  constructor(sources: Source[]) {
    super();
    for (const source of sources)
      for (const { path, value } of fieldsOf(parsed(source), [])) {
        const name = path.join('.');
        this.set(name, (this.get(name) ?? new Set()).add(value));
      }
  }
}

export function statementsOfFields(source: Source, values: FieldValues, chance: Chance): Statement[] {
  const record = parsed(source);
  return fieldsOf(record, []).flatMap((field) => {
    const key = field.path.at(-1) ?? '';
    if (IDENTITY.test(key) || NO_FACT.test(field.path.join('.'))) return [];
    const changed = changeOf(field, values, chance);
    if (!changed || changed.to === field.value) return [];
    const said = placeOf(source.text, key, field.value);
    if (!said) return [];
    const to = JSON.stringify(changed.to);
    const forms = [copyOf(source, said, to), ...extractOf(record, field, changed.to)];
    return [{ kind: changed.kind, source, said, from: JSON.stringify(field.value), to, forms }];
  });
}

function parsed({ text }: Source): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Members of lists are left out: which of them is meant is not said. */
function fieldsOf(json: Json, path: string[]): Field[] {
  if (typeof json === 'string' || typeof json === 'number' || typeof json === 'boolean')
    return String(json).length <= 60 ? [{ path, value: json }] : [];
  if (json === null || Array.isArray(json)) return [];
  return Object.entries(json).flatMap(([key, value]) => fieldsOf(value, [...path, key]));
}

function changeOf(
  { path, value }: Field,
  values: FieldValues,
  chance: Chance,
): { kind: string; to: Scalar } | undefined {
  if (typeof value === 'boolean') return { kind: 'boolean', to: !value };
  if (typeof value === 'number') return { kind: 'number', to: Number(otherFigure(String(value), chance)) };
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return { kind: 'date', to: otherDay(value, chance) };
  if (/^\d+(?:\.\d+)?(?: ?[A-Za-z%]+)?$/.test(value)) return { kind: 'measure', to: otherFigure(value, chance) };
  if (/^\d/.test(value)) return undefined;
  const others = [...(values.get(path.join('.')) ?? [])].filter((other) => areWordsApart(value, other));
  return others.length > 0 ? { kind: 'name', to: chance.pick(others) } : undefined;
}

/** Neither is a part of the other, as 'ARM' is of 'ARM64'. */
function areWordsApart(one: string, other: Scalar): boolean {
  if (typeof other !== 'string' || /[/&+,]/.test(one + other)) return false;
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return !a.includes(b) && !b.includes(a);
}

/** None where the same key has the same value twice. */
function placeOf(text: string, key: string, value: Scalar): Range | undefined {
  const written = JSON.stringify(value);
  const places = [...text.matchAll(new RegExp(String.raw`${escaped(JSON.stringify(key))}\s*:\s*`, 'g'))]
    .map(({ index, 0: found }) => index + found.length)
    .filter((at) => text.startsWith(written, at) && /[\s,}\]]/.test(text[at + written.length] ?? ' '));
  const [at, more] = places;
  return at === undefined || more !== undefined ? undefined : [at, at + written.length];
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What the record is known by, and the field. */
function extractOf(record: Json, { path }: Field, to: Scalar): Form[] {
  const known = Object.entries(record as { [key: string]: Json }).filter(
    ([key, value]) => IDENTITY.test(key) && typeof value === 'string',
  );
  if (known.length === 0) return [];
  const nested = path.reduceRight<Json>((inner, key) => ({ [key]: inner }), to);
  const text = JSON.stringify({ ...Object.fromEntries(known), ...(nested as object) }, null, 1);
  const said = placeOf(text, path.at(-1) ?? '', to);
  return said ? [{ name: 'extract', text, said }] : [];
}
