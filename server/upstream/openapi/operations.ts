import { decodePercent } from '../../toolkit/urls.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { createHash } from 'node:crypto';

/** A chain of references that is longer than this does not end. */
const HOPS_MAX = 32;

/** What a reference within a document points at; undefined if there is nothing. Nothing inherited is found. */
export function lookUp(root: JsonObject, reference: string): JsonValue | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let found: JsonValue | undefined = root;
  for (const segment of reference.slice(2).split('/')) {
    const key = decodePercent(segment).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = isJsonList(found) ? found[Number(key)] : found[key];
  }
  return found;
}

/** An object of a document, its references followed; `{}` for anything else. */
export function resolveObject(root: JsonObject, value: JsonValue | undefined): JsonObject {
  let found = value;
  for (let hops = 0; hops < HOPS_MAX; hops++) {
    if (!isObject(found)) return {};
    const reference = found['$ref'];
    if (typeof reference !== 'string') return found;
    found = lookUp(root, reference);
  }
  return {};
}

/** The objects of a list of a document, their references followed. */
export const resolveList = (root: JsonObject, value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.map((entry: JsonValue) => resolveObject(root, entry)) : [];

/** Own members of an object of a document; none for anything else. */
export const membersOf = (value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, member]) => (member === undefined ? [] : [[key, member] as const]))
    : [];

/** A text of a document; empty for anything else. */
export const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const;

/** A document may give them a body, but no request can have it. */
const BODYLESS: ReadonlySet<string> = new Set(['get', 'head']);

/** A request that a document describes, its references followed. */
export interface Operation {
  /** Its `operationId`, or one made of its method and path. Unique in the document. */
  readonly name: string;
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  readonly description: string;
  /** Those of the path are among them, unless the operation has its own. */
  readonly parameters: readonly JsonObject[];
  readonly requestBody: JsonObject | null;
  /** Alternatives: what is required together, by name of a scheme. */
  readonly security: readonly JsonObject[];
  readonly servers: JsonValue | undefined;
}

/** All operations of a document, in its order. */
export function listOperations(root: JsonObject): readonly Operation[] {
  const found = membersOf(root['paths']).flatMap(([path, value]) => {
    const item = resolveObject(root, value);
    return METHODS.flatMap((method) => {
      const described = item[method];
      return isObject(described) && path.startsWith('/')
        ? [read(root, { path, method, item, described })]
        : [];
    });
  });
  return withUniqueNames(found);
}

interface Described {
  readonly path: string;
  readonly method: string;
  readonly item: JsonObject;
  readonly described: JsonObject;
}

function read(root: JsonObject, { path, method, item, described }: Described): Operation {
  const own = resolveList(root, described['parameters']);
  const shared = resolveList(root, item['parameters']);
  const keyOf = (parameter: JsonObject): string => `${textOf(parameter['in'])} ${textOf(parameter['name'])}`;
  const owned = new Set(own.map(keyOf));
  const declared = [...shared.filter((parameter) => !owned.has(keyOf(parameter))), ...own];
  const parameters = [...declared, ...undeclared(path, new Set(declared.map(keyOf)))];
  // A body that Swagger 2.0 had among the shared parameters is converted to a body there.
  const [strayBody] = parameters.filter(
    (parameter) => isObject(parameter['content']) && parameter['in'] === undefined,
  );
  const body = resolveObject(root, described['requestBody'] ?? item['requestBody'] ?? strayBody);
  const security = described['security'] ?? root['security'];
  return {
    name: textOf(described['operationId']).trim() || nameOf(method, path),
    method: method.toUpperCase(),
    path,
    description: describe(described, item),
    parameters,
    requestBody: isObject(body['content']) && !BODYLESS.has(method) ? body : null,
    security: Array.isArray(security) ? security.filter((entry: JsonValue) => isObject(entry)) : [],
    servers: described['servers'] ?? item['servers'] ?? root['servers'],
  };
}

/** Parts of a path that a document forgets to declare: without a value no request could be made. */
const undeclared = (path: string, known: ReadonlySet<string>): readonly JsonObject[] =>
  [...new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name))]
    .filter((name) => !known.has(`path ${name}`))
    .map((name) => ({ in: 'path', name, required: true, schema: { type: 'string' } }));

function describe(described: JsonObject, item: JsonObject): string {
  const summary = (textOf(described['summary']) || textOf(item['summary'])).trim();
  const description = (textOf(described['description']) || textOf(item['description'])).trim();
  const both = description.startsWith(summary) || summary === '' ? [description] : [summary, description];
  const text = both.filter((part) => part !== '').join('\n');
  return described['deprecated'] === true ? `Deprecated. ${text}` : text;
}

/** `get_pets_petId` for `GET /pets/{petId}`. */
const nameOf = (method: string, path: string): string =>
  [method, ...path.split(/[^A-Za-z0-9]+/).filter((part) => part !== '')].join('_');

/** The same at each start, whatever else the document holds: what collides gets a digest of its method and path. */
function withUniqueNames(operations: readonly Operation[]): readonly Operation[] {
  const counts = new Map<string, number>();
  for (const { name } of operations) counts.set(name, (counts.get(name) ?? 0) + 1);
  return operations.map((operation) => {
    const { name, method, path } = operation;
    if (counts.get(name) === 1) return operation;
    const digest = createHash('sha256').update(`${method} ${path}`).digest('hex').slice(0, 8);
    return { ...operation, name: `${name}_${digest}` };
  });
}
