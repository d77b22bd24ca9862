/** A pipeline that takes its time to start, as any does on a busy machine. */
import { setTimeout as sleep } from 'node:timers/promises';
import obedient from './obedient.ts';

const LATE_MS = 5000;
await sleep(LATE_MS);

export default obedient;
