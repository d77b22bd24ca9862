/** How long answers took, by route and by the class of their status. There are as many as routes that were declared. */
import { Histogram, SECONDS } from './histogram.ts';
import type { Family, Sample } from './text.ts';

export class HttpFigures {
  readonly #routes: RouteFigures[] = [];
  /** For what no route takes: whatever its address and its method are. */
  readonly unrouted = this.route('any', 'none');

  /** To be called once for a route that is declared, and never for a request. */
  route(method: string, url: string): RouteFigures {
    const route = new RouteFigures(method, url);
    this.#routes.push(route);
    return route;
  }

  family(): Family {
    return {
      name: 'docket_http_request_seconds',
      help: 'How long answers of this process took, from the head of the request until they were made; no streams',
      type: 'histogram',
      samples: this.#routes.flatMap((route) => route.samples()),
    };
  }
}

export class RouteFigures {
  readonly #labels: { method: string; route: string };
  /** From 1xx to 5xx; made with the first answer of each, since most never come. */
  readonly #classes: (Histogram | null)[] = [null, null, null, null, null];

  constructor(method: string, url: string) {
    this.#labels = { method, route: url.replaceAll(/:(\w+)/g, '{$1}') };
  }

  answered(status: number, ms: number): void {
    const at = Math.floor(status / 100) - 1;
    if (this.#classes[at] === null) this.#classes[at] = new Histogram(SECONDS);
    this.#classes[at]?.observe(ms / 1000);
  }

  samples(): Sample[] {
    return this.#classes.flatMap((value, at) =>
      value ? [{ labels: { ...this.#labels, status: `${at + 1}xx` }, value }] : [],
    );
  }
}
