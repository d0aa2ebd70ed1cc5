import type { Logger } from '../../server/core/services.ts';
import { settingsSchema, type AppOptions } from '../../server/settings.ts';

const nothing = (): void => undefined;
export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** A server's options as the command line makes them when no flag is given, but for its log. */
export const appOptions = (home: string, changes: Partial<AppOptions> = {}): AppOptions => ({
  ...settingsSchema().parse({ home }),
  logger: silentLogger,
  ...changes,
});
