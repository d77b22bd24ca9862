/** What the page keeps and notes while things go on, without a browser: events, names, nodes, and whether anybody answers. */
import { describe, expect, it } from 'vitest';
import { connection, note, Problem } from '../../console/core/api.js';
import { Recent } from '../../console/core/recent.js';
import { chosenBy } from '../../console/parts/tenant-field.js';
import { EventLog } from '../../console/views/event-log.js';

describe('the log of events', () => {
  let at = 0;
  const add = (log: EventLog, n: number, tenant_id: string, type = 'document.queued') => {
    for (let one = 0; one < n; one++) log.add({ id: `${++at}`, type, tenant_id, scope_id: 's', payload: {} });
  };
  const shown = (log: EventLog) => log.shown().map(({ tenant_id }: { tenant_id: string }) => tenant_id);

  it('that is held shows what it had, however much comes and whatever is chosen', () => {
    const log = new EventLog();
    add(log, 3, 'ten_1');
    add(log, 1, 'ten_1', 'scope.created');
    log.hold(true);
    add(log, 6000, 'ten_2');
    expect([log.shown().length, log.waiting]).toEqual([4, 6000]);
    log.choose({ tenant: undefined, scope: undefined, family: 'scope' });
    expect([log.isHeld, log.shown().length, log.waiting]).toEqual([true, 1, 0]);
    // As when another scope is followed.
    log.clear();
    log.choose({ tenant: undefined, scope: undefined, family: undefined });
    expect(log.shown()).toHaveLength(4);
    log.hold(false);
    expect(log.shown()).toHaveLength(0);
  });

  it('loses nothing of a tenant that is quiet to one that is not, once it is chosen', () => {
    const log = new EventLog();
    add(log, 1, 'ten_quiet');
    log.choose({ tenant: 'ten_quiet', scope: undefined, family: undefined });
    add(log, 6000, 'ten_loud');
    add(log, 1, 'ten_quiet');
    expect(shown(log)).toEqual(['ten_quiet', 'ten_quiet']);
    log.hold(true);
    add(log, 6000, 'ten_loud');
    expect([log.shown().length, log.waiting]).toEqual([2, 0]);
    log.hold(false);
    log.choose({ tenant: undefined, scope: undefined, family: undefined });
    expect(log.shown()).toHaveLength(5000);
    log.addGap({ from: '2026-11-17T22:00:00.000Z' });
    log.choose({ tenant: 'ten_nobody', scope: undefined, family: undefined });
    expect(log.shown()).toMatchObject([{ type: 'gap' }]);
  });
});

it('a tenant is chosen as it is offered, by its id, or by a name that is its own', () => {
  const list = [
    { tenant_id: 'ten_1', name: 'Acme' },
    { tenant_id: 'ten_2', name: 'Twin' },
    { tenant_id: 'ten_3', name: 'Twin' },
    { tenant_id: 'own-id', name: 'Old' },
  ];
  const chosen = (text: string) => chosenBy(text, list).tenantId;
  expect(['Acme · ten_1', 'acme', ' ten_2 ', 'Twin · ten_3', 'own-id'].map(chosen)).toEqual([
    ...['ten_1', 'ten_1', 'ten_2', 'ten_3', 'own-id'],
  ]);
  // One of ten thousand, of which a thousand are offered; and nobody in particular.
  expect([chosen('ten_9999'), chosen('')]).toEqual(['ten_9999', '']);
  expect(chosenBy('twin', list).problem).toContain('Several');
  expect(chosenBy('Acm', list).problem).toContain('Give its id');
});

it('the service is away when nothing is answered, and not when one route is slow', () => {
  const nobody = new Problem(502, 'unreachable', 'It did not answer in time.');
  const asked = performance.now() - 30_000;
  note(null);
  note(nobody, asked);
  expect(connection.value.state).toBe('up');
  note(nobody);
  expect(connection.value).toMatchObject({ state: 'away', detail: 'It did not answer in time.' });
  note(new Problem(404, 'not_found', 'There is no such scope.'));
  expect(connection.value.state).toBe('up');
});

it('what was counted of late is told apart by the ids of nodes, also of those that began in the same second', () => {
  const recent = new Recent('seconds');
  const told = (id: string, fast: number, slow: number) => `docket_node_info{node_id="${id}"} 1
seconds_bucket{le="0.1"} ${fast}
seconds_bucket{le="1"} ${fast + slow}
seconds_bucket{le="+Inf"} ${fast + slow}
`;
  recent.percentiles(told('a', 0, 0), 100);
  // Taken for one, they would have counted 500 quick ones within two seconds.
  expect(recent.percentiles(told('b', 500, 0), 102)).toEqual([null, null]);
  expect(recent.percentiles(told('a', 0, 1), 104)[0]).toBeGreaterThan(100);
});
