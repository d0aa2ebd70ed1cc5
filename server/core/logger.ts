import { withOwnCommands } from './machine/command-line.ts';
import type { CleanRecord, CleanText } from '../libraries/redaction/clean.ts';
import type { LogSink } from './services.ts';
import type { KnownSecrets } from './secrets.ts';
import { lazy } from '../../shared/base/async.ts';
import { toSpillwayError } from '../../shared/base/errors.ts';
import { createRedactor } from '../libraries/redaction/index.ts';

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

type Method = Exclude<LogLevel, 'silent'>;

/**
 * pino on stderr. The first logged line loads it: most sessions log nothing, and a start should be fast.
 * Lines keep their order; the destination is synchronous, so that a line is out before the process can end.
 */
export function createLogSink(level: LogLevel, load = () => import('pino')): LogSink {
  const pino = lazy(async (): Promise<LogSink> => {
    const { default: create } = await load();
    const to = create.destination({ dest: 2, sync: true });
    const sink: LogSink = create({ level, base: { pid: process.pid } }, to);
    return sink;
  });
  const enabledFrom = LOG_LEVELS.indexOf(level);
  const log = (method: Method, facts: CleanRecord, message: CleanText): void => {
    if (LOG_LEVELS.indexOf(method) > enabledFrom) return;
    // A line that cannot be written is lost, not the server.
    pino().then(
      (logger) => logger[method](facts, message),
      () => undefined,
    );
  };
  return {
    debug: (facts, message) => log('debug', facts, message),
    info: (facts, message) => log('info', facts, message),
    warn: (facts, message) => log('warn', facts, message),
    error: (facts, message) => log('error', facts, message),
  };
}

/** A fatal error may quote anything, so it is always redacted. */
let redactor = createRedactor({ enabled: true });

/** From now on these values are redacted too. */
export function protect({ known: secrets, learned }: KnownSecrets): void {
  redactor = createRedactor({ enabled: true, secrets, learned });
}

const clean = (text: string): CleanText => redactor.text(withOwnCommands(text));

/** stderr: standard output may belong to a protocol. */
function write(text: CleanText): void {
  process.stderr.write(text);
}

/** Prints a message on stderr, redacted. */
export function printMessage(text: string): void {
  write(clean(text));
}

export function printError(thrown: unknown): void {
  write(errorText(thrown));
}

/** A failure as its message, hint and code; a bug in Spillway with its stack. */
export function errorText(thrown: unknown): CleanText {
  const { code, message, hint, stack } = toSpillwayError(thrown);
  const source = thrown instanceof Error ? thrown.stack : stack;
  const defect = code === 'internal_error' && source !== undefined ? `${source}\n` : '';
  return clean(`spillway: ${message}\n  ${hint} (${code})\n${defect}`);
}
