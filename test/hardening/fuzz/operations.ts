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
  body: { schema: Json; required: boolean; pointer: string } | null;
  /** By status: the media type and where its schema is; null for an answer without a body. */
  answers: Record<string, { media: string; pointer: string } | null>;
}

export function operationsOf(document: Json): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([template, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => {
      const at = ['paths', template, method];
      const content = operation.requestBody?.content?.['application/json'];
      return {
        name: `${method.toUpperCase()} ${template}`,
        method: method.toUpperCase(),
        template,
        parameters: (operation.parameters ?? []).map((parameter: Json) => ({
          ...parameter,
          schema: resolve(document, parameter.schema),
        })),
        body: content
          ? {
              schema: resolve(document, content.schema),
              required: operation.requestBody.required,
              pointer: pointerTo([...at, 'requestBody', 'content', 'application/json', 'schema']),
            }
          : null,
        answers: Object.fromEntries(
          Object.entries<Json>(operation.responses).map(([status, response]) => {
            const [media] = Object.keys(response.content ?? {});
            const pointer = pointerTo([...at, 'responses', status, 'content', media ?? '', 'schema']);
            return [status, media ? { media, pointer } : null];
          }),
        ),
      };
    }),
  );
}

const pointerTo = (parts: string[]) =>
  `openapi#/${parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;

/** With every reference replaced by what it refers to; our schemas have no cycles. */
function resolve(document: Json, schema: Json): Json {
  if (Array.isArray(schema)) return schema.map((item) => resolve(document, item));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (schema.$ref) {
    const found = schema.$ref
      .slice(2)
      .split('/')
      .reduce((node: Json, part: string) => node[part], document);
    return resolve(document, found);
  }
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, resolve(document, value)]));
}
