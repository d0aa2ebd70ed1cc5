import { randomUUID } from 'node:crypto';
import { createApp, type AppParts } from '../app.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { systemClock as clock, type Logger } from '../core/services.ts';
import { createSession } from '../core/registry/session.ts';
import type { ExecuteRun } from '../scale/run-worker.ts';
import { createOwnedFolder, removeOwnedFolder } from '../machine/owned-folder.ts';
import { settingsSchema } from '../settings.ts';
import { createWorker as createRecipes } from '../tools/recipes/work.ts';
import { createWorker as createScript } from '../tools/script/work.ts';
import { trustAll } from '../upstream/index.ts';

interface RunsOptions {
  readonly logger: Logger;
  readonly launch: {
    readonly headless: boolean;
    readonly browserPath: string | null;
    readonly args: readonly string[];
  };
}

/** The home parks the run. */
const PARKS_NOTHING = { park: toSpillwayError };
const PREFIX = 'spillway-run-';

/** Executes each program with a server of its own, whose browser and folder go with its end. */
export const executeInOwnBrowser =
  ({ logger, launch }: RunsOptions, parts: AppParts = {}): ExecuteRun =>
  async ({ args, recipe, private_sites: privateSites, ...sites }, scope) => {
    const { allowed_sites: allowedSites, denied_sites: deniedSites } = sites;
    const home = createOwnedFolder(PREFIX, logger);
    try {
      const settings = settingsSchema().parse({ home, approvals: 'deny', deniedSites, launch: true });
      const app = createApp(
        {
          ...settings,
          privateSites,
          ...(allowedSites === null ? {} : { allowedSites }),
          launch: settings.launch === null ? null : { ...settings.launch, ...launch },
          logger,
        },
        { ...parts, upstreamParts: { entries: [], trust: trustAll } },
      );
      const { callTool, executor } = app;
      const { registry } = executor;
      const session = createSession(randomUUID(), { registry, signal: scope.signal, name: 'worker' });
      const services = { registry, clock, callTool, parking: PARKS_NOTHING, queue: null, bridge: null };
      const worker =
        recipe === null
          ? createScript(services)
          : createRecipes({ ...services, recipes: { get: () => recipe, all: () => [recipe] } });
      try {
        // Without a browser the program does not begin: another worker may have one.
        await (await app.services()).bridge.ready();
        return await worker.run(args, { ...scope, session });
      } finally {
        await app.close();
      }
    } finally {
      removeOwnedFolder(home);
    }
  };
