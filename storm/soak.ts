/** The soak: a steady load for an hour, and whether the service at its end is what it was at its start. */
import { join } from 'node:path';
import { Chance } from './chance.ts';
import { type Deployment, deploy } from './deployment.ts';
import { enclosed } from './ending.ts';
import { Gauges } from './gauges.ts';
import { type Entry, Journal, quantile, type Sent } from './journal.ts';
import { Load } from './load.ts';
import type { Options } from './options.ts';
import { timeUntilQuiet } from './oracle/quiet.ts';
import { machine, say } from './report.ts';
import { sleep, until } from './waiting.ts';

/** Of what the machine takes. */
const SHARE = 0.6;
/** The outside client is one process, and has to have time to spare. */
const MAX_PER_SECOND = 400;
/** Until code is compiled and caches hold what they will, and scopes are beyond what is kept of them in memory: twelve minutes. */
const WARM_UP_MS = 720_000;
const PROBE_DOCUMENTS = 3000;
const SAMPLE_MS = 2000;
/** What is compared is the first and the last sixth. Postgres makes a checkpoint in each: for some minutes after one, more is logged. */
const PARTS = 6;
/** Postgres makes none more often. */
const MIN_CHECKPOINT_S = 30;
const MAX_RATIO = 1.1;
const QUIET_MS = 120_000;

/** Keeps latencies only: what was accepted in an hour would not fit. Plain numbers, or its own memory would slow it down. */
class Latencies extends Journal {
  readonly #seen = new WeakSet<Entry>();
  readonly #at: number[] = [];
  readonly #ms: number[] = [];
  #sinceAsked = 0;
  accepted = 0;
  /** What was said instead of accepting, and how often. */
  readonly refusals = new Map<string, number>();

  override open(): void {}

