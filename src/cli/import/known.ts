/** Knows what a scope has already, and decides of each document whether it is sent and with which idempotency key. */
import { type Draft, provenanceOf, sha256 } from './draft.ts';

/** A row of the list of documents: each version by itself, in order of seq. */
export interface ListedDocument {
  document_id: string;
  version: number;
  name: string;
  type: string;
  source?: string | null;
  provenance?: string | null;
  state: string;
}

export type Plan = 'unchanged' | 'twice' | { key: string | null };

interface Newest {
  version: number;
  /** Of all that makes its content. */
  print: string;
  /** It failed, or was only stored: nobody processes it, and sent again it is queued. */
  needsSending: boolean;
}

/** Of more nothing is lost: what is not remembered is sent, and the service finds that it is there already. */
const MAX_REMEMBERED = 1_000_000;

export class Known {
  readonly #scopeId: string;
  readonly #most: number;
  readonly #newest = new Map<string, Newest>();
  readonly #planned = new Set<string>();
  #isWhole = true;
  #forgetsPlans = false;

  constructor(scopeId: string, most = MAX_REMEMBERED) {
    this.#scopeId = scopeId;
    this.#most = most;
  }

  note(row: ListedDocument): void {
    const { document_id, version, state } = row;
    if (!this.#newest.has(document_id) && this.#newest.size >= this.#most) {
      this.#isWhole = false;
      return;
    }
    const needsSending = state === 'failed' || state === 'pending';
    this.#newest.set(document_id, { version, print: printOf(row), needsSending });
  }

  /**
   * A key says after which version a content comes. By the content alone, a file that was changed and changed back would
   * have the key of its first version, and that answer again, while the scope kept the second.
   */
  plan({ document }: Draft): Plan {
    const { document_id, text, provenance, idempotency_key } = document;
    if (this.#planned.has(document_id)) return 'twice';
    if (this.#planned.size < this.#most) this.#planned.add(document_id);
    else this.#forgetsPlans = true;
    const newest = this.#newest.get(document_id);
    const print = printOf(document);
    // Another provenance than this says nothing of the text, unless there is none: then there is nothing to process, either.
    const content = text === null ? null : provenanceOf(text);
    const isSame = newest?.print === print && (content === null || provenance === content);
    if (isSame && (content === null || !newest.needsSending)) return 'unchanged';
    if (idempotency_key !== undefined) return { key: idempotency_key };
    // What has failed is sent again with the same content after the same version, and it is another request each time.
    if (isSame || (!newest && !this.#isWhole)) return { key: null };
    const request = [this.#scopeId, document_id, print, content, newest?.version ?? 0];
    return { key: `import-${sha256(JSON.stringify(request))}` };
  }

  /** Whether it was part of this import; null of one that may have been, when there were too many to remember. */
  wasPlanned(documentId: string): boolean | null {
    if (this.#planned.has(documentId)) return true;
    return this.#forgetsPlans ? null : false;
  }
}

function printOf({ name, type, source, provenance }: Omit<ListedDocument, 'document_id' | 'version' | 'state'>) {
  // A hash, since there may be a million of them.
  return sha256(JSON.stringify([name, type, source ?? null, provenance ?? null])).slice(0, 32);
}
