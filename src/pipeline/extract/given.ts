/** Claims that an extractor from outside gives, as the ones that are found here: each like a field of a record. */
import { type Claim, type ClaimSet, RULES, SENTENCE_SHOWN } from '../claim.ts';
import { SpanMapBuilder } from '../span-map.ts';
import { cut } from '../storable.ts';
import { plain } from './record-keys.ts';
import { claimsOfRecord } from './structured.ts';
import { subjectStems } from './words.ts';

export interface GivenClaim {
  subject: string;
  attribute: string;
  value: string | number | boolean;
  unit?: string | undefined;
  polarity: 'affirmed' | 'denied';
  modality: Claim['modality'];
  qualifiers: Partial<Claim['qualifiers']>;
  sentence: string;
  span?: { start: number; end: number } | undefined;
  confidence?: number | undefined;
}

const CONFIDENCE = 0.9;

/** What neither is a figure nor a few words is left out: there is nothing to compare it by. */
export function givenClaims(given: GivenClaim[]): ClaimSet {
  return {
    rules: RULES,
    profile: { subject: [], years: [], names: [], topic: [], phrase: [], issue: [], sentences: given.length },
    claims: given.flatMap(toClaims),
  };
}

function toClaims(one: GivenClaim): Claim[] {
  const text = valueText(one);
  const map = new SpanMapBuilder();
  map.add(text.length, 0, text.length);
  const place = { start: 0, end: text.length };
  const claims = claimsOfRecord(
    { text, map: map.finish() },
    {
      identity: plain(one.subject),
      subject: subjectStems(one.subject),
      above: [],
      name: one.subject,
      prefix: [],
      time: '',
      block: { kind: 'field', ...place, cells: [] },
      cells: [{ label: one.attribute, ...place }],
    },
  );
  return claims.map((claim) => ({
    ...claim,
    polarity: one.polarity === 'affirmed',
    modality: one.modality,
    qualifiers: {
      time: stems(one.qualifiers.time) || claim.qualifiers.time,
      place: stems(one.qualifiers.place),
      condition: stems(one.qualifiers.condition),
      subset: stems(one.qualifiers.subset),
    },
    sentence: cut(one.sentence, SENTENCE_SHOWN),
    span: one.span ?? { start: 0, end: 0 },
    confidence: one.confidence ?? CONFIDENCE,
  }));
}

const stems = (text = '') => subjectStems(text).join(' ');

function valueText({ value, unit }: GivenClaim): string {
  const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
  return unit ? `${text} ${unit}` : text;
}
