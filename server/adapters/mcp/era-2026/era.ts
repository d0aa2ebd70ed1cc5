import { onAbort } from '../../../../shared/async/abort.ts';
import { Subscriptions } from '../subscriptions.ts';
import type { McpServerOptions } from '../scope.ts';
import type { Begun } from './exchange.ts';
import type { Sessions } from './sessions.ts';
import { Tasks } from './tasks.ts';
import type { ServerNotifier } from '@modelcontextprotocol/server';
import { z } from 'zod';

export interface Era {
  readonly options: McpServerOptions;
  readonly sessions: Sessions;
  readonly tasks: Tasks;
  /** Calls whose clients have been asked something, by the state to send with the answer. */
  readonly asked: Map<string, Begun>;
}

export const createEra = (options: McpServerOptions, sessions: Sessions): Era => ({
  options,
  sessions,
  tasks: new Tasks(),
  asked: new Map(),
});

const Listen = z.object({
  method: z.literal('subscriptions/listen'),
  params: z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string().max(4_096)) }) }),
});

/** Follows the resources of `subscriptions/listen`, and says what has changed. The SDK sends it to who has asked for it. */
export class Changes {
  readonly #uris = new Map<unknown, readonly string[]>();
  readonly #subscriptions: Subscriptions | null;

  constructor({ executor, resources }: McpServerOptions, notify: ServerNotifier, signal: AbortSignal) {
    const stops = [
      executor.registry.onChange(() => notify.toolsChanged()),
      resources?.upstreams?.onChange((kind) =>
        kind === 'prompts' ? notify.promptsChanged() : notify.resourcesChanged(),
      ),
    ];
    onAbort(signal, () => stops.forEach((stop) => stop?.()));
    const onUpdate = (uri: string): void => notify.resourceUpdated(uri);
    this.#subscriptions = resources === undefined ? null : new Subscriptions({ resources, signal, onUpdate });
  }

  /** Follows what a message listens to, if it does, until {@link Changes.leave} with the same key. */
  listen(key: unknown, message: unknown): void {
    const uris = Listen.safeParse(message).data?.params.notifications.resourceSubscriptions;
    if (uris === undefined || this.#subscriptions === null) return;
    this.#uris.set(key, uris);
    // A resource that cannot be followed is never updated.
    for (const uri of uris) this.#subscriptions.subscribe(uri).catch(() => undefined);
  }

  leave(key: unknown): void {
    const left = this.#uris.get(key) ?? [];
    this.#uris.delete(key);
    const followed = new Set([...this.#uris.values()].flat());
    for (const uri of left) if (!followed.has(uri)) this.#subscriptions?.unsubscribe(uri);
  }
}
