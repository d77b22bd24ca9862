/** A list that the service gives in pages, as one: `for await` gives its items, and `pages()` the answers as they come. */
import type { Answer, CallOptions, Input, Route, Transport } from './transport.ts';

export interface AnyPage {
  next_cursor: string | null;
}

type ListRoute = { [R in Route]: Answer<R> extends AnyPage ? R : never }[Route];

/** What a list is narrowed by; the list keeps its cursor itself. */
export type Filter<R extends ListRoute> =
  Input<R> extends { query?: infer Query } ? Omit<NonNullable<Query>, 'cursor' | 'scope_id'> : never;

export function list<R extends ListRoute, Item>(
  transport: Transport,
  route: R,
  input: Input<R> & { query?: object },
  itemsOf: (page: Answer<R>) => Item[],
  options: CallOptions | undefined,
): Listing<Item, Answer<R> & AnyPage> {
  const read = (cursor: string | undefined) =>
    transport.call(route, { ...input, query: { ...input.query, cursor } }, options) as Promise<Answer<R> & AnyPage>;
  return new Listing(read, itemsOf);
}

export class Listing<Item, Page extends AnyPage> implements AsyncIterable<Item> {
  readonly #read: (cursor: string | undefined) => Promise<Page>;
  readonly #itemsOf: (page: Page) => Item[];

  constructor(read: (cursor: string | undefined) => Promise<Page>, itemsOf: (page: Page) => Item[]) {
    this.#read = read;
    this.#itemsOf = itemsOf;
  }

  /** One at a time, and only as they are asked for. A page may be empty and not the last. */
  async *pages(): AsyncGenerator<Page> {
    let cursor: string | undefined;
    do {
      const page = await this.#read(cursor);
      yield page;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for await (const page of this.pages()) yield* this.#itemsOf(page);
  }

  /** All of them at once. What may be long is better read by `for await`. */
  async toArray(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) items.push(item);
    return items;
  }
}
