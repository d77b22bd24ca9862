/** Backups and dumps under load, restored and loaded elsewhere, with the books settled as after a storm. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Chance } from '../../storm/chance.ts';
import { type Deployment, deploy } from '../../storm/deployment.ts';
import { enclosed } from '../../storm/ending.ts';
import { newFolder } from '../../storm/folder.ts';
import { type Entry, Journal } from '../../storm/journal.ts';
import { Load } from '../../storm/load.ts';
import { readBooks } from '../../storm/oracle/books.ts';
import { settleBooks, timeUntilQuiet } from '../../storm/oracle/quiet.ts';
import { settle } from '../../storm/oracle/settle.ts';
import type { Verdict } from '../../storm/oracle/verdict.ts';
import { NODE, start } from '../support/process.ts';
import { until } from '../support/until.ts';

const REST_MS = 120_000;
const settings = { LANE_LEASE_MS: '2000' };
const run = (command: string, env: Record<string, string>, ...args: string[]) =>
  start([NODE, `src/cli/${command}.ts`, ...args], env).ended;

const findings = ({ examples, counts }: Verdict) => ({ examples, counts: Object.values(counts).filter((n) => n > 0) });
const CLEAN = { examples: [], counts: [] };

/** Nothing new is sent, and all that was has its answer. */
async function rest(load: Load): Promise<void> {
  await load.pause();
  let idle = 0;
  const look = () => {
    idle = load.inFlight === 0 ? idle + 1 : 0;
    return idle;
  };
  // What is sent again waits for a moment before that.
  await until(look, (looks) => looks > 100);
}

/** What was accepted before must be there, as it was answered; of what came in between each may be there or not. */
async function settleCopy(copy: Deployment, journal: Journal, sure: Set<Entry>): Promise<Verdict> {
  await timeUntilQuiet(copy, REST_MS);
  const books = await readBooks(copy, null);
  const there = new Set(
    books.scopes.flatMap(({ tenantId, scopeId, documents }) =>
      documents.map(({ name }) => `${tenantId} ${scopeId} ${name}`),
    ),
  );
  const entries = journal.entries.map((entry) =>
    sure.has(entry) || there.has(`${entry.tenant.id} ${entry.scopeId} ${entry.name}`)
      ? entry
      : { ...entry, accepted: null },
  );
  return settle(entries, books);
}

it.each([
  ['backup', 'restore'],
  ['dump', 'load'],
])('a %s under load loses nothing, brings nothing twice, and what is left is processed after the %s', (save, bring) =>
  enclosed(async () => {
    const dataDir = join(newFolder('saved'), 'data');
    const first = await deploy({ source: process.cwd(), backend: 'postgres', processes: 1, dataDir, settings });
    let at = first;
    const journal = new Journal(join(first.folder, 'journal.jsonl'));
    const { tenants } = first;
    const load = new Load({
      urls: () => at.urls(),
      tenants,
      scopes: 4,
      perSecond: 150,
      chance: new Chance(21),
      journal,
      // Longer to read, so that some always wait and some are always in hand.
      filler: ' Stone or river?'.repeat(200),
    });
    load.start();
    const accepted = () => journal.entries.filter((entry) => entry.accepted);
    await until(
      () => accepted().length,
      (n) => n > 500,
    );

    const sure = new Set(accepted());
    const file = join(first.folder, 'saved');
    const saved = await run(save, { DATA_DIR: dataDir }, file);
    expect(saved).toMatchObject({ code: 0 });
    const sentMeanwhile = accepted().length - sure.size;
    expect(sentMeanwhile).toBeGreaterThan(0);
    await until(
      () => accepted().length,
      (n) => n > sure.size + sentMeanwhile + 200,
    );
    await rest(load);
    expect(journal.odd).toEqual([]);
    // The service itself has not suffered.
    expect(findings(await settleBooks(first, journal, null, REST_MS))).toEqual(CLEAN);
    for (const node of first.nodes) await node.end(20_000);

    const copyDir = join(newFolder('copy'), 'data');
    expect(await run(bring, { DATA_DIR: copyDir }, file)).toMatchObject({ code: 0 });
    const copy = await deploy({
      source: process.cwd(),
      backend: 'postgres',
      processes: 1,
      dataDir: copyDir,
      settings,
      tenants: 0,
    });
    copy.tenants.push(...tenants);
    expect(findings(await settleCopy(copy, journal, sure))).toEqual(CLEAN);

    // It goes on: what comes now is taken and processed among what was there.
    at = copy;
    const before = new Set(journal.entries);
    load.start();
    await until(
      () => journal.entries.filter((entry) => entry.accepted && !before.has(entry)).length,
      (n) => n > 300,
    );
    await load.finish(60_000);
    for (const entry of journal.entries) if (entry.accepted && !before.has(entry)) sure.add(entry);
    expect(findings(await settleCopy(copy, journal, sure))).toEqual(CLEAN);
  }),
);
