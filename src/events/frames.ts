/** Events as they go over the wire: to operators whole, to tenants without whose they are. */
import { type EventEnvelope, isForTenants } from '../contract/events.ts';

export const laneOf = (tenantId: string, scopeId: string) => `${tenantId} ${scopeId}`;

/** An event that is ready to be sent: written out once, whoever reads it. */
export class Frame {
  readonly id: number;
  readonly type: string;
  readonly tenantId: string | null;
  readonly scopeId: string | null;
  /** Null for what belongs to no scope. */
  readonly lane: string | null;
  readonly text: string;
  #tenantText: string | undefined;

  constructor(event: EventEnvelope) {
    const { id, type, tenant_id, scope_id } = event;
    this.id = Number(id);
    this.type = type;
    this.tenantId = tenant_id;
    this.scopeId = scope_id;
    this.lane = tenant_id !== null && scope_id !== null ? laneOf(tenant_id, scope_id) : null;
    // JSON has no line ends of its own, so one line of data is all of it.
    this.text = `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
  }

  /** What is of no scope is not told to tenants, whatever its type: a key may be limited to some. */
  get isForTenant(): boolean {
    return this.lane !== null && isForTenants(this.type);
  }

  /** As its tenant gets it, made for the first who does. The id is cut out where it first is, before all words of the tenant's own. */
  get tenantText(): string {
    this.#tenantText ??= this.text.replace(`"tenant_id":${JSON.stringify(this.tenantId)},`, '');
    return this.#tenantText;
  }
}

export const toFrame = (event: EventEnvelope) => new Frame(event);

/** Says that events were trimmed away before they could be sent. Whoever resumes after it goes on with what is kept. */
export function gapFrame(after: number, trimmed: number): string {
  const data = { requested_after: String(after), missing_up_to: String(trimmed) };
  return `id: ${trimmed}\nevent: gap\ndata: ${JSON.stringify(data)}\n\n`;
}
