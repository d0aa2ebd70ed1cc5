import type { z } from 'zod';
import type { JsonObject } from '../shared/json.ts';
import { MANIFESTS } from '../shared/tools/index.ts';
import { withOutputFields } from './core/augment.ts';
import { Executor } from './core/executor.ts';
import { inputJsonSchema } from './core/json-schema.ts';
import { buildRegistry } from './core/registry.ts';
import { loadMode } from './modes/loader.ts';
import type { AppOptions } from './options.ts';
import type { Services } from './services.ts';

/** A running server without an adapter. */
export interface App {
  readonly executor: Executor;
  /** Loads the rest before the first call wants it. */
  warmUp(): void;
  setClients(clients: readonly { readonly name: string; readonly version: string }[]): void;
  /** Ends connections, the launched browser and the sweeper; waits for the journal. Idempotent. */
  close(): Promise<void>;
}

/**
 * Puts a server together. What `tools/list` needs is made here; the store, the bridge and the
 * runtimes are loaded by the first call or by {@link App.warmUp}.
 */
export function createApp(
  options: AppOptions,
  loadServices: () => Promise<Services> = async () => (await import('./services.ts')).createServices(options),
): App {
  let loading: Promise<Services> | null = null;
  let clients: readonly { readonly name: string; readonly version: string }[] = [];
  let closed = false;
  const services = (): Promise<Services> => {
    loading ??= loadServices().then((made) => {
      made.bridge.setClients(clients);
      return made;
    });
    return loading;
  };
  const executor = new Executor({
    registry: buildRegistry({
      manifests: MANIFESTS,
      augmentations: [withOutputFields],
      mode: loadMode(options.mode),
      toJsonSchema: (schema: z.ZodObject): JsonObject => inputJsonSchema(schema),
    }),
    services,
    outputModeDefault: options.outputModeDefault,
    contentBoundaries: options.contentBoundaries,
  });
  return {
    executor,
    warmUp: () => {
      services().catch((thrown: unknown) => options.logger.error({ err: thrown }, 'services did not load'));
    },
    setClients: (named) => {
      clients = named;
      if (loading !== null)
        void loading.then((made) => made.bridge.setClients(clients)).catch(() => undefined);
    },
    close: async () => {
      if (closed) return;
      closed = true;
      if (loading !== null) await (await loading).close();
    },
  };
}
