import { cut } from '../../shared/cut.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { CleanRecord, CleanText } from '../redact/clean.ts';
import { Listeners } from '../../shared/queue.ts';
import type { Logger, LogSink, Redactor } from './services.ts';

const DEPTH_MAX = 4;
const MEMBERS_MAX = 32;
const TEXT_UNITS = 4_000;

/**
 * Facts of a log line as bounded JSON, captured when the line is logged. An error becomes its name, code,
 * message, stack and cause: a serialiser that runs later would write unredacted data. Never throws.
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

type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** One redacted line of the server's log. */
export interface LogLine {
  readonly level: LogLevel;
  /** With `client` (its session's id) and `call_id` if the line is about a call. */
  readonly facts: CleanRecord;
  readonly message: CleanText;
}

/** Lets adapters hear log lines. */
export interface LogSource {
  /** Calls back with every line, even below the sink's level. Returns an unsubscribe function. */
  onLine(listener: (line: LogLine) => void): () => void;
}

/**
 * The server's logger: redacts each line, writes it to the sink and passes it to the listeners. It never
 * throws: the sink may be the caller's own, and its failure must not fail the logged work.
 */
export function createLogFeed(
  sink: LogSink,
  redactor: Pick<Redactor, 'value'>,
): LogSource & { readonly logger: Logger } {
  const listeners = new Listeners<LogLine>();
  const logger = loggerOf((level, raw, text) => {
    const { facts, message } = redactor.value({ facts: describeFacts(raw), message: text });
    try {
      sink[level](facts, message);
    } catch {
      // Nothing is left to report it to.
    }
    listeners.notify({ level, facts, message });
  });
  return { logger, onLine: (listener) => listeners.add(listener) };
}

export function loggerOf(write: (level: keyof Logger, facts: object, message: string) => void): Logger {
  const at =
    (level: keyof Logger) =>
    (facts: object, message: string): void =>
      write(level, facts, message);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
