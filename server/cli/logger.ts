import type { CleanRecord, CleanText } from '../redact/clean.ts';
import type { LogSink } from '../core/services.ts';

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Method = Exclude<LogLevel, 'silent'>;

/**
 * pino on stderr. It is loaded with the first line that is logged: most sessions log nothing, and
 * a start has no time to lose. Lines keep their order; the destination is synchronous, so that a
 * line is out before the process can end.
 */
export function createLogSink(level: LogLevel): LogSink {
  let pino: Promise<LogSink> | null = null;
  const enabledFrom = LOG_LEVELS.indexOf(level);
  const log = (method: Method, facts: CleanRecord, message: CleanText): void => {
    if (LOG_LEVELS.indexOf(method) > enabledFrom) return;
    pino ??= import('pino').then((module) =>
      module.default(
        { level, base: { pid: process.pid } },
        module.default.destination({ dest: 2, sync: true }),
      ),
    );
    void pino.then((logger) => logger[method](facts, message));
  };
  return {
    debug: (facts, message) => log('debug', facts, message),
    info: (facts, message) => log('info', facts, message),
    warn: (facts, message) => log('warn', facts, message),
    error: (facts, message) => log('error', facts, message),
  };
}
