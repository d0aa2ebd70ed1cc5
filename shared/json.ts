import { z } from 'zod';

/** Any value that JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** Any JSON value of a peer of ours that has just been parsed: taken as it is, not looked into. */
export const Json = z.custom<JsonValue>((value) => value !== undefined);

/** A JSON object whose members are not looked into. */
export const JsonRecord = z.record(z.string(), Json);
