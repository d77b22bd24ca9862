/** A document as it would be sent: its id from its path, its provenance from its content. Pure. */
import { createHash } from 'node:crypto';

/** As POST /api/ingest/stream takes it; an entry of a register, which an export may have, has no text. */
export interface NewDocument {
  scope_id: string;
  document_id: string;
  name: string;
  type: string;
  text: string | null;
  source?: string;
  provenance?: string;
  idempotency_key?: string;
}

export interface Draft {
  /** What to call it before people: a path, and for a line which one. */
  where: string;
  /** How much of its file it is. */
  bytes: number;
  document: NewDocument;
}

const MAX_ID = 200;
const MAX_NAME = 500;
/** Of the hash that tells long paths apart that end alike. */
const HASH_CHARACTERS = 16;

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** As sha256sum has it for a file of this text. */
export const provenanceOf = (text: string) => `sha256:${sha256(text)}`;

/** The path itself, unless it is too long: then its end, which says most, after a hash of all of it. */
export const idOf = (path: string) => shortened(path, MAX_ID);
export const nameOf = (path: string) => shortened(path, MAX_NAME);

function shortened(path: string, most: number): string {
  const characters = [...path];
  if (characters.length <= most) return path;
  const hash = sha256(path).slice(0, HASH_CHARACTERS);
  return `${hash}…${characters.slice(HASH_CHARACTERS + 1 - most).join('')}`;
}

/** Of a file, or of a line that is a document as it stands. */
export function draftOf(scopeId: string, path: string, type: string, text: string, bytes: number): Draft {
  return {
    where: path,
    bytes,
    document: {
      scope_id: scopeId,
      document_id: idOf(path),
      name: nameOf(path),
      type,
      text,
      provenance: provenanceOf(text),
    },
  };
}
