/** The log of a request, made with its first line: hardly any request writes one, and making it took 7 µs of each. */
import type { FastifyBaseLogger, FastifyLogFn } from 'fastify';
import { symbols } from 'pino';

type Child = FastifyBaseLogger['child'];
type Line = Parameters<FastifyLogFn>;

/** A log whose children are made late, and theirs: Fastify makes one for itself first, and the requests' are children of that. */
export class LateLog implements FastifyBaseLogger {
  readonly #make: () => FastifyBaseLogger;
  #made: FastifyBaseLogger | null = null;

  constructor(make: () => FastifyBaseLogger) {
    this.#make = make;
  }

  get #log(): FastifyBaseLogger {
    this.#made ??= this.#make();
    return this.#made;
  }

  get level(): FastifyBaseLogger['level'] {
    return this.#log.level;
  }

  /** Fastify has some of its own, which tell more of an error than may be told, and puts these over them. */
  get serializers(): unknown {
    return (this.#log as { [symbols.serializersSym]?: unknown })[symbols.serializersSym];
  }

  child(...bindings: Parameters<Child>): FastifyBaseLogger {
    return new LateLog(() => this.#log.child(...bindings));
  }

  fatal(...line: Line): void {
    this.#log.fatal(...line);
  }

  error(...line: Line): void {
    this.#log.error(...line);
  }

  warn(...line: Line): void {
    this.#log.warn(...line);
  }

  info(...line: Line): void {
    this.#log.info(...line);
  }

  debug(...line: Line): void {
    this.#log.debug(...line);
  }

  trace(...line: Line): void {
    this.#log.trace(...line);
  }

  silent(...line: Line): void {
    this.#log.silent(...line);
  }
}
