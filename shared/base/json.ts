/** Any value that JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

// Content scripts and the offscreen document import these guards: schemas are in json-schema.ts, with all of Zod.

/** Whether a value is an object that is not a list, in JSON or parsed from it. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A string itself, and nothing for any other value. */
export const stringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `Array.isArray`, which would turn a read-only list into `any[]`. */
export const isJsonList = (value: JsonValue | undefined): value is readonly JsonValue[] =>
  Array.isArray(value);

/**
 * JSON in which equal values have equal texts: members in the order of their names (by UTF-16 code units), no
 * spaces, numbers and strings as in `JSON.stringify` (RFC 8785). Both ends hash the arguments of a call in
 * this form, and the ledger its lines.
 */
export function canonicalJson(value: JsonValue): string {
  if (isJsonList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .flatMap((name) => {
      const member = value[name];
      return member === undefined ? [] : [`${JSON.stringify(name)}:${canonicalJson(member)}`];
    });
  return `{${members.join(',')}}`;
}

/** The members that have a value: for types whose optional members are left out, and never undefined. */
export const defined = <T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };

/** The own entry of a table: the name `constructor`, from outside, must not find an inherited one. */
export function lookUp<T>(table: Readonly<Partial<Record<string, T>>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
