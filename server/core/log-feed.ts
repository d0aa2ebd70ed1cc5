import type { JsonObject } from '../../shared/json.ts';
import type { ToolCall } from './calls/call.ts';
import { Listeners } from './listeners.ts';
import type { Logger } from './services.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** One line of the server's log, not redacted yet. */
export interface LogLine {
  readonly level: LogLevel;
  /** With `session` and `call_id` where the line is about a call. */
  readonly facts: object;
  readonly message: string;
}

/** Lets adapters hear what is logged. */
export interface LogSource {
  /** Calls back with every line, whatever the logger keeps. Answers how to stop that. */
  onLine(listener: (line: LogLine) => void): () => void;
  /** Facts as they may leave the server. */
  redact(facts: JsonObject): Promise<JsonObject>;
}

/**
 * A logger that writes to the one that was given, and tells the listeners. It never throws: the one
 * that was given may be a caller's own, and its failure is no failure of what it is told about.
 */
export function createLogFeed(logger: Logger): Pick<LogSource, 'onLine'> & { readonly logger: Logger } {
  const listeners = new Listeners<LogLine>();
  const write =
    (level: LogLevel) =>
    (facts: object, message: string): void => {
      try {
        logger[level](facts, message);
      } catch {
        // There is nobody left to tell.
      }
      listeners.tell({ level, facts, message });
    };
  return {
    logger: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    onLine: (listener) => listeners.add(listener),
  };
}

/** The same logger, each line of which says whose call it is about. */
export function callLogger(logger: Logger, { callId, session, tool }: ToolCall): Logger {
  const whose = { session: session.id, call_id: callId, tool: tool.slice(0, 64) };
  const write =
    (level: LogLevel) =>
    (facts: object, message: string): void =>
      logger[level]({ ...whose, ...facts }, message);
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
