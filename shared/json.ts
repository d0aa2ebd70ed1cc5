import { z } from 'zod';

/** Any value that JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

// Content scripts import the guards of this file: the schemas are marked as pure, so that a build leaves them out.

/** Any JSON value of a peer of ours that has just been parsed: taken as it is, not looked into. */
export const Json = /* @__PURE__ */ z.custom<JsonValue>((value) => value !== undefined);

/** @throws SyntaxError as `JSON.parse` does */
export const parseJson = (text: string): JsonValue => Json.parse(JSON.parse(text));

/** Whether a value is an object that is not a list: of JSON or of anything that was parsed as JSON. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Array.isArray`, which would turn a read-only list into `any[]`. */
export const isJsonList = (value: JsonValue | undefined): value is readonly JsonValue[] =>
  Array.isArray(value);

/** A JSON object whose members are not looked into. */
export const JsonRecord = /* @__PURE__ */ z.record(/* @__PURE__ */ z.string(), Json);
