/** An event as a line for people: when, what, where, and what its payload says. */
import { styleText } from 'node:util';

/** Not the contract's type: who reads a stream takes what comes, also from a service that is newer. */
export interface ShownEvent {
  ts: string;
  type: string;
  tenant_id: string | null;
  scope_id: string | null;
  payload: Record<string, unknown>;
}

export interface LineOptions {
  colours: boolean;
  /** Whether to say whose scope it is. */
  tenants: boolean;
}

type Style = Parameters<typeof styleText>[0];

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
  const where = [options.tenants ? tenant_id : null, scope_id].filter((id) => id !== null).join('/');
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

const painter = (colours: boolean) => (style: Style, text: string) =>
  colours ? styleText(style, text, { validateStream: false }) : text;

function styleOf(type: string): Style {
  if (/\.(failed|crashed)$/.test(type)) return 'red';
  if (/\.(processed|resolved|started|resumed)$/.test(type)) return 'green';
  if (/\.(deleted|reset|revoked|paused|stopped)$/.test(type)) return 'yellow';
  return 'bold';
}

/** Quoted where it would run into its neighbours. */
function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const isOneWord = typeof value !== 'string' || /^[^\s"=]+$/.test(value);
  return harmless(isOneWord ? text : JSON.stringify(value));
}

/** Tenants choose names: none may move the cursor of an operator, or turn a line around. */
export const harmless = (text: string) =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
