/** npm run export -- --scope S: what a scope holds, as lines of JSON, to stdout or to a file. */
import type { ExportPart } from '../../client/src/index.ts';
import { type ClientWork, runWithClient, STOPPED } from './client-command.ts';
import { openTarget } from './export/target.ts';
import { ExportWriter } from './export/writer.ts';
import { counted, linesLine } from './progress-line.ts';

const PARTS: ExportPart[] = ['documents', 'texts', 'claims', 'facts', 'contradictions'];

const USAGE = `usage: npm run export -- --scope SCOPE [--include PART,…] [--output FILE [--force]] [--url URL]
  Writes what a scope holds as lines of JSON, to stdout or to FILE: ${PARTS.join(', ')}, all of
  them or those that --include names. The last line has how many there are and the SHA-256 of all before it. FILE has its
  name only when it is whole, only its owner may read it, and one that is there is not written over without --force.
  npm run import takes it, for another scope or another service: texts are needed for that.
  The tenant is read from the environment, DOCKET_TENANT_ID and DOCKET_TENANT_KEY, or asked for on a terminal.`;

const partsOf = (include: string) => include.split(',').map((part) => part.trim());

function check({ values, positionals }: Pick<ClientWork, 'values' | 'positionals'>): string | null {
  if (positionals.length > 0) return USAGE;
  if (typeof values.include !== 'string') return null;
  const unknown = partsOf(values.include).filter((part) => !PARTS.includes(part as ExportPart));
  return unknown.length > 0 ? `--include: there is no '${unknown[0]}'; there are ${PARTS.join(', ')}` : null;
}

async function work({ docket, scopeId, values, progress, signal }: ClientWork): Promise<number> {
  const { include, output, force } = values;
  const began = performance.now();
  const target = await openTarget(output as string | undefined, force === true, signal);
  const writer = new ExportWriter(target);
  const asked = typeof include === 'string' ? { include: partsOf(include) as ExportPart[] } : {};
  // Lines on a terminal show by themselves how far it has come.
  const isSilent = output === undefined && process.stdout.isTTY === true;
  if (!isSilent)
    progress.begin(
      'written',
      0,
      linesLine(() => writer.lines),
    );
  try {
    for await (const line of docket.export(scopeId, { ...asked, signal })) {
      await writer.take(line);
      if (!isSilent) progress.reached(writer.bytes);
    }
    signal.throwIfAborted();
    await writer.finish();
    await target.finish();
  } catch (error) {
    await target.discard();
    if (!signal.aborted) throw error;
    progress.tell(`stopped before it was done${output === undefined ? '' : '; nothing of it is left'}`);
    return STOPPED;
  }
  const { counts, bytes, sha256, isChanged, isTakenUp } = writer;
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  const found = Object.entries(counts).map(([kinds, count]) => counted(count, kinds.slice(0, -1)));
  progress.tell(`${found.join(', ')}: ${progress.size(bytes)} in ${seconds} s`);
  if (isTakenUp) progress.tell('the connection was cut and the export taken up again; all of it is there');
  if (isChanged) progress.tell('the scope changed meanwhile: each document is as it was when its line was written');
  if (typeof output === 'string') process.stdout.write(`${sha256}  ${output}\n`);
  return 0;
}

runWithClient({
  name: 'export',
  usage: USAGE,
  options: {
    include: { type: 'string' },
    output: { type: 'string', short: 'o' },
    force: { type: 'boolean', default: false },
  },
  check,
  work,
});
