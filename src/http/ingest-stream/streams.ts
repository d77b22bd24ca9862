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
    const giveBack = this.#places.take({ tenantId, hasKey, end: (why) => stream.stop(why) });
    const ofTenant = () => this.#places.of(tenantId);
    const stream: IngestStream = new IngestStream(deps, request, reply, { ...wishes, silenceMs, ofTenant });
    this.#open.add(stream);
    const unwatch = keyWatch.watch(keyPrefixesOf(request), () => stream.stop(keyEnded()));
    await stream.run().finally(() => {
      unwatch();
      this.#open.delete(stream);
      giveBack();
    });
  }

  /** Each is told how far it came, and goes on elsewhere. */
  close(): void {
    this.#closed = true;
    for (const stream of this.#open) stream.stop(ending());
  }
}
