/** What a line of a .jsonl file is: a document by the fields of POST /api/ingest, a line of an export, or a document as it stands. Pure. */
import { type Draft, draftOf, idOf, type NewDocument, nameOf, provenanceOf } from './draft.ts';
import { checked } from './read-text.ts';

export type Line = { draft: Draft } | { why: string } | { leftOut: string };

/** The fields of a document that are sent as they are. */
const FIELDS = ['name', 'type', 'document_id', 'source', 'provenance', 'idempotency_key'] as const;
const KNOWN = new Set<string>(['scope_id', 'text', ...FIELDS]);
/** What an export has beside documents: it comes of them again. */
const OF_EXPORTS = new Set(['claim', 'fact', 'contradiction', 'cursor', 'end', 'error']);

export interface LineOf {
  scopeId: string;
  /** The name of the file, and which of its lines it is, counted from 1. */
  file: string;
  line: number;
  bytes: number;
}

export function readLine(json: string, at: LineOf): Line {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { why: 'it is not JSON' };
  }
  if (!isObject(value)) return asItStands(json, at);
  if (value.kind === 'document' && 'document_id' in value) return ofExport(value, at);
  if (OF_EXPORTS.has(String(value.kind))) return { leftOut: `lines of kind ${value.kind}` };
  if (!isDocument(value)) return asItStands(json, at);
  if (value.scope_id !== undefined && value.scope_id !== at.scopeId)
    return { why: `it names another scope, ${value.scope_id}` };
  return byFields(value, at);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** It has a text, and nothing that a document has not: whoever has other fields means them to be read. */
const isDocument = (value: Record<string, unknown>): value is Record<string, string> =>
  typeof value.text === 'string' &&
  Object.entries(value).every(([name, member]) => KNOWN.has(name) && typeof member === 'string');

/** Its scope is another one by purpose, and its key, if it has one, was for that. */
function ofExport({ idempotency_key: _, text, ...value }: Record<string, unknown>, at: LineOf): Line {
  const fields = Object.fromEntries(Object.entries(value).filter(([, member]) => typeof member === 'string'));
  if (text === null) return { draft: toDraft(fields, null, at) };
  if (typeof text !== 'string') return { why: 'it has no text: export with texts (--include documents,texts)' };
  return byFields({ ...fields, text }, at);
}

function byFields(value: Record<string, unknown>, at: LineOf): Line {
  const read = checked(value.text as string);
  if ('why' in read) return read;
  if ('isEmpty' in read) return { leftOut: 'empty' };
  return { draft: toDraft(value, read.text, at) };
}

function toDraft(value: Record<string, unknown>, text: string | null, { scopeId, file, line, bytes }: LineOf): Draft {
  const where = `${file}:${line}`;
  const given = Object.fromEntries(FIELDS.flatMap((name) => (name in value ? [[name, value[name]]] : [])));
  const document: NewDocument = {
    scope_id: scopeId,
    document_id: idOf(where),
    name: nameOf(where),
    type: 'txt',
    ...(text !== null && { provenance: provenanceOf(text) }),
    ...given,
    text,
  };
  return { where, bytes, document };
}

/** Any other JSON is read as such by the service. */
function asItStands(json: string, { scopeId, file, line, bytes }: LineOf): Line {
  const read = checked(json);
  if ('why' in read) return read;
  return { draft: draftOf(scopeId, `${file}:${line}`, 'json', json, bytes) };
}
