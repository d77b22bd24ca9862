/** Every scenario, in the order of the issue. */
import type { Scenario } from '../siege.ts';
import { killService } from './01-kill-service.ts';
import { killWorker } from './02-kill-worker.ts';
import { postgresDown } from './03-postgres-down.ts';
import { redisDown } from './04-redis-down.ts';
import { freezeWorker } from './05-freeze-worker.ts';
import { blackhole } from './06-blackhole.ts';
import { diskFull } from './07-disk-full.ts';
import { clock } from './08-clock.ts';
import { sigterm } from './09-sigterm.ts';
import { slowClients } from './10-slow-clients.ts';
import { upgrade } from './11-upgrade.ts';

export const scenarios: Scenario[] = [
  killService,
  killWorker,
  postgresDown,
  redisDown,
  freezeWorker,
  blackhole,
  diskFull,
  clock,
  sigterm,
  slowClients,
  upgrade,
];
