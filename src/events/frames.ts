/** Events as they go over the wire. */
import type { EventEnvelope } from '../contract/events.ts';

/** An event that is ready to be sent: written out once, whoever reads it. */
export interface Frame {
  id: number;
  type: string;
  /** Null for what belongs to no scope. */
  lane: string | null;
  text: string;
}

export const laneOf = (tenantId: string, scopeId: string) => `${tenantId} ${scopeId}`;

export function toFrame(event: EventEnvelope): Frame {
  const { id, type, tenant_id, scope_id } = event;
  return {
    id: Number(id),
    type,
    lane: tenant_id !== null && scope_id !== null ? laneOf(tenant_id, scope_id) : null,
    // JSON has no line ends of its own, so one line of data is all of it.
    text: `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(event)}\n\n`,
  };
}

/** Says that events were trimmed away before they could be sent. Whoever resumes after it goes on with what is kept. */
export function gapFrame(after: number, trimmed: number): string {
  const data = { requested_after: String(after), missing_up_to: String(trimmed) };
  return `id: ${trimmed}\nevent: gap\ndata: ${JSON.stringify(data)}\n\n`;
}
