/** What a bench says: lines on the way, a row for each target at the end, and all of it in a file of results. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { machine } from './generator.ts';

export { median, medianRatio } from './statistics.ts';

/** With more than this of its core in use, the generator measures itself. */
export const GENERATOR_LIMIT = 0.9;

export interface Row {
  what: string;
  value: number;
  /** Without a sign it has no target, and is told for comparison. */
  sign?: '≥' | '≤';
  target?: number;
  met?: boolean;
}

export const say = (line: string) => process.stdout.write(`${line}\n`);
export const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
export const amount = (n: number) => n.toLocaleString('en');

const round = (value: number) => Math.round(value * 1000) / 1000;

export function row(what: string, value: number, sign: '≥' | '≤', target: number): Row {
  return { what, value: round(value), sign, target, met: sign === '≥' ? value >= target : value <= target };
}

export const aside = (what: string, value: number): Row => ({ what, value: round(value) });

export interface Findings {
  rows: Row[];
  /** The busiest that it was, of one core. */
  generatorCpu: number;
  failed: number;
  /** What the rows were made of. */
  measured: Record<string, unknown>;
  /** Only tried out: not worth a file. */
  quick?: boolean;
}

export function report(name: string, { rows, generatorCpu, failed, measured, quick = false }: Findings): void {
  say('');
  for (const { what, value, sign, target, met } of rows) {
    const mark = met === undefined ? ' ' : met ? '✓' : '✗';
    say(`${mark} ${what.padEnd(80)} ${value.toFixed(2).padStart(7)}${sign ? `  (${sign} ${target})` : ''}`);
  }
  const isVoid = generatorCpu > GENERATOR_LIMIT;
  say(
    `  generator at most ${percent(generatorCpu)} of a core${isVoid ? ': VOID, it was the bottleneck' : ''}; ${failed} requests failed`,
  );
  if (quick) return;
  mkdirSync('bench/results', { recursive: true });
  const results = {
    at: new Date().toISOString(),
    machine: machine(),
    void: isVoid,
    failed,
    ...measured,
    results: rows,
  };
  writeFileSync(`bench/results/${name}.json`, `${JSON.stringify(results, null, 2)}\n`);
}
