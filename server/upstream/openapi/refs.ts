import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';

/** A chain of references that is longer than this does not end. */
const HOPS_MAX = 32;

/** What a reference within a document points at; undefined if there is nothing. Nothing inherited is found. */
export function lookUp(root: JsonObject, reference: string): JsonValue | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let found: JsonValue | undefined = root;
  for (const segment of reference.slice(2).split('/')) {
    const key = plain(segment).replaceAll('~1', '/').replaceAll('~0', '~');
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

function plain(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
