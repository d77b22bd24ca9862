/** 5: a tenant whose scope is held: by a transaction of somebody's, by a worker that stands still, by a long deletion. */
import pg from 'pg';
import { nodeIdOf } from '../../storm/deployment.ts';
import { closeLater } from '../../storm/ending.ts';
import type { Node } from '../../storm/node.ts';
import { sleep, until } from '../../storm/waiting.ts';
import { type Attack, inPieces, type Part, type Scene, type Target } from '../attack.ts';
import { beginDeletion } from '../deletion.ts';
import { flood } from '../flood.ts';
import { requestOf } from '../line.ts';

const POSTING = 8;
const SCOPE = 'locked';
/** What takes longer than this had to wait for a lock. */
const WAITED_MS = 500;
/** A frozen worker is thawed after this, and frozen again. */
const FROZEN_MS = 8000;
const FREEZE_TRIES = 100;

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
  what: 'SIGSTOP of a worker in the middle of a turn',
  prepare: makeScope,
  strike: async (target, isOver) => {
    await post(target, isOver);
    return {};
  },
  async alongside(scene) {
    const nodeId = await nodeIdOf(scene.deployment, workerOf(scene));
    let freezes = (await freezeInWork(scene, nodeId)) ? 1 : 0;
    const goOn = async () => {
      while (!(await until(scene.isOver, FROZEN_MS))) {
        thaw(scene);
        if (await freezeInWork(scene, nodeId)) freezes++;
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

function workerOf({ deployment }: Scene): Node {
  const node = deployment.nodes.find(({ role }) => role === 'worker');
  if (!node) throw new Error('there is no worker to be frozen');
  return node;
}
const thaw = (scene: Scene) => workerOf(scene).signal('SIGCONT');

/** True when it stands still with the scope's lane in hand; otherwise it is thawed and frozen again, many times. */
async function freezeInWork(scene: Scene, nodeId: string): Promise<boolean> {
  for (let n = 0; n < FREEZE_TRIES && !scene.isOver(); n++) {
    workerOf(scene).signal('SIGSTOP');
    // What it had sent already may still be settled.
    await sleep(100);
    if (await isInWork(scene, nodeId)) return true;
    thaw(scene);
    await sleep(10 + Math.random() * 40);
  }
  return false;
}

async function isInWork({ deployment, tenant }: Scene, nodeId: string): Promise<boolean> {
  const lanes = await deployment.ask(
    `select from lanes where tenant_id = $1 and scope_id = $2 and holder like $3 || '-%'`,
    [tenant.id, SCOPE, nodeId],
  );
  return lanes.length > 0;
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
