/** A stream at full speed in a process of its own, until it is let go of. Its arguments are a port, a tenant and a file of bodies. */
import { readFileSync } from 'node:fs';
import { linesWithKeys, streamLines } from './streamer.ts';
import { KEY_MARK } from './wrk.ts';

const [port, tenantId = '', file = ''] = process.argv.slice(2);
const next = linesWithKeys(readFileSync(file, 'utf8').split('\n'), KEY_MARK);
let answered = 0;
process.once('disconnect', () => process.exit());
process.on('message', () => process.send?.(answered));
process.send?.('ready');
const goesOn = (so: number) => {
  answered = so;
  return true;
};
await streamLines({ port: Number(port), tenantId, next, goesOn });
