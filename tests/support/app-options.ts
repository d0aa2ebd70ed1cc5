import type { AppOptions } from '../../server/options.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { Logger } from '../../server/core/services.ts';

const nothing = (): void => undefined;
export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** A server's options as the command line makes them when no flag is given, but for its log. */
export const appOptions = (home: string, changes: Partial<AppOptions> = {}): AppOptions => ({
  home,
  mode: 'default',
  outputModeDefault: 'inline',
  handleTtlHours: LIMITS.outputHandleTtlHours,
  sweepIntervalSeconds: LIMITS.outputHandleSweepIntervalSeconds,
  pageBytes: LIMITS.outputPageBytes,
  maxBytes: LIMITS.outputMaxBytes,
  sanitizeContent: true,
  contentBoundaries: false,
  networkCapture: false,
  networkBufferBytes: LIMITS.networkBufferBytes,
  syncWaitMs: LIMITS.syncWaitMs,
  launch: null,
  logger: silentLogger,
  ...changes,
});
