/** Whatever a bench opens is closed when it ends, however it ends. */

const closers: (() => unknown)[] = [];

export const closeLater = (close: () => unknown) => void closers.push(close);

async function closeAll(): Promise<void> {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
}

/** Runs a bench and ends the process. Postgres is a process that outlives a Ctrl-C, so signals close it too. */
export async function runBench(bench: () => Promise<void>): Promise<never> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void closeAll().finally(() => process.exit(1)));
  await bench().finally(closeAll);
  process.exit();
}
