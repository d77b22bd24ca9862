/** A tenant of the real service, who does what a history says and tells what was seen. */
import { purgeSome } from '../../../src/domain/purger.ts';
import type { TestService } from '../../support/service.ts';
import type { Call, Post, Seen } from './model.ts';
import type { Operation } from './model-orders.ts';
import { type Trigger, tookAnswer, type Wait, type Work } from './model-work.ts';
import { SteppedTurn } from './stepped-turn.ts';

const LEASE_ENDS = `update lanes set ready_at = clock_timestamp()
  where tenant_id = $1 and scope_id = $2 and holder is not null and ready_at > clock_timestamp()`;
/** A lane that sleeps longer than the first of its documents has to is left asleep, and found out by that. */
const RETRIES_DUE = `with due as (
    update documents set not_before = now() from scopes
     where tenant_id = $1 and scope_id = $2 and documents.scope_key = scopes.scope_key
       and documents.generation = scopes.generation and documents.state = 'retrying' and not_before > now())
  update lanes set ready_at = now()
   where tenant_id = $1 and scope_id = $2 and holder is null and ready_at > now()
     and ready_at <= coalesce((select min(not_before) from documents
       where documents.scope_key = lanes.scope_key and documents.generation = lanes.generation
         and state = 'retrying'), ready_at)`;

const ROUTES = { ingest: '/api/ingest', store: '/api/documents' };

export class Played {
  readonly #service: TestService;
  readonly #tenantId: string;
  readonly #key: string;
  readonly #turns = new Map<string, SteppedTurn>();

  constructor(service: TestService, { tenantId, key }: { tenantId: string; key: string }) {
    this.#service = service;
    this.#tenantId = tenantId;
    this.#key = key;
  }

  async perform(operation: Operation): Promise<Seen> {
    switch (operation.kind) {
      case 'work':
        return { answer: await this.#work(operation) };
      case 'trigger':
        return this.#trigger(operation);
      case 'lease ends':
      case 'retries due':
        return this.#wait(operation);
      default:
        return this.#call(operation);
    }
  }

  async #call(operation: Call): Promise<Seen> {
    if ('text' in operation) return this.#post(operation);
    const { call, admin } = this.#service;
    const asAdmin = { key: admin, tenantKey: this.#key };
    const { kind, scope } = operation;
    if (!('id' in operation)) {
      if (kind === 'delete scope') return call('DELETE', `/admin/scopes/${scope}`, asAdmin);
      const { status, body } = await call('POST', `/admin/scopes/${scope}/reset`, asAdmin);
      return { status, documents: body.deleted?.documents };
    }
    const path = `/api/documents/${operation.id}?scope_id=${scope}`;
    const { status, body } = await call(kind === 'read' ? 'GET' : 'DELETE', path, { tenantKey: this.#key });
    const { seq, version, attempts, state } = body;
    return { status, seq, version, attempts, state };
  }

  async #post({ kind, scope, id, text, key }: Post): Promise<Seen> {
    const { status, headers, body } = await this.#service.call('POST', ROUTES[kind], {
      tenantId: this.#tenantId,
      body: {
        scope_id: scope,
        name: 'n',
        ...(text !== null && { text }),
        ...(id && { document_id: id }),
        ...(key && { idempotency_key: key }),
      },
    });
    return { status, seq: body.seq, id: body.document_id, replayed: headers.get('idempotency-replayed') === 'true' };
  }

  async #trigger({ scope, retryFailed }: Trigger): Promise<Seen> {
    const { status, body } = await this.#service.call('POST', `/admin/scopes/${scope}/ingest`, {
      key: this.#service.admin,
      tenantKey: this.#key,
      body: { retry_failed: retryFailed },
    });
    const { queued, already_queued, skipped } = body;
    return { status, answer: JSON.stringify({ queued, already_queued, skipped }) };
  }

  async #wait({ kind, scope }: Wait): Promise<Seen> {
    await this.#service.db.query(kind === 'lease ends' ? LEASE_ENDS : RETRIES_DUE, [this.#tenantId, scope]);
    // As good a moment as any to purge what was reset: nobody may see a difference.
    if (kind === 'lease ends') while (await purgeSome(this.#service.db));
    return {};
  }

  async #work({ worker, fate, turns }: Work): Promise<string> {
    const turn = this.#turns.get(worker);
    if (!turn) {
      const begun = await SteppedTurn.begin(this.#service.db, worker, turns);
      if (begun.lanes.length === 0) return 'took nothing';
      this.#turns.set(worker, begun);
      if (begun.lanes.some(({ tenant_id }) => tenant_id !== this.#tenantId)) return 'took what is not ours';
      return tookAnswer(begun.lanes.map(({ scope_id, documents }) => ({ scope: scope_id, documents })));
    }
    while (turn.at) await turn.goOn(fate);
    this.#turns.delete(worker);
    if (fate === 'vanish') return 'vanished';
    if (turn.outcome === 'lost' || !turn.outcome) return String(turn.outcome);
    const { processed, failed, retried, superseded, documents } = turn.outcome;
    return `settled ${JSON.stringify({ processed, failed, retried, superseded, documents })}`;
  }

  /** Leaves nothing to others: no turn in hand, no lane to take. */
  async leave(): Promise<void> {
    for (const turn of this.#turns.values()) while (turn.at) await turn.goOn('vanish');
    await this.#service.db.query('delete from lanes where tenant_id = $1', [this.#tenantId]);
  }
}
