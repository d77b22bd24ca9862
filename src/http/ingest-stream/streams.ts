/** The streams of documents that this process takes in: how many, for whom, and until when. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ending } from '../../domain/accept/unanswered.ts';
import { BY_ID_ALONE } from '../../domain/access.ts';
import { accessOf } from '../access.ts';
import { tenantOf } from '../auth.ts';
import type { IngestStreaming, StreamDeps, StreamWishes } from '../deps.ts';
import type { KeyWatch } from '../key-watch.ts';
import { Places, type PlacesOptions } from '../places.ts';
import { keyEnded, keyPrefixesOf } from '../request-keys.ts';
import { clientGone, isClosed } from '../when-closed.ts';
import { IngestStream, type StreamOptions } from './stream.ts';

export interface IngestStreamsOptions extends Omit<PlacesOptions, 'name'>, Pick<StreamOptions, 'silenceMs'> {
  keyWatch: KeyWatch;
}

export class IngestStreams implements IngestStreaming {
  readonly #options: IngestStreamsOptions;
  readonly #open = new Set<IngestStream>();
  readonly #places: Places;
  #closed = false;

  constructor(options: IngestStreamsOptions) {
    this.#options = options;
    this.#places = new Places({ ...options, name: 'streams' });
  }

  get size(): number {
    return this.#open.size;
  }

  async open(deps: StreamDeps, request: FastifyRequest, reply: FastifyReply, wishes: StreamWishes): Promise<void> {
    const { keyWatch, silenceMs } = this.#options;
    const tenantId = tenantOf(request);
    if (this.#closed) throw ending();
    if (isClosed(reply)) throw clientGone();
    const hasKey = accessOf(request) !== BY_ID_ALONE;
    const ofTenant = () => this.#places.of(tenantId);
    let stream: IngestStream | null = null;
    const closers = [this.#places.take({ tenantId, hasKey, end: (why) => stream?.stop(why) })];
    try {
      const opened = new IngestStream(deps, request, reply, { ...wishes, silenceMs, ofTenant });
      stream = opened;
      this.#open.add(opened);
      closers.push(
        () => this.#open.delete(opened),
        keyWatch.watch(keyPrefixesOf(request), () => opened.stop(keyEnded())),
      );
      await opened.run();
    } catch (error) {
      // What was taken over from the framework nobody else ends.
      if (reply.sent) reply.raw.destroy();
      throw error;
    } finally {
      for (const close of closers) close();
    }
  }

  /** Each is told how far it came, and goes on elsewhere. */
  close(): void {
    this.#closed = true;
    for (const stream of this.#open) stream.stop(ending());
  }
}
