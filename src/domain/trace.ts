/** The W3C trace context that a caller sends along, so that its traces lead through here. What is not valid is as good as not sent. */

export interface Trace {
  traceId: string;
  /** The span of the caller that made the request. */
  parentId: string;
  /** To be passed on: in the form of version 00, whatever it came in. */
  traceparent: string;
}

/** Of 55 characters in version 00; what a later version may add to them is not looked at, and not without end. */
const LONGEST = 512;
const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** Those that we know: that the caller records the trace, and that its id is random. */
const FLAGS = 0b11;

export function parseTraceparent(header: string): Trace | null {
  if (header.length > LONGEST) return null;
  const [, version, traceId = '', parentId = '', flags = '', more] = FORM.exec(header) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return null;
  const known = (Number.parseInt(flags, 16) & FLAGS).toString(16).padStart(2, '0');
  return { traceId, parentId, traceparent: `00-${traceId}-${parentId}-${known}` };
}

/** What events carry of it: nothing when there is none. */
export function traceIn(traceparent: string | null | undefined): { trace_id?: string } {
  return traceparent ? { trace_id: traceparent.slice(3, 35) } : {};
}
