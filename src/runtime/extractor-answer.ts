/** An extractor's answer is input like any other: none of it is taken unless all of it fits. */
import type { Static } from '@sinclair/typebox';
import { Ajv, type ErrorObject } from 'ajv';
import { type ExtractorClaim, ExtractorResponse, MAX_EXTRACTOR_SENTENCE } from '../contract/extractor.ts';
import { cut, isWithinCharacter, storable } from '../pipeline/storable.ts';

type AnsweredClaim = Static<typeof ExtractorClaim>;

/** With its defaults filled in, and a sentence whichever way the extractor showed it. */
export type ExtractedClaim = AnsweredClaim & { sentence: string };

export interface ExtractorAnswer {
  claims: ExtractedClaim[];
  warnings: string[];
}

// Verbose, so that a complaint has the schema at hand; what was sent is never repeated, for it may be the document's text.
const fits = new Ajv({ useDefaults: true, verbose: true }).compile<Static<typeof ExtractorResponse>>(ExtractorResponse);

/** `text`: that of the document. What is wrong names its place. */
export function checkAnswer(answer: unknown, text: string): ExtractorAnswer | { wrong: string } {
  // Of the complaints about a union, the one about the whole of it is the last.
  if (!fits(answer)) return { wrong: describe(fits.errors?.at(-1) as ErrorObject) };
  const unstorable = findUnstorable(answer, '');
  if (unstorable) return { wrong: `${unstorable} must not contain U+0000 or half of a surrogate pair` };
  const claims: ExtractedClaim[] = [];
  for (const [index, claim] of answer.claims.entries()) {
    const shown = sentenceOf(claim, text);
    if (typeof shown !== 'string') return { wrong: `claims[${index}]${shown.wrong}` };
    claims.push({ ...claim, sentence: shown });
  }
  return { claims, warnings: answer.warnings };
}

function describe({ instancePath, keyword, params, message, schema }: ErrorObject): string {
  const path = readable(instancePath);
  const what = path || 'it';
  if (keyword === 'required') return `${path ? `${path}.` : ''}${params.missingProperty} is missing`;
  if (keyword === 'additionalProperties') return `${what} has a property that is not in the contract`;
  if (keyword === 'pattern') return `${what} is blank`;
  if (keyword !== 'anyOf') return `${what} ${message}`;
  const options = (schema as { const?: string }[]).map((option) => option.const);
  if (options.every((option) => option !== undefined)) return `${what} must be one of ${options.join(', ')}`;
  return `${what} must be a text of 1 to 500 characters that is not blank, a number or a boolean`;
}

/** `/claims/3/value` as `claims[3].value`. Its parts are indexes and names of the contract, never of the answer alone. */
function readable(instancePath: string): string {
  return instancePath
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.');
}

/** Text that Postgres could not keep. The answer fits: it is not deep. */
function findUnstorable(value: unknown, path: string): string | null {
  if (typeof value === 'string') return value === storable(value) ? null : path;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, item] of Object.entries(value)) {
    const found = findUnstorable(item, Array.isArray(value) ? `${path}[${name}]` : `${path ? `${path}.` : ''}${name}`);
    if (found) return found;
  }
  return null;
}

function sentenceOf({ sentence, span }: AnsweredClaim, text: string): string | { wrong: string } {
  if (!span) return sentence ?? { wrong: ' has neither a sentence nor a span' };
  const { start, end } = span;
  if (end > text.length) return { wrong: `.span.end must be at most ${text.length}, the length of the text` };
  if (start > end) return { wrong: '.span.start must not be after its end' };
  if (sentence !== undefined) return sentence;
  if (isWithinCharacter(text, start) || isWithinCharacter(text, end)) return { wrong: '.span splits a character' };
  // A long span stays as it is; what is shown of it has an end.
  const shown = cut(text.slice(start, end), MAX_EXTRACTOR_SENTENCE).trim();
  return shown || { wrong: '.span is blank, and there is no sentence' };
}
