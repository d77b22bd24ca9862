/** GET /internals/kernel/events: all that happens, as it happens. */
import { Type } from '@sinclair/typebox';
import { Event, LastEventIdHeader, StreamQuery } from '../../contract/events.ts';
import type { App, Deps } from '../deps.ts';

export function mountEvents(app: App, { streams }: Deps): void {
  app.get(
    '/kernel/events',
    {
      exposeHeadRoute: false,
      config: { boundsItself: true },
      schema: {
        operationId: 'streamEvents',
        summary: 'All that happens, of every tenant, as server-sent events',
        description:
          'Each event has an id; sent back as `Last-Event-ID`, it is where the stream goes on. A `gap` says that ' +
          'some in between are no longer kept.',
        tags: ['events'],
        headers: Type.Object(LastEventIdHeader),
        querystring: StreamQuery,
        response: { 200: Event },
      },
    },
    (request, reply) => streams.open(request, reply, { scope: null }),
  );
}
