import { z } from 'zod';
import type { JsonValue } from './json.ts';

/** Any JSON value of a peer of ours that has just been parsed: taken as it is, not looked into. */
export const Json = z.custom<JsonValue>((value) => value !== undefined);

/** @throws SyntaxError as `JSON.parse` does */
export const parseJson = (text: string): JsonValue => Json.parse(JSON.parse(text));

/** A JSON object whose members are not looked into. */
export const JsonRecord = z.record(z.string(), Json);
