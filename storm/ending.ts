/** Whatever a storm opens is closed when it ends, however it ends; also scenario by scenario. */

type Closer = () => unknown;

const open: Closer[] = [];

export const closeLater = (close: Closer) => void open.push(close);

let isCalledOff = false;

/** To be asked before a process is started: a scenario goes on for a moment after the signal that ends the storm. */
export function makeSureItIsOn(): void {
  if (isCalledOff) throw new Error('the storm was called off');
}

/** One closing at a time: a signal comes in the middle of anything. */
let closing = Promise.resolve();

function closeDownTo(depth: number): Promise<void> {
  closing = closing.then(() => closeAllDownTo(depth));
  return closing;
}

/** Closes what was opened since there were so many, the last one first. One that fails does not keep the others open. */
async function closeAllDownTo(depth: number): Promise<void> {
  while (open.length > depth) {
    try {
      await open.pop()?.();
    } catch (error) {
      process.stderr.write(`storm: could not close: ${(error as Error).message}\n`);
    }
  }
}

/** Runs some work and closes whatever it opened. */
export async function enclosed<Result>(work: () => Promise<Result>): Promise<Result> {
  const depth = open.length;
  try {
    return await work();
  } finally {
    await closeDownTo(depth);
  }
}

/** Postgres and the services are processes that outlive a Ctrl-C, so signals close them too. */
export async function runStorm(storm: () => Promise<number>): Promise<never> {
  // npm passes on what the terminal has sent already: a second signal means nothing more than the first.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (isCalledOff) return;
      isCalledOff = true;
      void closeDownTo(0).finally(() => process.exit(130));
    });
  const code = await storm()
    .catch((error) => {
      process.stderr.write(`${error.stack}\n`);
      return 1;
    })
    .finally(() => closeDownTo(0));
  process.exit(code);
}
