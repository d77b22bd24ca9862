/** Whether the service keeps something of each line of a stream: its memory while the first and while the last lines come. */
import { readFileSync } from 'node:fs';
import { memoryOf } from '../../parts/proc.ts';
import { amount, say } from '../../parts/report.ts';
import { median } from '../../parts/statistics.ts';
import type { Stores } from '../../parts/stores.ts';
import { linesWithKeys, streamLines } from '../../parts/streamer.ts';
import { KEY_MARK } from '../../parts/wrk.ts';
import { bareBodies } from '../bare.ts';
import type { Outcome } from '../figure.ts';
import { Progress } from '../progress.ts';
import { Site } from '../site.ts';
import { STREAM_LINES } from '../sizes.ts';

const LOOK_EVERY_MS = 250;
/** Before anything is looked at: a process that has just begun grows by what it does for the first time. */
const WARM_UP_LINES = STREAM_LINES / 10;
/** Of the lines. */
const [EARLY, LATE] = [
  { from: 0.02, to: 0.07 },
  { from: 0.95, to: 1 },
];

export async function measureStreamMemory(stores: Stores): Promise<Outcome[]> {
  const site = await Site.start(stores);
  const next = linesWithKeys(readFileSync(bareBodies({ keys: true }), 'utf8').split('\n'), KEY_MARK);
  const stream = { port: site.front.port, tenantId: site.tenantIds[0] as string, next };
  await streamLines({ ...stream, goesOn: (so) => so < WARM_UP_LINES });
  const progress = new Progress('lines accepted', STREAM_LINES);
  const looks: { share: number; mb: number }[] = [];
  let answered = 0;
  const looking = setInterval(() => {
    looks.push({ share: answered / STREAM_LINES, mb: memoryOf(site.front.pid) });
    progress.at(answered);
  }, LOOK_EVERY_MS);
  const goesOn = (so: number) => {
    answered = so;
    return so < STREAM_LINES;
  };
  const load = await streamLines({ ...stream, goesOn });
  clearInterval(looking);
  await site.end();
  const [early, late] = [EARLY, LATE].map(({ from, to }) =>
    median(looks.flatMap(({ share, mb }) => (share >= from && share <= to ? [mb] : []))),
  ) as [number, number];
  const most = Math.max(...looks.map(({ mb }) => mb));
  const tenths = Array.from({ length: 10 }, (_, nth) => looks.filter(({ share }) => Math.floor(10 * share) === nth));
  say(
    `by tenths: ${tenths
      .filter(({ length }) => length > 0)
      .map((those) => median(those.map(({ mb }) => mb)).toFixed(0))
      .join(', ')} MB`,
  );
  say(
    `${amount(load.accepted)} lines at ${load.perSecond.toFixed(0)}/s: ${early.toFixed(0)} MB at first, ` +
      `${late.toFixed(0)} MB at last, ${most.toFixed(0)} MB at most`,
  );
  return [{ value: late - early, ...(load.failed > 0 && { doubt: `void: ${load.failed} lines were refused` }) }];
}
