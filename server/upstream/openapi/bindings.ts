import { type JsonObject, type JsonValue, isObject } from '../../../shared/json.ts';
import { HEADER_NAME } from '../config.ts';
import { resolveObject, textOf, membersOf } from './operations.ts';
import type { ParameterStyle } from './styles.ts';

const PLACES = ['path', 'query', 'header', 'cookie'] as const;
type Place = (typeof PLACES)[number];

export type Binding =
  | {
      readonly at: Place;
      readonly name: string;
      readonly style: ParameterStyle;
      /** Written as JSON, whatever its style: its `content` says so. */
      readonly isJson: boolean;
    }
  | { readonly at: 'field'; readonly name: string }
  | { readonly at: 'body' };

/** Headers that the specification leaves to the client. */
const CLIENT_HEADERS = new Set([
  'accept',
  'content-type',
  'authorization',
  'host',
  'content-length',
  'cookie',
]);

const DEFAULT_STYLES: Readonly<Record<Place, string>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
};

export interface Parameter {
  readonly binding: Extract<Binding, { readonly at: Place }>;
  readonly schema: JsonValue | undefined;
  readonly description: string;
  readonly isRequired: boolean;
}

/** A parameter of a document, or null for one that is not for callers: the configuration or the client sets it. */
export function readParameter(
  root: JsonObject,
  parameter: JsonObject,
  configuredHeaders: ReadonlySet<string>,
): Parameter | null {
  const name = textOf(parameter['name']);
  const at = PLACES.find((place) => place === parameter['in']);
  if (name === '' || at === undefined) return null;
  const header = name.toLowerCase();
  if (
    at === 'header' &&
    (CLIENT_HEADERS.has(header) || configuredHeaders.has(header) || !HEADER_NAME.test(name))
  )
    return null;
  const [content] = Object.entries(resolveObject(root, parameter['content']));
  const style = textOf(parameter['style']) || DEFAULT_STYLES[at];
  const { explode } = parameter;
  return {
    binding: {
      at,
      name,
      style: {
        style,
        isExploded: typeof explode === 'boolean' ? explode : style === 'form',
        allowsReserved: parameter['allowReserved'] === true,
      },
      isJson: content !== undefined && /\bjson\b/i.test(content[0]),
    },
    schema: content === undefined ? parameter['schema'] : resolveObject(root, content[1])['schema'],
    description: textOf(parameter['description']).trim(),
    isRequired: at === 'path' || parameter['required'] === true,
  };
}

type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'binary';

export interface BodyPlan {
  readonly kind: BodyKind;
  readonly mediaType: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: JsonValue;
  /** Its members are arguments of their own; else it is one argument. */
  readonly isFlat: boolean;
  /** Members that are files: their values have `text` or `base64`. */
  readonly files: ReadonlySet<string>;
  readonly styles: ReadonlyMap<string, ParameterStyle>;
  /** Content types of the parts of a multipart body that the document names: the first is the default. */
  readonly partTypes: ReadonlyMap<string, readonly string[]>;
}

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

export function planBody(root: JsonObject, requestBody: JsonObject): BodyPlan | null {
  const offered = membersOf(requestBody['content']);
  for (const [kind, pattern] of KINDS) {
    const found = offered.find(([type]) => pattern.test(type));
    if (found !== undefined) return planAs(root, requestBody, { kind, type: found[0], media: found[1] });
  }
  return null;
}

interface Media {
  readonly kind: BodyKind;
  readonly type: string;
  readonly media: JsonValue;
}

function planAs(root: JsonObject, requestBody: JsonObject, { kind, type, media }: Media): BodyPlan {
  const { schema = {}, encoding } = resolveObject(root, media);
  const resolved = resolveObject(root, schema);
  const members = membersOf(resolved['properties']);
  const hasMembers = kind === 'json' || kind === 'form' || kind === 'multipart';
  const isRequired = requestBody['required'] === true;
  const files = new Set(
    kind === 'multipart' ? members.flatMap(([name, member]) => (isFile(root, member) ? [name] : [])) : [],
  );
  return {
    kind,
    mediaType: type === '*/*' ? 'application/json' : type,
    isRequired,
    description: textOf(requestBody['description']).trim(),
    schema,
    // An optional form that has required members is sent in full: with files, few documents say that it is required.
    isFlat:
      hasMembers && isPlainObject(resolved) && (isRequired || kind !== 'json' || !hasRequired(resolved)),
    files,
    styles: new Map(
      membersOf(encoding).flatMap(([name, value]) => styleOf(name, resolveObject(root, value))),
    ),
    partTypes: new Map(
      membersOf(encoding).flatMap(([name, value]) => {
        const stated = textOf(resolveObject(root, value)['contentType']).split(',');
        const types = stated.map((type) => type.trim()).filter((type) => type !== '');
        return types.length === 0 || types.some((type) => type.includes('*')) ? [] : [[name, types] as const];
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

const hasRequired = ({ required }: JsonObject): boolean => Array.isArray(required) && required.length > 0;

/** Bytes, by the words of 3.0 (`format: binary`) or of 3.1 (`contentMediaType`). A list of files is one, too. */
export function isFile(root: JsonObject, value: JsonValue | undefined, depth = 0): boolean {
  const schema = resolveObject(root, value);
  // A list may contain itself.
  if (schema['type'] === 'array') return depth < LISTS_MAX && isFile(root, schema['items'], depth + 1);
  const { format, contentMediaType, contentEncoding, type } = schema;
  if (format === 'binary' || type === 'file') return true;
  return typeof contentMediaType === 'string' && contentEncoding === undefined && type !== 'object';
}

function styleOf(name: string, encoding: JsonObject): readonly (readonly [string, ParameterStyle])[] {
  const { style, explode, allowReserved } = encoding;
  if (style === undefined && explode === undefined && allowReserved === undefined) return [];
  const stated = textOf(style) || 'form';
  const isExploded = typeof explode === 'boolean' ? explode : stated === 'form';
  return [[name, { style: stated, isExploded, allowsReserved: allowReserved === true }]];
}
