import { describe, expect, it } from 'vitest';
import { parseTraceparent, traceIn } from '../../src/domain/trace.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const right = `00-${traceId}-${parentId}-01`;

describe('a traceparent', () => {
  it.each([
    ['is taken as it is', right, right],
    ['is taken when it is not recorded', `00-${traceId}-${parentId}-00`, `00-${traceId}-${parentId}-00`],
    ['loses flags that nobody knows', `00-${traceId}-${parentId}-ff`, `00-${traceId}-${parentId}-03`],
    ['of a later version is passed on as version 00', `cc-${traceId}-${parentId}-01`, right],
    ['may have more to it in a later version', `cc-${traceId}-${parentId}-01-what-comes`, right],
  ])('%s', (_what, header, traceparent) => {
    expect(parseTraceparent(header)).toEqual({ traceId, parentId, traceparent });
  });

  it.each([
    ['nothing', ''],
    ['words', 'trace me'],
    ['a version that never is', `ff-${traceId}-${parentId}-01`],
    ['more than version 00 has', `${right}-more`],
    ['more without a hyphen', `cc-${traceId}-${parentId}-01more`],
    ['no trace', `00-${'0'.repeat(32)}-${parentId}-01`],
    ['no parent', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['capital letters', right.toUpperCase()],
    ['an id that is too short', `00-${traceId.slice(1)}-${parentId}-01`],
    ['flags that are no figure', `00-${traceId}-${parentId}-0x`],
    ['two of them', `${right}, ${right}`],
    ['a line after it', `${right}\n`],
    ['an end that does not come', `cc-${traceId}-${parentId}-01-${'x'.repeat(500)}`],
  ])('is none: %s', (_what, header) => expect(parseTraceparent(header)).toBeNull());
});

it('is in an event by its id alone, or not at all', () => {
  expect(traceIn(right)).toEqual({ trace_id: traceId });
  expect([traceIn(null), traceIn(undefined)]).toEqual([{}, {}]);
});
