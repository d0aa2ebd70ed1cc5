import { z } from 'zod';
import { isObject, type JsonObject, type JsonValue } from './json.ts';

/** Any JSON value of a peer that has just been parsed: accepted without inspection. */
export const Json = z.custom<JsonValue>((value) => value !== undefined);

/** @throws SyntaxError as `JSON.parse` does */
export const parseJson = (text: string): JsonValue => Json.parse(JSON.parse(text));

/** Undefined for a text that is not JSON. */
export function jsonIn(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

export function jsonOrText(text: string): JsonValue {
  const value = jsonIn(text);
  return value === undefined ? text : value;
}

/** Parses a JSON text by a schema; null if either refuses it. */
export function parseAs<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** A JSON object whose members are not inspected. Not a record of zod, which loses a member `__proto__`. */
export const JsonRecord = z.custom<JsonObject>(isObject, 'takes an object').meta({ type: 'object' });

/** A JSON object whose names are from outside, as a map: zod's records lose a member `__proto__`. */
export const jsonMap = <Member>(member: z.ZodType<Member>): z.ZodType<ReadonlyMap<string, Member>> =>
  z
    .custom<object>(isObject)
    .transform((object): unknown => new Map(Object.entries(object)))
    .pipe(z.map(z.string(), member));

/** The same as an object. */
export const jsonMembers = <Member>(member: z.ZodType<Member>): z.ZodType<Readonly<Record<string, Member>>> =>
  jsonMap(member).transform((map) => Object.fromEntries(map));

/** An object as JSON carries it: without members that are undefined. */
export const toJson = (value: object): JsonObject => JsonRecord.parse(JSON.parse(JSON.stringify(value)));

/**
 * Why a Zod schema refused a value, for a message: `a.b: why; c: why`.
 * @param root names the value itself
 */
export const describeIssues = (issues: readonly z.core.$ZodIssue[], root: string): string =>
  issues.map((issue) => describeIssue(issue, root)).join('; ');

const NOUNS: Readonly<Record<string, string>> = { record: 'object', int: 'integer', array: 'list' };

/** One issue. For a union, the accepted shapes, or the error in the one that the value has. */
export function describeIssue(issue: z.core.$ZodIssue, root: string): string {
  const place = issue.path.map(String).join('.') || root;
  if (issue.code === 'invalid_value' && /^Invalid (?:option|input): expected /.test(issue.message))
    return `${place}: takes ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
  const type = /^Invalid input: expected (\w+), received (\w+)$/.exec(issue.message);
  if (type !== null) {
    const [, expected = '', received] = type;
    const noun = NOUNS[expected] ?? expected;
    const takes = `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
    return `${place}: ${received === 'undefined' ? `required; it takes ${takes}` : `takes ${takes}`}`;
  }
  if (issue.code !== 'invalid_union') return `${place}: ${issue.message}`;
  const first = issue.errors.flatMap(([problem]) => problem ?? []);
  const near = first.find(({ code, path }) => code !== 'invalid_type' || path.length > 0);
  if (near !== undefined) return describeIssue({ ...near, path: [...issue.path, ...near.path] }, root);
  const taken = first.map((problem) => ('expected' in problem ? problem.expected : problem.code));
  return taken.length === 0
    ? `${place}: ${issue.message}`
    : `${place}: takes ${taken.join(' or ')}, such as ${exampleAt(issue.path, taken)}`;
}

/** The member with its own name, but never its value, which may be a secret. */
function exampleAt(path: readonly PropertyKey[], taken: readonly string[]): string {
  const value = taken.includes('string') ? '"…"' : '…';
  const name = path.at(-1);
  return typeof name === 'string' ? `{${JSON.stringify(name)}: ${value}}` : value;
}
