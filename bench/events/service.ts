/** The service as the bench of processing starts it; this one also tells what it uses. */
import type { Usage } from './node.ts';

process.on('message', () => {
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  process.send?.({ rss: process.memoryUsage().rss, cpuS: (user + system) / 1e6 } satisfies Usage);
});
await import('../process/service.ts');
