/** The event log as this process follows it: a tail that feeds the hub, woken by its own commits and by those of other nodes. */
import { toFrame } from '../events/frames.ts';
import { Hub, type HubOptions } from '../events/hub.ts';
import { Past } from '../events/past.ts';
import { Tail } from '../events/tail.ts';
import { Watch } from '../events/watch.ts';
import type { Histogram } from '../figures/histogram.ts';
import { Notifications } from '../storage/notifications.ts';
import { READING_CONNECTIONS, type Store } from '../storage/open.ts';
import { logOf, readEvents, readLastId } from './events.ts';

export interface EventFeed {
  hub: Hub;
  /** For those who wait for documents. */
  watch: Watch;
  /** Something was committed: read it soon, and tell the other nodes. */
  ring(): void;
  /** Whether the log could be read a moment ago. */
  isUp(): boolean;
  close(): Promise<void>;
}

export async function openEventFeed(
  { db, reading, url }: Pick<Store, 'db' | 'reading' | 'url'>,
  onTrouble: (error: unknown, line: string) => void,
  options: Pick<HubOptions, 'awayMs'> & { lag?: Histogram } = {},
): Promise<EventFeed> {
  const past = new Past(logOf(db, reading), READING_CONNECTIONS);
  const newest = await past.newest();
  const watch = new Watch(() => tail.wake());
  const hub = new Hub(newest, past, { ...options, onHeard: () => tail.wake(), isAwaited: () => watch.isHeard });
  const tail: Tail = new Tail({
    position: () => hub.position,
    read: (after, limit) => readEvents(db, after, limit),
    onEvents: (batch) => {
      hub.publish(batch.map(toFrame));
      watch.publish(batch);
      // The oldest of them has waited longest. Two clocks need not agree, and no lag is below none.
      options.lag?.observe(Math.max(0, Date.now() - Date.parse(batch[0]?.ts as string)) / 1000);
    },
    isHeard: () => hub.isHeard,
    skip: async () => hub.skipTo(await readLastId(db)),
    onError: (error) => onTrouble(error, 'cannot read the event log; streams wait'),
  });
  const notifications = new Notifications({
    url,
    onNotified: () => tail.wake(),
    onError: (error) => onTrouble(error, 'cannot hear of events from other nodes; looking every second'),
  });
  tail.start();
  return {
    hub,
    watch,
    ring() {
      tail.wake();
      notifications.notify();
    },
    isUp: () => tail.isUp,
    async close() {
      await notifications.close();
      await tail.close();
    },
  };
}
