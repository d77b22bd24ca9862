/** 5: a tenant whose scope's row is locked: by a transaction of somebody's, by a worker that stands still, by a long deletion. */
import pg from 'pg';
import { closeLater } from '../../storm/ending.ts';
import { idleInTransaction } from '../../storm/scenarios/05-freeze-worker.ts';
import { sleep, until } from '../../storm/waiting.ts';
import { type Attack, inPieces, type Part, type Scene, type Target } from '../attack.ts';
import { beginDeletion } from '../deletion.ts';
import { flood } from '../flood.ts';
import { requestOf } from '../line.ts';

const POSTING = 8;
const SCOPE = 'locked';
/** What takes longer than this had to wait for a lock. */
const WAITED_MS = 500;
/** A frozen worker is thawed before Postgres ends its transaction by itself. */
const FROZEN_MS = 8000;
const FREEZE_TRIES = 100;
const STANDS_MS = 400;

/** Posts to one scope, again and again; how often that had to wait, or was refused. */
async function post({ url, tenant }: Target, isOver: () => boolean): Promise<number> {
  const body = JSON.stringify({ scope_id: SCOPE, name: 'paper', text: 'Stone or river?' });
  const request = requestOf({ path: '/api/ingest', headers: { 'X-Tenant-ID': tenant.id }, body });
  // More would be a flood, which is another attack.
  const answers = await flood({ callers: POSTING, url, isOver, request: () => request, pauseMs: 20 });
  return answers.filter(({ status, ms }) => ms > WAITED_MS || ![0, 202].includes(status)).length;
}

const row: Part = {
  name: 'a row held by psql',
  what: "a transaction that holds the attacker's scope, to which it posts",
  prepare: makeScope,
  strike: async (target, isOver) => ({ 'posts that waited or were refused': await post(target, isOver) }),
  async alongside({ deployment, tenant }) {
    const client = await connect(deployment);
    await client.query('begin');
    await client.query(LOCK_SCOPE, [tenant.id, SCOPE]);
    return async () => {
      await client.end();
      return {};
    };
  },
};

const worker: Part = {
  name: 'a frozen worker',
  what: 'SIGSTOP of a worker in the middle of a transaction',
  prepare: makeScope,
  strike: async (target, isOver) => {
    await post(target, isOver);
    return {};
  },
  async alongside(scene) {
    let freezes = (await freezeInTransaction(scene)) ? 1 : 0;
    const goOn = async () => {
      while (!(await until(scene.isOver, FROZEN_MS))) {
        thaw(scene);
        if (await freezeInTransaction(scene)) freezes++;
      }
      thaw(scene);
    };
    const going = goOn();
    return async () => {
      await going;
      return { bites: { freezes } };
    };
  },
};

const workerOf = ({ deployment }: Scene) => deployment.nodes.find(({ role }) => role === 'worker');
const thaw = (scene: Scene) => workerOf(scene)?.signal('SIGCONT');

/** True when it stands still in one; otherwise it is thawed and frozen again, many times. */
async function freezeInTransaction(scene: Scene): Promise<boolean> {
  for (let n = 0; n < FREEZE_TRIES && !scene.isOver(); n++) {
    workerOf(scene)?.signal('SIGSTOP');
    await sleep(100);
    if ((await idleInTransaction(scene.deployment)) > 0 && (await holdsTheScope(scene))) return true;
    thaw(scene);
    await sleep(10 + Math.random() * 40);
  }
  return false;
}

/**
 * Whether the row of the scope is held by a transaction that stands still. Others may be slow on a busy machine: somebody who
 * wants the row has to wait all the while, and for one that does nothing.
 */
async function holdsTheScope({ deployment, tenant }: Scene): Promise<boolean> {
  const client = await connect(deployment);
  await client.query(`set lock_timeout = ${2 * STANDS_MS}`);
  const granted = client.query(LOCK_SCOPE, [tenant.id, SCOPE]).then(
    () => true,
    () => false,
  );
  await sleep(STANDS_MS);
  const blocked = await deployment.ask(
    `select from pg_stat_activity waiting
       join pg_stat_activity holder on holder.pid = any (pg_blocking_pids(waiting.pid))
      where waiting.wait_event_type = 'Lock' and holder.state = 'idle in transaction'
        and holder.state_change < clock_timestamp() - $1 * interval '1 ms'`,
    [STANDS_MS],
  );
  const isHeld = !(await granted);
  await client.end();
  return isHeld && blocked.length > 0;
}

const LOCK_SCOPE = 'select from scopes where tenant_id = $1 and scope_id = $2 for no key update';

async function connect({ postgres }: Scene['deployment']): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgres.url() as string });
  client.on('error', () => {});
  closeLater(() => client.end());
  await client.connect();
  return client;
}

const versionsOf = (long: boolean) => (long ? 200_000 : 50_000);
const DOCUMENT = 'many';

const deletion: Part = {
  name: 'a document with many versions deleted',
  what: 'DELETE of a document with 50,000 versions (200,000 in the long form), while its tenant posts to the scope',
  async prepare(scene) {
    const versions = versionsOf(scene.long);
    await makeScope(scene, versions);
    const { deployment, tenant } = scene;
    const values = [tenant.id, SCOPE];
    await inPieces(versions, 20_000, async (from, to) => {
      await deployment.ask(
        `insert into documents (scope_key, generation, seq, document_id, version, state, content_sha256, queued_at, finished_at)
         select scope_key, generation, n, $3, n + 1, case n when $6 - 1 then 'processed' else 'superseded' end,
                sha256(n::text::bytea), now(), now()
           from scopes cross join generate_series($4::int, $5::int) n where tenant_id = $1 and scope_id = $2`,
        [...values, DOCUMENT, from, to, versions],
      );
      await deployment.ask(
        `insert into document_contents (scope_key, generation, seq, name, type, text)
         select scope_key, generation, n, 'paper', 'txt', 'Stone or river, ' || n || '?'
           from scopes cross join generate_series($3::int, $4::int) n where tenant_id = $1 and scope_id = $2`,
        [...values, from, to],
      );
    });
  },
  strike: async (target, isOver) => {
    await post(target, isOver);
    return {};
  },
  async alongside(scene) {
    const complaints = beginDeletion(scene, `/api/documents/${DOCUMENT}?scope_id=${SCOPE}`);
    return async () => ({
      bites: { 'versions to delete': versionsOf(scene.long) },
      complaints: await complaints(),
    });
  },
};

/** The scope is there before, so that nobody has to make it, and says what it holds. */
async function makeScope({ deployment, tenant }: Scene, versions = 0): Promise<void> {
  await deployment.ask(
    `insert into scopes (tenant_id, scope_id, name, next_seq, processed, superseded)
     values ($1, $2, $2, $3::int, least($3::int, 1), greatest($3::int - 1, 0))`,
    [tenant.id, SCOPE, versions],
  );
}

export const locked: Attack = {
  number: 5,
  name: 'locked',
  roles: ['all', 'worker'],
  parts: [row, worker, deletion],
};
