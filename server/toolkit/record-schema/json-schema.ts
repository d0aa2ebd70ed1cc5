import { SpillwayError } from '../../../shared/errors.ts';
import { isObject, isJsonList, type JsonObject, type JsonValue } from '../../../shared/json.ts';

/** Bounds of a schema: a larger schema is an attack, not a description of a record. */
const MOST_BYTES = 256 * 1024;
const MOST_DEPTH = 48;
const MOST_NODES = 5_000;
/** Subschemas that one value may have to be checked against, references followed. */
const MOST_EXPANSION = 20_000;

/** @throws SpillwayError `schema_invalid` */
export function refuseSchema(path: string, why: string): never {
  throw new SpillwayError('schema_invalid', `${path}: ${why}`);
}

/**
 * Raises schemas that are too large, too deep, that refer to other documents, or whose references
 * lead in circles without going deeper into the value.
 * @throws SpillwayError `schema_invalid`, naming the path
 */
export function checkBounds(schema: JsonObject): void {
  let nodes = 0;
  const stack: { value: JsonValue | undefined; path: string; depth: number }[] = [
    { value: schema, path: 'schema', depth: 0 },
  ];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const { value, path, depth } = at;
    if (typeof value !== 'object' || value === null) continue;
    nodes += 1;
    if (depth > MOST_DEPTH) refuseSchema(path, `is nested deeper than ${MOST_DEPTH} levels.`);
    if (nodes > MOST_NODES)
      refuseSchema(path, `comes after ${MOST_NODES} other parts: describe one record in fewer.`);
    if (isObject(value)) checkReference(value, path);
    for (const [key, inner] of Object.entries(value))
      stack.push({ value: inner, path: `${path}/${key}`, depth: depth + 1 });
  }
  // Not before: what is nested without a bound cannot be written.
  if (JSON.stringify(schema).length > MOST_BYTES)
    refuseSchema('schema', `is larger than ${MOST_BYTES / 1024} KiB.`);
  new Expansion(schema).check();
}

function checkReference(value: JsonObject, path: string): void {
  for (const key of ['$ref', '$dynamicRef']) {
    const target = value[key];
    if (typeof target === 'string' && !target.startsWith('#'))
      refuseSchema(
        `${path}/${key}`,
        `"${target.slice(0, 100)}" points outside the schema; only references such as "#/$defs/x" are followed.`,
      );
  }
  if (Object.hasOwn(value, '__proto__')) refuseSchema(path, 'a property cannot be called __proto__.');
}

/** The part of a schema that a local reference names, or undefined. */
export function followReference(root: JsonObject, reference: string): JsonValue | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return findAnchor(root, reference.slice(1));
  let at: JsonValue | undefined = root;
  for (const part of decodeURIComponentSafely(reference.slice(2)).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (isJsonList(at)) at = at[Number(key)];
    else at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function findAnchor(root: JsonObject, name: string): JsonValue | undefined {
  const stack: (JsonValue | undefined)[] = [root];
  for (let at = stack.pop(); stack.length > 0 || at !== undefined; at = stack.pop()) {
    if (isObject(at) && (at['$anchor'] === name || at['$dynamicAnchor'] === name)) return at;
    if (typeof at === 'object' && at !== null) stack.push(...Object.values<JsonValue | undefined>({ ...at }));
  }
  return undefined;
}

/** Keywords whose subschemas see the same value. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];

function partsOf(keyword: string, value: JsonValue | undefined): readonly (JsonValue | undefined)[] {
  if (isJsonList(value)) return value;
  return keyword === 'dependentSchemas' && isObject(value) ? Object.values(value) : [value];
}

/** How many subschemas one value meets: references in a row, or doubled at each step, multiply. */
class Expansion {
  readonly #root: JsonObject;
  readonly #costs = new Map<JsonObject, number>();
  readonly #inFlight = new Set<JsonObject>();

  constructor(root: JsonObject) {
    this.#root = root;
  }

  check(): void {
    const stack: (JsonValue | undefined)[] = [this.#root];
    for (let at = stack.pop(); stack.length > 0 || at !== undefined; at = stack.pop()) {
      if (typeof at !== 'object' || at === null) continue;
      if (isObject(at) && this.#cost(at, 'schema') > MOST_EXPANSION)
        refuseSchema('schema', `its references multiply to more than ${MOST_EXPANSION} checks of one value.`);
      stack.push(...Object.values<JsonValue | undefined>({ ...at }));
    }
  }

  #cost(schema: JsonObject, path: string): number {
    const known = this.#costs.get(schema);
    if (known !== undefined) return known;
    if (this.#inFlight.has(schema)) refuseSchema(path, 'a reference is circular.');
    this.#inFlight.add(schema);
    let cost = 1;
    for (const [inner, innerPath] of this.#partsInPlace(schema, path)) cost += this.#cost(inner, innerPath);
    this.#inFlight.delete(schema);
    this.#costs.set(schema, cost);
    return cost;
  }

  *#partsInPlace(schema: JsonObject, path: string): Generator<[JsonObject, string]> {
    const reference = schema['$ref'] ?? schema['$dynamicRef'];
    if (typeof reference === 'string') {
      const target = followReference(this.#root, reference);
      if (target === undefined)
        refuseSchema(`${path}/$ref`, `there is no ${reference.slice(0, 100)} in the schema.`);
      if (isObject(target)) yield [target, `${path}/$ref`];
    }
    for (const keyword of IN_PLACE) {
      const value = schema[keyword];
      for (const part of partsOf(keyword, value)) if (isObject(part)) yield [part, `${path}/${keyword}`];
    }
  }
}
