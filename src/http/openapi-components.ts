/** Says once what the OpenAPI document would say many times: every schema with a title, and parameters that repeat. */

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as the plain JSON that it is.
type Json = any;

export function moveToComponents({ paths, components, ...rest }: Json): Json {
  const simple = changeSchemas({ paths, components }, simplified);
  const schemas: Record<string, Json> = {};
  const moved = changeSchemas(simple, intoReferences(simple, schemas));
  const parameters = moveParameters(moved.paths);
  return {
    ...rest,
    paths: moved.paths,
    components: { ...moved.components, parameters: inOrder(parameters), schemas: inOrder(schemas) },
  };
}

/** What holds values: there is no schema in it, whatever its members are called. */
const OF_VALUES = new Set(['example', 'examples', 'default', 'const', 'enum', 'required']);

/** A copy in which every schema was changed, the inner ones first. What are no schemas have neither title nor type. */
function changeSchemas(node: Json, change: (schema: Json) => Json, isByName = false): Json {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => changeSchemas(item, change));
  const entries = Object.entries(node).map(([name, value]) => {
    if (isByName) return [name, changeSchemas(value, change)];
    return [name, OF_VALUES.has(name) ? value : changeSchemas(value, change, name === 'properties')];
  });
  return isByName ? Object.fromEntries(entries) : change(Object.fromEntries(entries));
}

/** A choice of constants is an enum, and null one more type: shorter, and what generators of clients know best. */
function simplified({ anyOf, ...schema }: Json): Json {
  if (!anyOf) return schema.type ? { type: schema.type, ...schema } : schema;
  const [first, second] = anyOf;
  if (anyOf.every((one: Json) => one.const !== undefined && one.type === first.type))
    return { type: first.type, enum: anyOf.map((one: Json) => one.const), ...schema };
  const isPlainOrNull = typeof first.type === 'string' && !first.title && second.type === 'null' && anyOf.length === 2;
  if (!isPlainOrNull) return { anyOf, ...schema };
  return { ...first, type: [first.type, 'null'], ...(first.enum && { enum: [...first.enum, null] }), ...schema };
}

/** Turns schemas with a title into references. What they describe otherwise than others of the title stands beside it. */
function intoReferences(document: Json, schemas: Record<string, Json>): (schema: Json) => Json {
  const titled: Json[] = [];
  changeSchemas(document, (schema) => {
    if (typeof schema.title === 'string') titled.push(schema);
    return schema;
  });
  const byTitle = Map.groupBy(titled, ({ title }) => title);
  // Some stand in a hundred places: what these have in common is found out once.
  const commonByTitle = new Map([...byTitle].map(([title, same]) => [title, commonNames(same)]));
  return (schema) => {
    const { title, ...members } = schema;
    const names = commonByTitle.get(title);
    if (!names) return schema;
    const own: Json = {};
    const common = schemas[title] ?? {};
    schemas[title] = common;
    for (const [name, value] of Object.entries(members)) (names.has(name) ? common : own)[name] = value;
    return { $ref: `#/components/schemas/${title}`, ...own };
  };
}

function commonNames(same: Json[]): Set<string> {
  const names = new Set(same.flatMap((schema) => Object.keys(schema)));
  return new Set([...names].filter((name) => isCommon(name, same)));
}

/** Examples may be left out in places, a description or a default may not; the rest is the same or has another title. */
function isCommon(name: string, same: Json[]): boolean {
  const asked = name === 'examples' ? same.filter(({ examples }) => examples) : same;
  if (new Set(asked.map((schema) => JSON.stringify(schema[name]))).size === 1) return true;
  if (['examples', 'description', 'default'].includes(name)) return false;
  throw new Error(`two schemas with the title ${same[0].title} differ in ${name}: give one of them another title`);
}

/** Of each parameter the form that most operations have, if several do, is moved. */
function moveParameters(paths: Json): Record<string, Json> {
  const operations = Object.values<Json>(paths).flatMap(Object.values<Json>);
  const all = operations.flatMap(({ parameters = [] }) => parameters.map((one: Json) => JSON.stringify(one)));
  const uses = [...Map.groupBy(all, (one) => one)].sort(([, a], [, b]) => b.length - a.length);
  const moved: Record<string, Json> = {};
  const references = new Map<string, Json>();
  for (const [text, { length }] of uses) {
    const parameter = JSON.parse(text);
    const name = `${parameter.in}.${parameter.name}`;
    if (length === 1 || moved[name]) continue;
    moved[name] = parameter;
    references.set(text, { $ref: `#/components/parameters/${name}` });
  }
  for (const operation of operations)
    operation.parameters &&= operation.parameters.map((one: Json) => references.get(JSON.stringify(one)) ?? one);
  return moved;
}

const inOrder = (named: Record<string, Json>) =>
  Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));
