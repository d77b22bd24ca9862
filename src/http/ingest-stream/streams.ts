/** The streams of documents that this process takes in: how many, for whom, and until when. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ending } from '../../domain/accept/unanswered.ts';
import { AppError } from '../../errors.ts';
import { tenantOf } from '../auth.ts';
import type { IngestStreaming, StreamDeps, StreamWishes } from '../deps.ts';
import type { KeyWatch } from '../key-watch.ts';
import { keyEnded, keyPrefixesOf } from '../request-keys.ts';
import { clientGone, isClosed } from '../when-closed.ts';
import { IngestStream, type StreamOptions } from './stream.ts';

const RETRY_AFTER_S = 5;

export interface IngestStreamsOptions extends Pick<StreamOptions, 'silenceMs'> {
  keyWatch: KeyWatch;
  most: number;
  mostPerTenant: number;
}

export class IngestStreams implements IngestStreaming {
  readonly #options: IngestStreamsOptions;
  readonly #open = new Set<IngestStream>();
  readonly #ofTenants = new Map<string, number>();
  #closed = false;

  constructor(options: IngestStreamsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  async open(deps: StreamDeps, request: FastifyRequest, reply: FastifyReply, wishes: StreamWishes): Promise<void> {
    const { keyWatch, silenceMs } = this.#options;
    const tenantId = tenantOf(request);
    this.#makeSure(tenantId);
    if (isClosed(reply)) throw clientGone();
    const ofTenant = () => this.#countOf(tenantId);
    const stream = new IngestStream(deps, request, reply, { ...wishes, silenceMs, ofTenant });
    this.#open.add(stream);
    this.#add(tenantId, 1);
    const unwatch = keyWatch.watch(keyPrefixesOf(request), () => stream.stop(keyEnded()));
    await stream.run().finally(() => {
      unwatch();
      this.#open.delete(stream);
      this.#add(tenantId, -1);
    });
  }

  /** Each is told how far it came, and goes on elsewhere. */
  close(): void {
    this.#closed = true;
    for (const stream of this.#open) stream.stop(ending());
  }

  #makeSure(tenantId: string): void {
    const { most, mostPerTenant } = this.#options;
    if (this.#closed) throw ending();
    if (this.#countOf(tenantId) >= mostPerTenant) {
      const detail = `This tenant sends ${mostPerTenant} streams already, which is as many as it may; end one.`;
      const limit = { name: 'streams', quota: mostPerTenant, perSecond: false };
      throw new AppError('too_many_requests', detail, { retryAfterSeconds: RETRY_AFTER_S, limit });
    }
    if (this.#open.size >= most) {
      const detail = `This node takes in ${most} streams already, which is as many as it may; try again, or another node.`;
      throw new AppError('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_S, reason: 'streams' });
    }
  }

  #countOf(tenantId: string): number {
    return this.#ofTenants.get(tenantId) ?? 0;
  }

  #add(tenantId: string, streams: 1 | -1): void {
    const count = this.#countOf(tenantId) + streams;
    if (count > 0) this.#ofTenants.set(tenantId, count);
    else this.#ofTenants.delete(tenantId);
  }
}
