/** What the bench of following counts as a delay, and how it asks for a document that it waits for. */
import { describe, expect, it } from 'vitest';
import { delaysOf } from '../../bench/figures/follow/delays.ts';
import { waitFor } from '../../bench/figures/follow/followed.ts';
import { getOf } from '../../bench/figures/follow/waiters.ts';

describe('delays', () => {
  const known = { askedAt: 10, answeredAt: 35, deliveredAt: 30, settledAt: 20 };

  it('are counted from settling, of either way', () => {
    const other = { askedAt: 11, answeredAt: 29, deliveredAt: 31, settledAt: 21 };
    expect(delaysOf([known, other])).toEqual({ answers: [15, 8], deliveries: [10, 10], late: 0 });
  });

  it('leave out what was settled before anybody asked', () => {
    expect(delaysOf([{ ...known, askedAt: 20 }, known])).toEqual({ answers: [15], deliveries: [10], late: 1 });
  });

  it('are not made up for what was never heard of', () => {
    expect(() => delaysOf([{ ...known, answeredAt: null }])).toThrow('waited for in vain');
    expect(() => delaysOf([{ ...known, deliveredAt: null }])).toThrow('not delivered');
  });
});

it('waits with the key of the tenant', () => {
  const wanted = waitFor({ id: 'ten_1', key: 'its-key' }, { scope_id: 'scope-1', document_id: 'doc_1' });
  expect(getOf(wanted)).toBe(
    'GET /api/documents/doc_1?scope_id=scope-1&wait=60 HTTP/1.1\r\nHost: bench\r\nx-tenant-api-key: its-key\r\n\r\n',
  );
});
