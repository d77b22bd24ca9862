/** The run: so many requests from a seed, several at a time, each answer judged, all of it counted. */
import { Connection, type RawAnswer } from './client.ts';
import { mutate } from './mutate.ts';
import { type Json, type Operation, operationsOf } from './operations.ts';
import { Oracle } from './oracle.ts';
import { Random } from './random.ts';
import { type FuzzRequest, toBash, toBytes, toCurl, validRequest } from './request.ts';
import { wireCase } from './wire.ts';
import { learn, type World } from './world.ts';

export interface FuzzOptions {
  url: string;
  document: Json;
  world: World;
  requests: number;
  seed: number;
  atOnce?: number;
  /** Whether routes that never answered well are asked again, at the end. */
  asksAgain?: boolean;
  onProgress?: (done: number) => void;
}

export interface Break {
  index: number;
  route: string;
  changes: string[];
  /** What is wrong. */
  what: string;
  /** A line to send it again. */
  curl: string;
}

export interface FuzzReport {
  seed: number;
  requests: number;
  ms: number;
  /** By route, by status. */
  tally: Map<string, Map<number, number>>;
  breaks: Break[];
}

/** What a route finds is a matter of luck, in a world that others change meanwhile: so often it is asked again, by itself. */
const AGAIN = 60;
/** Of all requests: as the contract has it; below HTTP; the rest is changed. */
const VALID = 0.3;
const ON_THE_WIRE = 0.04;
const WIRE = '(the wire itself)';

export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { url, document, world, requests, seed, atOnce = 8, asksAgain = false, onProgress } = options;
  const operations = operationsOf(document).flatMap((operation) => Array(shareOf(operation)).fill(operation));
  const oracle = new Oracle(document);
  const report: FuzzReport = { seed, requests, ms: 0, tally: new Map(), breaks: [] };
  const started = performance.now();
  let next = 0;

  const noteAt =
    (index: number): Note =>
    (route, answers, found) => {
      for (const { status } of answers) count(report.tally, route, status);
      if (found) report.breaks.push({ index, route, ...found });
    };

  async function askAgain(): Promise<void> {
    const connection = new Connection(url);
    for (const operation of operationsOf(document))
      for (let n = 0; n < AGAIN && isInVain(report, operation.name); n++) {
        const index = next++;
        const request = validRequest(operation, Random.of(seed, index), world);
        await ask(connection, oracle, request, options, noteAt(index));
      }
    connection.close();
  }

  async function lane(): Promise<void> {
    const connection = new Connection(url);
    for (let index = next++; index < requests; index = next++) {
      const random = Random.of(seed, index);
      const note = noteAt(index);
      onProgress?.(index);
      if (index >= operations.length && random.is(ON_THE_WIRE))
        await throwAt(connection, oracle, random, options, note);
      else await ask(connection, oracle, requestAt(index, random, operations, world), options, note);
    }
    connection.close();
  }
  await Promise.all(Array.from({ length: atOnce }, lane));
  if (asksAgain) await askAgain();
  report.ms = performance.now() - started;
  return report;
}

/** Nothing that was asked of it was right. */
export function isInVain({ tally }: FuzzReport, route: string): boolean {
  return ![...(tally.get(route)?.keys() ?? [])].some((status) => status < 300);
}

/** To stop and start all workers takes as long as ten other requests; and what empties scopes leaves others little to find. */
const shareOf = ({ name }: Operation) => (/\/runtime\/|\/reset$|^DELETE \/admin\/scopes/.test(name) ? 1 : 3);

type Note = (route: string, answers: RawAnswer[], found: Omit<Break, 'index' | 'route'> | null) => void;

/** In turn, so that every operation has its share however small the run; and at first as the contract has it. */
function requestAt(index: number, random: Random, operations: Operation[], world: World): FuzzRequest {
  const request = validRequest(operations[index % operations.length] as Operation, random, world);
  if (index >= operations.length && !random.is(VALID)) mutate(request, random);
  return request;
}

async function ask(
  connection: Connection,
  oracle: Oracle,
  request: FuzzRequest,
  { url, world }: FuzzOptions,
  note: Note,
) {
  const { changes, operation } = request;
  const curl = () => toCurl(request, url);
  try {
    const answer = await connection.exchange(toBytes(request), request.method === 'HEAD');
    learn(world, operation.name, answer);
    const what = oracle.judge(request, answer);
    note(operation.name, [answer], what ? { changes, what, curl: curl() } : null);
  } catch (error) {
    note(operation.name, [], { changes, what: (error as Error).message, curl: curl() });
  }
}

async function throwAt(
  connection: Connection,
  oracle: Oracle,
  random: Random,
  { url, world }: FuzzOptions,
  note: Note,
) {
  const { name, bytes, end, least } = wireCase(random, world);
  const curl = toBash(bytes, url);
  try {
    const answers = await connection.converse(bytes, { end });
    const wrong = answers.map((answer) => oracle.judgeAny(answer)).find((what) => what !== null);
    const what = wrong ?? (answers.length < least ? `${answers.length} answers instead of ${least}` : null);
    note(WIRE, answers, what ? { changes: [name], what, curl } : null);
  } catch (error) {
    note(WIRE, [], { changes: [name], what: (error as Error).message, curl });
  }
}

function count(tally: FuzzReport['tally'], route: string, status: number): void {
  const statuses = tally.get(route) ?? new Map<number, number>();
  tally.set(route, statuses.set(status, (statuses.get(status) ?? 0) + 1));
}
