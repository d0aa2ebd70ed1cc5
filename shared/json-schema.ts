import { z } from 'zod';
import type { JsonValue } from './json.ts';

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

/** A JSON object whose members are not inspected. */
export const JsonRecord = z.record(z.string(), Json);
