import type { CleanRecord, CleanText } from '../redact/clean.ts';
import type { ClientSession } from './context.ts';
import { Listeners } from './listeners.ts';
import { describeFacts } from './log-facts.ts';
import type { Logger, LogSink, Redactor } from './services.ts';

type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** One redacted line of the server's log. */
export interface LogLine {
  readonly level: LogLevel;
  /** With `client` (the id of its session) and `call_id` where the line is about a call. */
  readonly facts: CleanRecord;
  readonly message: CleanText;
}

/** Lets adapters hear what is logged. */
export interface LogSource {
  /** Calls back with every line, also below the level that the sink keeps. Returns an unsubscribe function. */
  onLine(listener: (line: LogLine) => void): () => void;
}

/**
 * The server's logger: redacts each line, writes it to the sink and passes it to the listeners. It
 * never throws: the sink may be a caller's own, and its failure must not fail what is logged about.
 */
export function createLogFeed(
  sink: LogSink,
  redactor: Pick<Redactor, 'value'>,
): LogSource & { readonly logger: Logger } {
  const listeners = new Listeners<LogLine>();
  const write =
    (level: LogLevel) =>
    (raw: object, text: string): void => {
      const { facts, message } = redactor.value({ facts: describeFacts(raw), message: text });
      try {
        sink[level](facts, message);
      } catch {
        // Nothing is left to report it to.
      }
      listeners.notify({ level, facts, message });
    };
  return {
    logger: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    onLine: (listener) => listeners.add(listener),
  };
}

/** The same logger, each line of which says whose call it is about. */
export function callLogger(
  logger: Logger,
  call: { readonly callId: string; readonly session: Pick<ClientSession, 'id'>; readonly tool: string },
): Logger {
  const { callId, session, tool } = call;
  const whose = { client: session.id, call_id: callId, tool: tool.slice(0, 64) };
  const write =
    (level: LogLevel) =>
    (facts: object, message: string): void =>
      logger[level]({ ...whose, ...facts }, message);
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
