/** A pipeline that is not ready before a file is there, as any is late on a busy machine. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import obedient from './obedient.ts';

while (!existsSync(process.env.LATE_UNTIL ?? '')) await sleep(20);

export default obedient;
