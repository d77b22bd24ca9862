/** An event as a line for people: when, what, where, and what its payload says. */
import { harmless, painter, plain, type Style } from '../terminal.ts';

/** Not the contract's type: who reads a stream takes what comes, also from a service that is newer. */
export interface ShownEvent {
  ts: string;
  type: string;
  /** Tenants are not told it. */
  tenant_id?: string | null;
  scope_id: string | null;
  payload: Record<string, unknown>;
}

export interface LineOptions {
  colours: boolean;
  /** Whether to say whose scope it is. */
  tenants: boolean;
}

const TYPE_WIDTH = 'contradiction.reported'.length;

/** Members that are clear without their name. */
const brief: Record<string, (value: string) => string> = {
  document_id: (value) => value,
  contradiction_id: (value) => value,
  worker_id: (value) => value,
  key_prefix: (value) => value,
  version: (value) => `v${value}`,
  seq: (value) => `seq ${value}`,
};

export function eventLine({ ts, type, tenant_id, scope_id, payload }: ShownEvent, options: LineOptions): string {
  const where = [options.tenants ? tenant_id : null, scope_id].filter((id) => typeof id === 'string').join('/');
  const what = Object.entries(payload).map(([name, value]) => {
    const text = plain(value);
    return brief[name]?.(text) ?? `${harmless(name)}=${text}`;
  });
  const paint = painter(options.colours);
  return [
    paint('dim', harmless(ts).replace('T', ' ')),
    paint(styleOf(type), harmless(type).padEnd(TYPE_WIDTH)),
    paint('cyan', harmless(where) || '-'),
    what.join(' '),
  ]
    .join('  ')
    .trimEnd();
}

/** Events were trimmed away before they could be read. */
export function gapLine(data: { requested_after?: unknown; missing_up_to?: unknown }, colours: boolean): string {
  const [after, upTo] = [plain(data.requested_after), plain(data.missing_up_to)];
  return painter(colours)('yellow', `--- gap: events after ${after} up to ${upTo} are no longer kept ---`);
}

function styleOf(type: string): Style {
  if (/\.(failed|crashed)$/.test(type)) return 'red';
  if (/\.(processed|resolved|started|resumed)$/.test(type)) return 'green';
  if (/\.(deleted|reset|revoked|paused|stopped)$/.test(type)) return 'yellow';
  return 'bold';
}