  override note(entry: Entry, { at, ms, status, error }: Sent): void {
    if (status !== 202) {
      const said = `${status ?? 'no answer'}: ${error}`;
      this.refusals.set(said, (this.refusals.get(said) ?? 0) + 1);
    } else {
      if (!this.#seen.has(entry)) this.accepted++;
      this.#seen.add(entry);
      this.#at.push(at);
      this.#ms.push(ms);
    }
  }

  between(from: number, to: number): number[] {
    return this.#ms.filter((_, n) => (this.#at[n] as number) >= from && (this.#at[n] as number) < to).sort(ascending);
  }

  sinceAsked(): number[] {
    const ms = this.#ms.slice(this.#sinceAsked);
    this.#sinceAsked = this.#ms.length;
    return ms.sort(ascending);
  }
}

const ascending = (a: number, b: number) => a - b;

export function runSoak({ minutes, seed }: Options, source: string): Promise<number> {
  return enclosed(async () => {
    say(
      `a soak of ${minutes} minutes on ${machine()}; again: npm run storm -- soak --minutes ${minutes} --seed ${seed}`,
    );
    const deployment = await deploy({ source, backend: 'postgres', processes: 1 });
    const journal = new Latencies(join(deployment.folder, 'unused'));
    const { urls, tenants } = deployment;
    const checkpointS = Math.max(MIN_CHECKPOINT_S, Math.round((minutes * 60) / PARTS));
    await deployment.ask(`alter system set checkpoint_timeout = '${checkpointS}s'`);
    await deployment.ask('select pg_reload_conf()');
    const chance = new Chance(seed);
    const load = new Load({ urls, tenants, scopes: 10, perSecond: 1, chance, journal });
    const capacity = await probe(deployment, load);
    load.perSecond = Math.min(MAX_PER_SECOND, Math.max(5, Math.round(SHARE * capacity)));
    say(`it takes and processes ${capacity.toFixed(0)} documents a second; the load is ${load.perSecond}`);

    load.start();
    await sleep(Math.min(WARM_UP_MS, minutes * 24_000));
    const memory: { at: number; mb: number }[] = [];
    const began = performance.now();
    const beganInPostgres = await timeInPostgres(deployment);
    const gauges = new Gauges(deployment);
    await gauges.read();
    journal.sinceAsked();
    const endAt = began + minutes * 60_000;
    for (let n = 0; performance.now() < endAt; n++) {
      memory.push({ at: performance.now(), mb: deployment.nodes[0]?.memory() ?? 0 });
      if (n % 30 === 29) {
        const minute = ((performance.now() - began) / 60_000).toFixed(0);
        const accepting = journal.sinceAsked();
        const [p50, p99] = [0.5, 0.99].map((share) => quantile(accepting, share).toFixed(1));
        const own = `${memory.at(-1)?.mb.toFixed(0)} MB, accepting p50 ${p50} ms, p99 ${p99}`;
        say(`  … ${minute} min: ${own}; ${await gauges.read()}`);
      }
      await sleep(SAMPLE_MS);
    }
    await load.finish(60_000);
    const isQuiet = (await timeUntilQuiet(deployment, QUIET_MS)) !== null;

    const part = (endAt - began) / PARTS;
    const windows = { first: [began, began + part], last: [endAt - part, endAt] } as const;
    const figures = { first: {} as Record<string, number>, last: {} as Record<string, number> };
    for (const which of ['first', 'last'] as const) {
      const [from, to] = windows[which];
      const accepting = journal.between(from, to);
      const mb = memory.filter(({ at }) => at >= from && at < to).map((sample) => sample.mb);
      figures[which] = {
        'memory MB': mb.reduce((sum, one) => sum + one, 0) / mb.length,
        'accepting p50 ms': quantile(accepting, 0.5),
        'accepting p99 ms': quantile(accepting, 0.99),
        ...(await processing(deployment, beganInPostgres + from - began, beganInPostgres + to - began)),
      };
    }
    return report(figures.first, figures.last, isQuiet, journal, await countWrong(deployment, journal));
  });
}

/** Documents a second that are accepted and processed, when as many come as can. */
async function probe(deployment: Deployment, load: Load): Promise<number> {
  const began = performance.now();
  for (let n = 0; n < PROBE_DOCUMENTS; n += 100) {
    load.burst(100);
    await until(() => load.inFlight < 50, 30_000, 2);
  }
  await until(() => load.inFlight === 0, 30_000);
  if ((await timeUntilQuiet(deployment, QUIET_MS)) === null) throw new Error('the probe was not processed in time');
  return PROBE_DOCUMENTS / ((performance.now() - began) / 1000);
}

async function timeInPostgres(deployment: Deployment): Promise<number> {
  const [row] = await deployment.ask('select extract(epoch from clock_timestamp())::float8 * 1000 as ms');
  return row.ms;
}

/** From being queued to being done, of what was queued in a span of Postgres's time. */
async function processing(deployment: Deployment, from: number, to: number): Promise<Record<string, number>> {
  const [row] = await deployment.ask(
    `select percentile_cont(0.5) within group (order by ms) as p50, percentile_cont(0.99) within group (order by ms) as p99
       from (select extract(epoch from finished_at - queued_at)::float8 * 1000 as ms from documents
              where queued_at >= to_timestamp($1) and queued_at < to_timestamp($2)) took`,
    [from / 1000, to / 1000],
  );
  return { 'processing p50 ms': row.p50, 'processing p99 ms': row.p99 };
}

/** Books that need no journal: each accepted document is there and processed, numbered without a gap, with its two events. */
async function countWrong(deployment: Deployment, { accepted }: Latencies): Promise<Record<string, number>> {
  const [row] = await deployment.ask(
    `select count(*)::int as documents, (count(*) filter (where state <> 'processed'))::int as stuck,
            (select sum(next_seq)::int from scopes) as numbers,
            (select count(*)::int from events where type = 'document.queued') as queued,
            (select count(*)::int from events where type = 'document.processed') as processed
       from documents`,
  );
  return {
    lost: Math.max(0, accepted - row.documents),
    stuck: row.stuck,
    gaps: row.numbers - row.documents,
    events: Math.abs(row.queued - row.documents) + Math.abs(row.processed - row.documents),
  };
}

function report(
  first: Record<string, number>,
  last: Record<string, number>,
  isQuiet: boolean,
  { accepted, refusals }: Latencies,
  wrong: Record<string, number>,
): number {
  say('\n| figure | first sixth | last sixth | ratio |\n|---|---|---|---|');
  let worst = 0;
  for (const [name, value] of Object.entries(first)) {
    const ratio = (last[name] ?? Number.NaN) / value;
    worst = Math.max(worst, ratio);
    say(`| ${name} | ${value.toFixed(1)} | ${last[name]?.toFixed(1)} | ${ratio.toFixed(2)} |`);
  }
  const bad = Object.values(wrong).some((n) => n > 0) || !isQuiet;
  const books = Object.entries(wrong).map(([name, n]) => `${name} ${n}`);
  const refused = [...refusals.values()].reduce((sum, n) => sum + n, 0);
  say(`\naccepted ${accepted}, not accepted at once ${refused}, ${books.join(', ')}${isQuiet ? '' : ', never quiet'}`);
  for (const [said, n] of refusals) say(`  ${n} times ${said}`);
  say(`worst ratio ${worst.toFixed(2)}, to be at most ${MAX_RATIO}`);
  return bad || worst > MAX_RATIO ? 1 : 0;
}
