/** A service that has had a bit of everything to do, so that each of its metrics has something to tell. */
import { startTestKernel } from './kernel.ts';
import type { TestService } from './service.ts';
import { openStream } from './stream.ts';
import { until } from './until.ts';

/** What its metrics say. */
export async function startMonitored() {
  const kernel = await startTestKernel({ settings: () => ({}) });
  const tenant = await kernel.newTenant();
  const stream = await openStream(kernel.url, '/internals/kernel/events', {
    authorization: `Bearer ${kernel.internals}`,
  });
  for (const scope of ['one', 'two']) for (let n = 0; n < 5; n++) await kernel.ingest(tenant, scope, 'ok');
  for (const scope of ['one', 'two']) await kernel.processed(tenant, scope, 5);
  await stream.got(10);
  const metrics = () => textOf(kernel);
  // The answer that is counted is the one before.
  await until(metrics, (text) => text.includes('route="/internals/metrics"'));
  return { kernel, tenant, metrics };
}

export const textOf = async ({ call, internals }: TestService): Promise<string> =>
  (await call('GET', '/internals/metrics', { key: internals })).body;

/** The value of one line, given by its name and labels. */
export const figure = (text: string, name: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1),
  );

/** By the names of their lines, without labels. */
export const namesIn = (text: string) =>
  new Set(text.split('\n').flatMap((line) => (/^\w+/.test(line) ? [/^\w+/.exec(line)?.[0] as string] : [])));
