import * as z from 'zod/mini';

const Created = z.object({
  context: z.object({ id: z.int(), origin: z.string(), auxData: z.object({ frameId: z.string() }) }),
});
const Destroyed = z.object({ executionContextId: z.int() });

interface Context {
  /** A session below the tab; null for the tab's own. */
  readonly session: string | null;
  readonly id: number;
  /** The debugger's id of the frame. */
  readonly frameId: string;
}

/**
 * The execution contexts of our own scripts in a tab's documents, as far as the Runtime domain of their
 * session is enabled. The debugger announces each context only once, so they are recorded for all leases of
 * the attachment.
 */
export class OwnContexts {
  readonly #origin = new URL(chrome.runtime.getURL('')).origin;
  #known: readonly Context[] = [];

  /** The context of a frame; null if our script is not in it. */
  of(session: string | null, frameId: string): number | null {
    const isOf = (context: Context): boolean => context.session === session && context.frameId === frameId;
    return this.#known.findLast(isOf)?.id ?? null;
  }

  /** The contexts in the documents that a session draws. */
  in(session: string | null): readonly Context[] {
    return this.#known.filter((context) => context.session === session);
  }

  /**
   * The debugger no longer reports the contexts of a session, and will announce all of them again when it
   * does.
   */
  forget(session: string | null): void {
    this.#known = this.#known.filter((context) => context.session !== session);
  }

  take(session: string | null, method: string, params: object): void {
    if (method === 'Runtime.executionContextsCleared') this.forget(session);
    if (method === 'Runtime.executionContextDestroyed') {
      const { data } = Destroyed.safeParse(params);
      this.#known = this.#known.filter(
        (context) => context.session !== session || context.id !== data?.executionContextId,
      );
    }
    if (method !== 'Runtime.executionContextCreated') return;
    const { data } = Created.safeParse(params);
    if (data?.context.origin !== this.#origin) return;
    const { id, auxData } = data.context;
    this.#known = [...this.#known, { session, id, frameId: auxData.frameId }];
  }
}
