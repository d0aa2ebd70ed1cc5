import { isJsonList, isObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { jsonIn } from '../base/json-schema.ts';
import { RECIPE_LIMITS } from './recipe.ts';

/*
 * References of a recipe to its parameters and to what earlier steps answered. They are paths, not
 * expressions: nothing is computed, so that none of them can take long.
 */

/** A path such as `steps.open.structured.items[0].url`, in parts. */
export type ReferencePath = readonly (string | number)[];

/** A reference, and its place. */
export interface WrittenReference {
  readonly text: string;
  /** Null if it is not a path. */
  readonly path: ReferencePath | null;
  /** Such as `steps[0].args.url`. */
  readonly where: string;
}

/** A reference leads to nothing. */
export class BadReference extends Error {
  constructor(
    readonly reference: string,
    why: string,
  ) {
    super(`{{${reference}}}: ${why}`);
  }
}

/** One part of a path: `.name`, `[0]` or `["any key"]`. */
const PART = /\.?([A-Za-z_$][\w$-]*)|\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]/y;
/** A reference within a text. */
const WITHIN = /\{\{([^{}]*)\}\}/g;

/** @returns null for what is not a path */
export function parseReference(text: string): ReferencePath | null {
  if (text.length > RECIPE_LIMITS.referenceUnits) return null;
  const parts: (string | number)[] = [];
  PART.lastIndex = 0;
  while (PART.lastIndex < text.length) {
    const at = PART.lastIndex;
    const match = PART.exec(text);
    // A path begins with a name, and every later name follows a dot.
    if (match === null || (match[1] !== undefined && match[0].startsWith('.') === (at === 0))) return null;
    const [, name, index, quoted = ''] = match;
    const part = index === undefined ? (name ?? jsonIn(quoted)) : Number(index);
    if (typeof part !== 'string' && typeof part !== 'number') return null;
    parts.push(part);
  }
  const [root] = parts;
  return root === 'params' || root === 'steps' ? parts : null;
}

/** Undefined if it leads to nothing. Inherited members are never found. */
export function follow(scope: JsonObject, path: ReferencePath): JsonValue | undefined {
  let at: JsonValue | undefined = scope;
  for (const part of path) {
    if (isJsonList(at)) at = typeof part === 'number' ? at[part] : undefined;
    else at = isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined;
  }
  return at;
}

const isReference = (value: JsonObject): boolean => typeof value['$ref'] === 'string';
const isLiteral = (value: JsonObject): boolean => Object.hasOwn(value, '$literal');

/** Every reference of a template, in order. */
export function referencesIn(template: JsonValue | undefined, where: string): readonly WrittenReference[] {
  const written = (text: string): WrittenReference => ({ text, path: parseReference(text), where });
  if (typeof template === 'string')
    return [...template.matchAll(WITHIN)].map(([, text = '']) => written(text.trim()));
  if (isJsonList(template))
    return template.flatMap((part, index) => referencesIn(part, `${where}[${index}]`));
  if (!isObject(template) || isLiteral(template)) return [];
  if (isReference(template)) return [written(String(template['$ref']))];
  return Object.entries(template).flatMap(([key, part]) => referencesIn(part, `${where}.${key}`));
}

/** Places where an object has `$ref` or `$literal` among meaningless members. */
export function findMixedReferences(template: JsonValue | undefined, where: string): readonly string[] {
  if (isJsonList(template))
    return template.flatMap((part, index) => findMixedReferences(part, `${where}[${index}]`));
  if (!isObject(template)) return [];
  const keys = Object.keys(template);
  if (isLiteral(template)) return keys.length > 1 ? [where] : [];
  if (Object.hasOwn(template, '$ref')) {
    const others = keys.filter((key) => key !== '$ref' && key !== 'default');
    return others.length > 0 || !isReference(template) ? [where] : [];
  }
  return Object.entries(template).flatMap(([key, part]) => findMixedReferences(part, `${where}.${key}`));
}

/**
 * A template with its references replaced: `{ "$ref": path }` by the value itself, `{{path}}` in a text by
 * the value as text. Inserted values are data: references in them are not followed.
 * @throws BadReference for a reference that leads to nothing, and a text that becomes too long
 */
export function fillTemplate(template: JsonValue, scope: JsonObject): JsonValue {
  if (typeof template === 'string') return fillText(template, scope);
  if (isJsonList(template)) return template.map((part) => fillTemplate(part, scope));
  if (!isObject(template)) return template;
  if (isLiteral(template)) return template['$literal'] ?? null;
  if (isReference(template)) return find(String(template['$ref']), scope, template['default']);
  return Object.fromEntries(
    Object.entries(template).flatMap(([key, part]) =>
      part === undefined ? [] : [[key, fillTemplate(part, scope)]],
    ),
  );
}

function find(reference: string, scope: JsonObject, otherwise?: JsonValue): JsonValue {
  const path = parseReference(reference);
  if (path === null) throw new BadReference(reference, 'this is not a path');
  const found = follow(scope, path);
  if (found !== undefined) return found;
  if (otherwise !== undefined) return otherwise;
  throw new BadReference(reference, 'there is nothing at this path');
}

function fillText(template: string, scope: JsonObject): string {
  let units = 0;
  return template.replace(WITHIN, (_whole, written: string) => {
    const reference = written.trim();
    const found = find(reference, scope);
    const text = typeof found === 'string' ? found : JSON.stringify(found);
    units += text.length;
    if (units > RECIPE_LIMITS.textUnits)
      throw new BadReference(reference, `the text becomes longer than ${RECIPE_LIMITS.textUnits} characters`);
    return text;
  });
}
