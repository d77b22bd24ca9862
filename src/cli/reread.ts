/** npm run reread -- [start]|status|stop: what older rules have read is read again by the running service; this starts, shows and stops it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../domain/database.ts';
import { findRereadProgress, MAX_COUNTED, setRereads } from '../domain/rereads.ts';
import { StartError } from '../errors.ts';
import { harmless } from '../terminal.ts';
import { type Command, print, runInStore, tell } from './in-store.ts';

const USAGE = `usage:
  npm run reread -- [start]  has it go on, and shows how far it has come until all is read
  npm run reread -- status   shows how far it has come
  npm run reread -- stop     has it rest until it is started again; what was read again stays
  The workers of the service read again what older rules have read, behind new work. This command may be
  ended at any time; they go on, and begin where they were when they are started again.`;

const LOOK_EVERY_MS = 1000;
/** So long without any progress, and somebody should look why: a turn takes a fraction of a second. */
const STILL_MS = 30_000;

type Progress = Awaited<ReturnType<typeof findRereadProgress>>;

function linesOf({ is_on, scopes, first }: Progress): string[] {
  if (scopes === 0) return ['All that is stored was read by the rules in force.'];
  const many = scopes < MAX_COUNTED ? String(scopes) : `${MAX_COUNTED} or more`;
  return [
    `${many} ${scopes === 1 ? 'scope is' : 'scopes are'} to be read again${is_on ? '' : '; it rests: npm run reread starts it'}`,
    ...first.map(
      ({ tenant_id, scope_id, state, reread_from, next_seq }) =>
        `  ${harmless(tenant_id)} ${harmless(scope_id)}: ${reread_from} of ${next_seq}${state === 'running' ? '' : `, ${state}`}`,
    ),
  ];
}

async function follow(db: Database): Promise<void> {
  await setRereads(db, true);
  let shown = '';
  let movedAt = performance.now();
  for (;;) {
    const progress = await findRereadProgress(db);
    const text = linesOf(progress).join('\n');
    if (text !== shown) {
      print(text);
      shown = text;
      movedAt = performance.now();
    } else if (performance.now() - movedAt > STILL_MS) {
      tell(
        'Nothing has moved for 30 s. Is a service with workers running, and what is left neither paused nor stopped?',
      );
      movedAt = performance.now();
    }
    if (progress.scopes === 0 || !progress.is_on) return;
    await sleep(LOOK_EVERY_MS);
  }
}

async function showStatus(db: Database): Promise<void> {
  for (const line of linesOf(await findRereadProgress(db))) print(line);
}

async function stop(db: Database): Promise<void> {
  await setRereads(db, false);
  await showStatus(db);
}

function parseCommand(args: string[]): Command {
  const [verb = 'start', ...rest] = args;
  const command = { start: follow, status: showStatus, stop }[verb];
  if (!command || rest.length > 0) throw new StartError(USAGE);
  return command;
}

runInStore('reread', USAGE, parseCommand);
