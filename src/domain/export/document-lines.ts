/** Writes the lines of documents from what COPY has sent. */
import { giveWay } from '../../give-way.ts';
import { withoutOtherEnds } from '../../ndjson.ts';
import { bytesAsText, type Copied, isNull, textOf } from '../../storage/copied-rows.ts';
import type { ExportedDocument } from '../../storage/exported-documents.ts';
import { shownDate } from '../../storage/shown-date.ts';

/** Some lines, each with its newline. Where much was skipped there may be none. */
export interface Written {
  lines: Buffer;
  count: number;
}

/** Lines that are written without giving way: a millisecond or two. */
export const LINES_AT_ONCE = 100;

export async function writeDocuments(scopeId: string, documents: Iterable<ExportedDocument>): Promise<Written> {
  // What all of them have is written once.
  const head = `{"kind":"document","scope_id":${json(scopeId)}`;
  let [lines, count] = ['', 0];
  for (const document of documents) {
    if (count > 0 && count % LINES_AT_ONCE === 0) await giveWay();
    lines += lineOf(head, document);
    count++;
  }
  return { lines: Buffer.from(lines, 'latin1'), count };
}

/** Most of it is as Postgres wrote it: to make an object of it and write that would take several times as long. */
function lineOf(head: string, its: ExportedDocument): string {
  return (
    `${head},"document_id":${jsonOf(its.document_id)},"version":${its.version},"seq":${its.seq},"name":${jsonOf(its.name)},` +
    `"type":${jsonOf(its.type)},"source":${jsonOf(its.source)},"provenance":${jsonOf(its.provenance)},"state":"${its.state}",` +
    `"attempts":${its.attempts},"error":${jsonOf(its.error)},"accepted_at":${dateOf(its.accepted_at)},` +
    `"queued_at":${dateOf(its.queued_at)},"started_at":${dateOf(its.started_at)},"finished_at":${dateOf(its.finished_at)},` +
    `"not_before":${dateOf(its.not_before)},"claims":${isNull(its.claims) ? null : its.claims},"warnings":${listOf(its.warnings)}` +
    `${its.text === undefined ? '' : `,"text":${jsonOf(its.text)}`}}\n`
  );
}

const json = (text: string | null) => bytesAsText(withoutOtherEnds(JSON.stringify(text)));

/** What JSON writes otherwise than COPY: quotes, control characters and \v; and what readers may take for the end of a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has none in a text.
const OTHERWISE = /["\u0000-\u001f]|\\v|\xc2\x85|\xe2\x80[\xa8\xa9]/;

/** Both escape alike what is usual, so nearly every text is right as it is. */
export function jsonOf(copied: Copied): string {
  if (isNull(copied)) return 'null';
  return OTHERWISE.test(copied) ? json(textOf(copied)) : `"${copied}"`;
}

const dateOf = (copied: Copied) => (isNull(copied) ? 'null' : `"${shownDate(copied)}"`);
/** It is JSON already. */
const listOf = (copied: Copied) => (isNull(copied) ? '[]' : bytesAsText(withoutOtherEnds(textOf(copied) as string)));
