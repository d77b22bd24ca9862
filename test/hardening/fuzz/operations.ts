/** The operations of the OpenAPI document, as plain as the fuzzer needs them. */

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as the plain JSON that it is.
export type Json = any;

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required: boolean;
  schema: Json;
}

export interface Operation {
  /** As `POST /api/ingest`. */
  name: string;
  method: string;
  template: string;
  parameters: Parameter[];
  body: { media: string; schema: Json; required: boolean; pointer: string } | null;
  /** By status: the media type and where its schema is; null for an answer without a body. */
  answers: Record<string, { media: string; pointer: string } | null>;
}

export function operationsOf(document: Json): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([template, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => {
      const at = ['paths', template, method];
      const [media, content] = Object.entries<Json>(operation.requestBody?.content ?? {})[0] ?? [];
      return {
        name: `${method.toUpperCase()} ${template}`,
        method: method.toUpperCase(),
        template,
        parameters: resolve(document, operation.parameters ?? []),
        body: media
          ? {
              media,
              schema: resolve(document, content.schema),
              required: operation.requestBody.required,
              pointer: pointerTo([...at, 'requestBody', 'content', media, 'schema']),
            }
          : null,
        answers: Object.fromEntries(
          Object.entries<Json>(operation.responses).map(([status, response]) => {
            const place = response.$ref ? response.$ref.slice(2).split('/') : [...at, 'responses', status];
            const [media] = Object.keys(resolve(document, response).content ?? {});
            const pointer = pointerTo([...place, 'content', media ?? '', 'schema']);
            return [status, media ? { media, pointer } : null];
          }),
        ),
      };
    }),
  );
}

const pointerTo = (parts: string[]) =>
  `openapi#/${parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;

/** With every reference replaced by what it refers to and what stands beside it; our schemas have no cycles. */
function resolve(document: Json, node: Json): Json {
  if (Array.isArray(node)) return node.map((item) => resolve(document, item));
  if (typeof node !== 'object' || node === null) return node;
  if (node.$ref) {
    const { $ref, ...beside } = node;
    const found = $ref
      .slice(2)
      .split('/')
      .reduce((parent: Json, part: string) => parent[part], document);
    return resolve(document, { ...found, ...beside });
  }
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolve(document, value)]));
}
