/** Sends what is not there yet, over one stream with many lines on their way, and counts what is answered. */
import type { Docket, DocumentLine } from '../../../client/src/index.ts';
import type { Draft } from './draft.ts';
import type { Known } from './known.ts';
import type { Tally } from './tally.ts';

export interface Sending {
  docket: Docket;
  scopeId: string;
  drafts: AsyncIterable<Draft>;
  known: Known;
  /** The newest seq of the scope before; -1 when there was none. */
  newestBefore: number;
  tally: Tally;
  /** So many bytes of the files are done with. */
  passed: (bytes: number) => void;
  signal: AbortSignal;
}

export async function send({
  docket,
  scopeId,
  known,
  newestBefore,
  tally,
  passed,
  signal,
  ...given
}: Sending): Promise<void> {
  /** By its line; no more of them than the client has on their way. */
  const underWay = new Map<number, Draft>();
  let lines = 0;

  async function* documents(): AsyncGenerator<DocumentLine> {
    for await (const draft of given.drafts) {
      const plan = known.plan(draft);
      if (plan === 'unchanged') {
        tally.unchanged++;
        passed(draft.bytes);
      } else if (plan === 'twice') {
        tally.fail(
          draft.where,
          `its id, ${draft.document.document_id}, is also that of another document of this import`,
        );
        passed(draft.bytes);
      } else {
        underWay.set(++lines, { ...draft, document: { ...draft.document, text: '' } });
        yield lineOf(draft, plan.key);
      }
    }
  }

  for await (const answer of docket.ingestMany(documents(), { scopeId, signal })) {
    const draft = underWay.get(answer.line);
    if (!draft) continue;
    underWay.delete(answer.line);
    if (answer.document) tally.accept(answer.document.seq, newestBefore);
    else tally.fail(draft.where, `${answer.status}: ${answer.error?.detail ?? 'it was not accepted'}`);
    passed(draft.bytes);
  }
}

/** The service takes an entry without text only as what it is: a line of an export. */
function lineOf({ document: { text, ...document } }: Draft, key: string | null): DocumentLine {
  const rest = { ...document, ...(key !== null && { idempotency_key: key }) };
  const entry = { kind: 'document', ...rest, text };
  return text === null ? entry : { ...rest, text };
}
