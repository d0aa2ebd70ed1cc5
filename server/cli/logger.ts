import type { Logger } from '../core/services.ts';

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Method = Exclude<LogLevel, 'silent'>;

/**
 * pino on stderr. It is loaded with the first line that is logged: most sessions log nothing, and
 * a start has no time to lose. Lines keep their order; the destination is synchronous, so that a
 * line is out before the process can end.
 */
export function createLogger(level: LogLevel): Logger {
  let pino: Promise<Logger> | null = null;
  const enabledFrom = LOG_LEVELS.indexOf(level);
  const log = (method: Method, facts: object, message: string): void => {
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
