/** Many callers at once, each of which asks again as soon as it is answered. */
import { sleep } from '../storm/waiting.ts';
import { type Answer, Line } from './line.ts';

/** A service that is gone refuses at once, and no loop may spin on that. */
const GONE_MS = 20;

/** Between two looks whether it is over. */
const OVER_MS = 50;

export interface Flood {
  callers: number;
  url: string;
  isOver: () => boolean;
  /** The n-th of all. */
  request: (n: number) => Buffer;
  /** Between an answer and the next request. */
  pauseMs?: number;
  most?: number;
}

export async function flood({ callers, url, isOver, request, pauseMs = 0, most }: Flood): Promise<Answer[]> {
  const lines = Array.from({ length: callers }, () => new Line(url));
  // Nobody waits for answers to what is over: they are cut off, and have none.
  const watch = setInterval(() => isOver() && closeAll(lines), OVER_MS);
  const answers = await inLoops(callers, isOver, (caller, n) => (lines[caller] as Line).ask(request(n)), {
    pauseMs,
    most,
  });
  clearInterval(watch);
  closeAll(lines);
  return answers;
}

function closeAll(lines: Line[]): void {
  for (const line of lines) line.close();
}

export async function inLoops<One extends { status: number }>(
  callers: number,
  isOver: () => boolean,
  ask: (caller: number, n: number) => Promise<One>,
  { pauseMs = 0, most = Number.POSITIVE_INFINITY }: { pauseMs?: number; most?: number | undefined } = {},
): Promise<One[]> {
  const answers: One[] = [];
  let n = 0;
  const loop = async (caller: number) => {
    while (!isOver() && n < most) {
      const answer = await ask(caller, n++);
      answers.push(answer);
      const pause = answer.status === 0 ? Math.max(pauseMs, GONE_MS) : pauseMs;
      if (pause > 0) await sleep(pause);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => loop(caller)));
  return answers;
}
