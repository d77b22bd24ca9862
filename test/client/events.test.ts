/** events(): nothing is missed and nothing comes twice, however often it is cut off. */
import { describe, expect, it } from 'vitest';
import {
  ConnectionError,
  type DocketEvent,
  type EventsOptions,
  NotFoundError,
  UnauthorizedError,
  ValidationError,
} from '../../client/src/index.ts';
import { signToken } from '../../src/domain/stream-token-format.ts';
import { newClient, newCutClient, type TestClient } from '../support/client.ts';
import { later } from '../support/later.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const service = await startTestService();

/** Follows in the background; what came so far, and how it ended. */
function follow({ docket }: TestClient, options: EventsOptions = {}) {
  const stopping = new AbortController();
  later(() => stopping.abort());
  const events: DocketEvent[] = [];
  const ended = (async () => {
    for await (const event of docket.events({ lastEventId: '0', ...options, signal: stopping.signal }))
      events.push(event);
  })();
  ended.catch(() => {});
  const about = () =>
    events.map((event) => {
      if (event.type === 'document.queued' || event.type === 'document.deleted') return event.payload.document_id;
      return event.type;
    });
  const shows = (wanted: string[]) =>
    until(about, (seen) => seen.length >= wanted.length).then((seen) => expect(seen).toEqual(wanted));
  return { events, shows, ended, stop: () => stopping.abort() };
}

const post = ({ docket }: TestClient, scope_id: string, document_id: string) =>
  docket.ingest({ scope_id, name: 'n', text: 't', document_id });

describe('a stream', () => {
  it('gives what there was and what comes, until its signal is given', async () => {
    const client = await newClient(service);
    await post(client, 's', 'first');
    const following = follow(client);
    await following.shows(['scope.created', 'first']);
    await post(client, 's', 'second');
    await following.shows(['scope.created', 'first', 'second']);
    expect(following.events[1]).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      scope_id: 's',
      payload: { seq: 0 },
    });
    following.stop();
    await following.ended;
  });

  it('goes on after the last event when it is cut off', async () => {
    const client = await newCutClient(service);
    const sender = await newClient(service, { tenant: client.tenant });
    await post(sender, 's', '0');
    const following = follow(client, { types: ['document.*'] });
    const wanted = ['0'];
    for (let n = 1; n <= 2; n++) {
      await following.shows(wanted);
      client.proxy.down();
      await post(sender, 's', String(n));
      client.proxy.up();
      wanted.push(String(n));
    }
    await following.shows(wanted);
  });

  it('is taken up again when it falls silent', async () => {
    const client = await newCutClient(service);
    const sender = await newClient(service, { tenant: client.tenant });
    const following = follow(client, { silenceMs: 300, types: ['document.*'] });
    await post(sender, 's', 'first');
    await following.shows(['first']);
    client.proxy.stall();
    await post(sender, 's', 'second');
    await until(
      () => client.attempts.length,
      (n) => n > 2,
    );
    client.proxy.up();
    await following.shows(['first', 'second']);
  });

  it('is of one scope and of some types, and begins where it is told to', async () => {
    const client = await newClient(service);
    await post(client, 'one', 'a');
    await post(client, 'two', 'b');
    const all = follow(client);
    await all.shows(['scope.created', 'a', 'scope.created', 'b']);
    await follow(client, { scopeId: 'two' }).shows(['scope.created', 'b']);
    await follow(client, { types: ['scope.*'] }).shows(['scope.created', 'scope.created']);
    await follow(client, { lastEventId: all.events[1]?.id }).shows(['scope.created', 'b']);
  });

  it('tells of a gap', async () => {
    const node = await startTestService();
    const client = await newClient(node);
    await post(client, 's', 'gone');
    const { rows } = await node.db.query<{ id: string }>('select max(event_id) as id from events');
    await post(client, 's', 'kept');
    await node.db.query(
      `with gone as (delete from events where event_id <= $1 returning event_id)
      update event_log set trimmed_up_to = (select max(event_id) from gone)`,
      [rows[0]?.id],
    );
    const fresh = await startTestService({ settings: { DATABASE_URL: node.databaseUrl } });
    const following = follow(await newClient(fresh, { tenant: client.tenant }), { lastEventId: '1' });
    await following.shows(['gap', 'kept']);
    expect(following.events[0]).toEqual({
      id: rows[0]?.id,
      type: 'gap',
      requested_after: '1',
      missing_up_to: rows[0]?.id,
    });
  });
});

describe('with tokens', () => {
  it('asks for another whenever one has ended, and has no key', async () => {
    const { tenant, ...owner } = await newClient(service);
    const client = await newClient(service, { tenant, key: undefined });
    let tokens = 0;
    const token = async () => {
      tokens++;
      return signToken(tenant.key, 's', Date.now() + 1500).token;
    };
    await post({ tenant, ...owner }, 's', 'first');
    const following = follow(client, { scopeId: 's', token, types: ['document.*'] });
    await following.shows(['first']);
    await until(
      () => tokens,
      (n) => n > 2,
    );
    await post({ tenant, ...owner }, 's', 'second');
    await following.shows(['first', 'second']);
    following.stop();
    await following.ended;
  });

  it('ends when every token is refused', async () => {
    const client = await newClient(service);
    const following = follow(client, { token: async () => 'dt_wrong' });
    await expect(following.ended).rejects.toBeInstanceOf(UnauthorizedError);
    expect(client.statuses).toEqual([401, 401]);
  });

  it('does not wait for ever for a token, and ends with its signal meanwhile', async () => {
    const client = await newClient(service, { maxRetries: 1 });
    const token = () => new Promise<string>(() => {});
    const impatient = follow(client, { token, silenceMs: 50 });
    await expect(impatient.ended).rejects.toThrow('nothing was heard for 0.05 s');
    const patient = follow(client, { token });
    patient.stop();
    await patient.ended;
    expect(client.attempts).toEqual([]);
  });

  it('ends with what asking for a token fails with, also when it was open before', async () => {
    const client = await newClient(service);
    await post(client, 's', 'first');
    let asked = 0;
    const token = async () => {
      if (asked++ > 0) throw new Error('no token today');
      return signToken(client.tenant.key, 's', Date.now() + 1500).token;
    };
    await expect(follow(client, { scopeId: 's', token }).ended).rejects.toThrow('no token today');
    expect(asked).toBe(2);
  });
});

describe('what is refused', () => {
  it('ends it', async () => {
    const client = await newClient(service);
    const wrong = await newClient(service, { tenant: { ...client.tenant, key: 'dk_wrong' } });
    await expect(follow(wrong).ended).rejects.toBeInstanceOf(UnauthorizedError);
    await expect(follow(client, { scopeId: 'no-such-scope' }).ended).rejects.toBeInstanceOf(NotFoundError);
    await expect(follow(client, { types: ['nonsense'] }).ended).rejects.toBeInstanceOf(ValidationError);
  });

  it('fails as any call does when nobody ever answered', async () => {
    const client = await newCutClient(service, { maxRetries: 2 });
    client.proxy.down();
    await expect(follow(client).ended).rejects.toBeInstanceOf(ConnectionError);
  });

  it('ends it when the scope is deleted', async () => {
    const client = await newClient(service);
    await post(client, 'brief', 'a');
    const following = follow(client, { scopeId: 'brief' });
    await following.shows(['scope.created', 'a']);
    const { key } = client.tenant;
    await service.call('DELETE', '/admin/scopes/brief', { key: service.admin, tenantKey: key });
    await until(
      () => following.events.at(-1)?.type,
      (type) => type === 'scope.deleted',
    );
    following.stop();
    await following.ended;
  });
});
