/** Holds every answer that a test sees against the OpenAPI document: a status or a body it does not declare is a failure. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as the plain JSON that it is.
type Json = any;

/** Answers from before routing, which no operation lists. */
const OF_THE_TRANSPORT = new Set([405, 414, 431]);

export class Contract {
  readonly #document: Json;
  /** Whether the document is one at all is checked elsewhere, and once. */
  readonly #ajv = new Ajv2020({ strict: false, validateSchema: false });
  readonly #patterns: [template: string, pattern: RegExp][];

  constructor(document: Json) {
    this.#document = document;
    this.#patterns = Object.keys(document.paths).map((template) => [
      template,
      new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
    ]);
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(document, 'openapi');
  }

  check(method: string, path: string, status: number, body: unknown): void {
    const operation = this.#find(method, path);
    if (!operation || OF_THE_TRANSPORT.has(status)) return;
    const declared = operation.node.responses[status];
    if (!declared) throw new Error(`${method} ${path} answered ${status}, which the contract does not declare`);
    // Errors are declared once for all operations.
    const place = declared.$ref
      ? declared.$ref.slice(2).split('/')
      : ['paths', operation.template, method.toLowerCase(), 'responses', String(status)];
    const response = place.reduce((node: Json, part: string) => node[part], this.#document);
    if (!response.content?.['application/json']) return;
    const pointer = [...place, 'content', 'application/json', 'schema'];
    const validate = this.#ajv.getSchema(`openapi#/${pointer.map(encodePointer).join('/')}`);
    if (!validate?.(body)) throw new Error(`${method} ${path} ${status}: ${this.#ajv.errorsText(validate?.errors)}`);
  }

  #find(method: string, path: string): { template: string; node: Json } | null {
    const pathname = path.split('?')[0] ?? '';
    for (const [template, pattern] of this.#patterns) {
      const node = this.#document.paths[template][method.toLowerCase()];
      if (node && pattern.test(pathname)) return { template, node };
    }
    return null;
  }
}

const encodePointer = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
