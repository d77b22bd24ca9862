/** npm run import -- --scope S PATH…: files and folders into a scope, only what is new or was changed. */
import { DocketError } from '../../client/src/index.ts';
import { StartError } from '../errors.ts';
import { type ClientWork, errorInWords, runWithClient, STOPPED } from './client-command.ts';
import { draftsOf } from './import/drafts.ts';
import { Known } from './import/known.ts';
import { failedDocuments, outcomeLines } from './import/outcome.ts';
import { untilProcessed } from './import/processed.ts';
import { send } from './import/send.ts';
import { Tally } from './import/tally.ts';
import { type Found, walk } from './import/walk.ts';
import { counted, documentsLine } from './progress-line.ts';

const USAGE = `usage: npm run import -- --scope SCOPE PATH… [--wait] [--url URL]
  Sends files and whole folders (txt, md, html, json, csv, jsonl) to a scope, which is made if there is none. A document
  has the path below the named folder as its id and the SHA-256 of its content as provenance: run again, it sends only
  what is new or was changed, also after Ctrl-C. With --wait it ends when all of it is processed, and says what was found.
  The tenant is read from the environment, DOCKET_TENANT_ID and DOCKET_TENANT_KEY, or asked for on a terminal.
  It ends with 0 when all went well, with 1 when something failed, and with 130 after Ctrl-C.`;

/** The most that the service gives at once. */
const PAGE = 200;

const print = (line: string) => process.stdout.write(`${line}\n`);

async function work({ docket, scopeId, values, positionals, progress, signal }: ClientWork): Promise<number> {
  const tally = new Tally(progress.tell);
  const found = await walk(positionals, tally.fail, signal);
  if (found.files.length === 0) {
    for (const line of found.leftOut.lines()) progress.tell(line);
    throw new StartError(
      'there is nothing to import: no file of a kind that is read (txt, md, html, json, csv, jsonl)',
    );
  }
  const total = found.files.reduce((sum, { bytes }) => sum + bytes, 0);
  progress.begin(
    `${counted(found.files.length, 'file')}, ${progress.size(total)}; looking at what the scope has`,
    null,
  );
  const known = new Known(scopeId);
  let isSure = true;
  try {
    const newestBefore = await readScope({ docket, scopeId, signal }, known);
    progress.begin(
      'done',
      total,
      documentsLine(() => tally.documents),
    );
    const passed = (bytes: number) => {
      tally.bytes += bytes;
      progress.reached(tally.bytes);
    };
    const drafts = draftsOf(found.files, { scopeId, leftOut: found.leftOut, fail: tally.fail, passed, signal });
    await send({ docket, scopeId, drafts, known, newestBefore, tally, passed, signal });
    // Also what an earlier run has sent.
    const through = Math.max(tally.lastSeq ?? -1, newestBefore);
    if (values.wait && through >= 0) {
      await untilProcessed({ docket, scopeId, through, progress, signal });
      isSure = await failedDocuments({ docket, scopeId, signal }, known, tally.fail);
    }
  } catch (error) {
    return broken(error, tally, progress, signal);
  }
  progress.end();
  if (!isSure) progress.tell('too many have failed to look at each of them: there may be more of this import');
  await report({ docket, scopeId, progress, signal }, tally, found);
  return tally.failed > 0 || !isSure ? 1 : 0;
}

type Access = Pick<ClientWork, 'docket' | 'scopeId' | 'signal'>;

/** Resolves with its newest seq, or -1 when there is none. */
async function readScope({ docket, scopeId, signal }: Access, known: Known): Promise<number> {
  let newest = -1;
  try {
    for await (const row of docket.documents(scopeId, { limit: PAGE }, { signal })) {
      known.note(row);
      newest = Math.max(newest, row.seq);
    }
  } catch (error) {
    // The first document makes it.
    if (!(error instanceof DocketError && error.code === 'not_found')) throw error;
  }
  return newest;
}

function broken(error: unknown, tally: Tally, { tell }: ClientWork['progress'], signal: AbortSignal): number {
  if (!signal.aborted && !(error instanceof DocketError || error instanceof StartError)) throw error;
  const reason = error instanceof DocketError ? errorInWords(error) : (error as Error).message;
  tell(signal.aborted ? 'stopped' : reason);
  print(tally.line());
  tell('it is not done: the same command goes on where it was');
  return signal.aborted ? STOPPED : 1;
}

async function report(
  { docket, scopeId, progress, signal }: Access & Pick<ClientWork, 'progress'>,
  tally: Tally,
  { leftOut }: Found,
) {
  for (const line of leftOut.lines()) progress.tell(line);
  print(tally.line());
  if (tally.documents === 0) return;
  for (const line of outcomeLines(await docket.summary(scopeId, { signal }))) print(line);
}

runWithClient({
  name: 'import',
  usage: USAGE,
  options: { wait: { type: 'boolean', default: false } },
  check: ({ positionals }) => (positionals.length === 0 ? USAGE : null),
  work,
});
