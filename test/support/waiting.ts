/** Requests that wait, as a test needs them: begun, known to wait, and answered later. */
import { connect, type Socket } from 'node:net';
import { later } from './later.ts';
import type { Answer, CallOptions, TestService } from './service.ts';
import { until } from './until.ts';

export const LONG = 'wait=60';
/** Sooner than such a wait ends, and later than any machine is busy. */
const SOONER_MS = 50_000;

/** What comes only because time is over was not woken. */
export function beforeTimeIsOver<Result>(answer: Promise<Result>): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('it was not woken')), SOONER_MS);
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

export async function waitersOf({ call, internals }: TestService): Promise<number> {
  const { body } = await call('GET', '/internals/metrics', { key: internals });
  return Number(/^docket_waiters (\d+)/m.exec(body)?.[1]);
}

export function untilWaiting(service: TestService, count: number): Promise<number> {
  return until(
    () => waitersOf(service),
    (seen) => seen === count,
  );
}

/** Resolves when the request waits, to what gives its answer. */
export async function beginWaiting(service: TestService, path: string, options: CallOptions) {
  const before = await waitersOf(service);
  const answer: Promise<Answer> = beforeTimeIsOver(service.call('GET', path, options));
  // Not every test asks for it.
  answer.catch(() => {});
  await untilWaiting(service, before + 1);
  return { answer };
}

/** On a socket of its own, of which the answer may never be read. */
export async function waitOnSocket({ url }: TestService, path: string, key: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  later(() => socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Tenant-API-Key: ${key}\r\n\r\n`);
  return socket;
}
