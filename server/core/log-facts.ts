import { cut } from '../../shared/cut.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';

const DEPTH_MAX = 4;
const MEMBERS_MAX = 32;
const TEXT_UNITS = 4_000;

/**
 * Facts of a log line as bounded JSON, taken when the line is logged. An error becomes its name, code,
 * message, stack and cause: a serialiser that runs later would write what no redactor has seen.
 * Never throws.
 */
export function describeFacts(facts: object): JsonObject {
  try {
    return describeMembers(facts, DEPTH_MAX);
  } catch {
    return { facts: 'unreadable' };
  }
}

function describeMembers(value: object, depth: number): JsonObject {
  const members = Object.entries<unknown>({ ...value }).slice(0, MEMBERS_MAX);
  return Object.fromEntries(members.map(([key, member]) => [key, describe(member, depth - 1)]));
}

function describe(value: unknown, depth: number): JsonValue {
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
  if (typeof value === 'string') return cut(value, TEXT_UNITS);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value instanceof Error) return describeError(value, depth);
  if (typeof value !== 'object') return cut(String(value), TEXT_UNITS);
  if (depth <= 0) return '…';
  if (!Array.isArray(value)) return describeMembers(value, depth);
  return value.slice(0, MEMBERS_MAX).map((item: unknown) => describe(item, depth - 1));
}

function describeError(error: Error, depth: number): JsonObject {
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    name: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    message: cut(error.message, TEXT_UNITS),
    ...(error.stack === undefined ? {} : { stack: cut(error.stack, TEXT_UNITS) }),
    ...(error.cause === undefined || depth <= 0 ? {} : { cause: describe(error.cause, depth - 1) }),
  };
}
