import type { JsonObject } from '../../shared/json.ts';
import type { Redactor } from '../core/services.ts';
import type { Clean } from '../redact/clean.ts';

export type MakeClean = <T extends JsonObject>(value: T) => Clean<T>;

/**
 * Redacts what people at the browsers are shown. What another server of the home has written may hold a secret that this
 * one alone knows, and what another server of MCP has answered may hold any.
 */
export const cleanBy =
  (redactor: Redactor): MakeClean =>
  <T extends JsonObject>(value: T): Clean<T> =>
    redactor.value(value);
