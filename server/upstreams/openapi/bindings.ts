import {
  type JsonObject,
  type JsonValue,
  isJsonList,
  isObject,
  stringOrEmpty,
} from '../../../shared/base/json.ts';
import { sha256 } from '../../core/machine/files.ts';
import { HEADER_NAME } from '../config.ts';
import { followReference } from '../../core/record-schema.ts';

/** How the value of a parameter is written (OpenAPI 3.1.1, "Style Values"). */
export interface ParameterStyle {
  readonly style: string;
  readonly isExploded: boolean;
  /** Characters with a meaning in an address stay unescaped. */
  readonly allowsReserved?: boolean;
}

const PLACES = ['path', 'query', 'header', 'cookie'] as const;
const DEFAULT_STYLES = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' };

export type Binding =
  | {
      readonly at: (typeof PLACES)[number];
      readonly name: string;
      readonly style: ParameterStyle;
      /** Written as JSON, whatever its style, because its `content` says so. */
      readonly isJson: boolean;
    }
  | {
      readonly at: 'field';
      readonly name: string;
      /** A body that is sent must have it. */
      readonly isNeeded: boolean;
    }
  | { readonly at: 'body' };

/** Headers that the specification leaves to the client. */
const CLIENT_HEADERS = new Set('accept content-type authorization host content-length cookie'.split(' '));

function styleOf({ style, explode, allowReserved }: JsonObject, preset: string): ParameterStyle {
  const stated = stringOrEmpty(style) || preset;
  const isExploded = typeof explode === 'boolean' ? explode : stated === 'form';
  return { style: stated, isExploded, allowsReserved: allowReserved === true };
}

export type Parameter = NonNullable<ReturnType<typeof readParameter>>;

/** A document's parameter, or null for one that callers cannot set: the configuration or the client sets it. */
export function readParameter(
  root: JsonObject,
  parameter: JsonObject,
  configuredHeaders: ReadonlySet<string>,
) {
  const name = stringOrEmpty(parameter['name']);
  const at = PLACES.find((place) => place === parameter['in']);
  if (name === '' || at === undefined) return null;
  const header = name.toLowerCase();
  if (
    at === 'header' &&
    (CLIENT_HEADERS.has(header) || configuredHeaders.has(header) || !HEADER_NAME.test(name))
  )
    return null;
  const [content] = Object.entries(resolveObject(root, parameter['content']));
  const isJson = content !== undefined && /\bjson\b/i.test(content[0]);
  return {
    binding: { at, name, style: styleOf(parameter, DEFAULT_STYLES[at]), isJson },
    schema: content === undefined ? parameter['schema'] : resolveObject(root, content[1])['schema'],
    description: stringOrEmpty(parameter['description']).trim(),
    isRequired: at === 'path' || parameter['required'] === true,
  };
}

type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'binary';

export type BodyPlan = NonNullable<ReturnType<typeof planBody>>;

/** The first of these that a document offers. */
const KINDS: readonly (readonly [BodyKind, RegExp])[] = [
  ['json', /^application\/json\b/i],
  ['json', /[/+]json\b/i],
  ['form', /^application\/x-www-form-urlencoded\b/i],
  ['multipart', /^multipart\//i],
  ['json', /^\*\/\*/],
  ['text', /^text\/|[/+](?:xml|yaml|graphql)\b/i],
  ['binary', /^/],
];
/** Lists within lists. */
const LISTS_MAX = 8;
const COMBINED = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'discriminator'];

export function planBody(root: JsonObject, requestBody: JsonObject) {
  const offered = membersOf(requestBody['content']);
  const [kind, pattern] = KINDS.find(([, fits]) => offered.some(([type]) => fits.test(type))) ?? [];
  const [type, media] = offered.find(([each]) => pattern?.test(each)) ?? [];
  if (kind === undefined || type === undefined) return null;
  const { schema = {}, encoding } = resolveObject(root, media);
  const resolved = resolveObject(root, schema);
  const hasMembers = kind === 'json' || kind === 'form' || kind === 'multipart';
  const isRequired = requestBody['required'] === true;
  const files = membersOf(resolved['properties']).filter(([, member]) => isFile(root, member));
  const encodings = membersOf(encoding).map(([name, value]) => [name, resolveObject(root, value)] as const);
  return {
    kind,
    mediaType: type === '*/*' ? 'application/json' : type,
    isRequired,
    description: stringOrEmpty(requestBody['description']).trim(),
    schema,
    /** Its members are separate arguments; otherwise it is one argument. */
    isFlat: hasMembers && isPlainObject(resolved),
    /**
     * Required members are required arguments. An optional form is sent in full: with files, few documents say that it
     * is required.
     */
    isSent: isRequired || kind !== 'json',
    /** Members that are files: their values have `text` or `base64`. */
    files: new Set(kind === 'multipart' ? files.map(([name]) => name) : []),
    styles: new Map(
      encodings
        .filter(([, each]) => ['style', 'explode', 'allowReserved'].some((key) => key in each))
        .map(([name, each]) => [name, styleOf(each, 'form')]),
    ),
    /** Content types that the document names for parts of a multipart body: the first is the default. */
    partTypes: new Map(
      encodings.flatMap(([name, { contentType }]) => {
        const types = stringOrEmpty(contentType)
          .split(',')
          .map((each) => each.trim())
          .filter(Boolean);
        return types.length === 0 || types.some((each) => each.includes('*')) ? [] : [[name, types] as const];
      }),
    ),
  };
}

