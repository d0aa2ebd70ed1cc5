import type { Logger } from '../../server/core/services.ts';
import { settingsSchema, type AppOptions } from '../../server/core/settings.ts';

const nothing = (): void => undefined;
export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** The command line's default options, except for the log. */
export const appOptions = (home: string, changes: Partial<AppOptions> = {}): AppOptions => ({
  ...settingsSchema().parse({ home }),
  logger: silentLogger,
  ...changes,
});