const isPlainObject = (schema: JsonObject): boolean =>
  isObject(schema['properties']) &&
  Object.keys(schema['properties']).length > 0 &&
  !COMBINED.some((key) => key in schema) &&
  (schema['additionalProperties'] === undefined || schema['additionalProperties'] === false) &&
  schema['nullable'] !== true;

/** Bytes, as 3.0 (`format: binary`) or 3.1 (`contentMediaType`) declare them. So is a list of files. */
export function isFile(root: JsonObject, value: JsonValue | undefined, depth = 0): boolean {
  const schema = resolveObject(root, value);
  // A list may contain itself.
  if (schema['type'] === 'array') return depth < LISTS_MAX && isFile(root, schema['items'], depth + 1);
  const { format, contentMediaType, contentEncoding, type } = schema;
  if (format === 'binary' || type === 'file') return true;
  return typeof contentMediaType === 'string' && contentEncoding === undefined && type !== 'object';
}

/** A longer chain of references never ends. */
const HOPS_MAX = 32;

/** Undefined if there is nothing. Inherited members do not count. */
export const lookUp = (root: JsonObject, reference: string): JsonValue | undefined =>
  /^#(?:\/|$)/.test(reference) ? followReference(root, reference) : undefined;

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
const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const;

/** A document may give them a body, but no request can have it. */
const BODYLESS: ReadonlySet<string> = new Set(['get', 'head']);

/** A request that a document describes, its references followed. */
export type Operation = ReturnType<typeof readOperation>;

/** All operations of a document, in its order. */
export function listOperations(root: JsonObject): readonly Operation[] {
  const found = membersOf(root['paths']).flatMap(([path, value]) => {
    const item = resolveObject(root, value);
    return path.startsWith('/')
      ? METHODS.filter((method) => isObject(item[method])).map((method) =>
          readOperation(root, path, method, item),
        )
      : [];
  });
  return withUniqueNames(found);
}

function readOperation(root: JsonObject, path: string, method: string, item: JsonObject) {
  const operation = item[method];
  const described = isObject(operation) ? operation : {};
  const own = resolveList(root, described['parameters']);
  const shared = resolveList(root, item['parameters']);
  const keyOf = (parameter: JsonObject): string =>
    `${stringOrEmpty(parameter['in'])} ${stringOrEmpty(parameter['name'])}`;
  const owned = new Set(own.map(keyOf));
  const declared = [...shared.filter((parameter) => !owned.has(keyOf(parameter))), ...own];
  // A body among Swagger 2.0's shared parameters becomes an ordinary body.
  const strayBody = declared.find(
    (parameter) => isObject(parameter['content']) && parameter['in'] === undefined,
  );
  const body = resolveObject(root, described['requestBody'] ?? item['requestBody'] ?? strayBody);
  const security = described['security'] ?? root['security'];
  return {
    /** Its `operationId`, or one made of its method and path. Made unique in the document. */
    name: stringOrEmpty(described['operationId']).trim() || buildOperationName(method, path),
    method: method.toUpperCase(),
    path,
    description: formatDescription(described, item),
    /** Including those of the path, unless the operation has its own. */
    parameters: [...declared, ...findUndeclared(path, new Set(declared.map(keyOf)))],
    requestBody: isObject(body['content']) && !BODYLESS.has(method) ? body : null,
    /** Alternatives: the schemes required together, by name. */
    security: isJsonList(security) ? security.filter(isObject) : [],
    servers: described['servers'] ?? item['servers'] ?? root['servers'],
  };
}

/** Undeclared parts of a path: without a value no request could be made. */
const findUndeclared = (path: string, known: ReadonlySet<string>): readonly JsonObject[] =>
  [...new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name))]
    .filter((name) => !known.has(`path ${name}`))
    .map((name) => ({ in: 'path', name, required: true, schema: { type: 'string' } }));

function formatDescription(described: JsonObject, item: JsonObject): string {
  const summary = (stringOrEmpty(described['summary']) || stringOrEmpty(item['summary'])).trim();
  const description = (stringOrEmpty(described['description']) || stringOrEmpty(item['description'])).trim();
  const both = description.startsWith(summary) || summary === '' ? [description] : [summary, description];
  const text = both.filter((part) => part !== '').join('\n');
  return described['deprecated'] === true ? `Deprecated. ${text}` : text;
}

/** `get_pets_petId` for `GET /pets/{petId}`. */
const buildOperationName = (method: string, path: string): string =>
  [method, ...path.split(/[^A-Za-z0-9]+/).filter((part) => part !== '')].join('_');

/**
 * The same at each start, whatever else the document contains: colliding names get a digest of their method
 * and path.
 */
function withUniqueNames(operations: readonly Operation[]): readonly Operation[] {
  const counts = new Map<string, number>();
  for (const { name } of operations) counts.set(name, (counts.get(name) ?? 0) + 1);
  return operations.map((operation) => {
    const { name, method, path } = operation;
    if (counts.get(name) === 1) return operation;
    return { ...operation, name: `${name}_${sha256(`${method} ${path}`).slice(0, 8)}` };
  });
}
