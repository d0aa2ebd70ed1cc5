import browser from 'webextension-polyfill';
import * as z from 'zod/mini';
import type { DebuggerEvent, DebuggerLease } from '../chromium/debugger/sessions.ts';

const Created = z.object({
  context: z.object({ id: z.int(), origin: z.string(), auxData: z.object({ frameId: z.string() }) }),
});
const Destroyed = z.object({ executionContextId: z.int() });

interface Context {
  readonly session: string | null;
  readonly id: number;
  /** The debugger's id of the frame. */
  readonly frameId: string;
}

/** The execution contexts in which our own scripts run in the documents of a tab. */
export class OwnContexts {
  readonly #lease: DebuggerLease;
  readonly #origin = new URL(browser.runtime.getURL('')).origin;
  #known: Context[] = [];

  /** Begins to listen: the debugger announces each context only once. */
  constructor(lease: DebuggerLease) {
    this.#lease = lease;
    lease.onEvent((event) => this.#take(event));
  }

  /** The context of a frame; null if our script is not in it. @throws SpillwayError of the debugger */
  async of(session: string | null, frameId: string): Promise<number | null> {
    const known = (): number | null =>
      this.#known.findLast((context) => context.session === session && context.frameId === frameId)?.id ??
      null;
    // The domain of a frame's session may have been disabled since, and then nobody reported that a context ended.
    const first = session === null ? known() : null;
    if (first !== null) return first;
    // Contexts are announced when this domain is enabled, which may have been before we began to listen.
    await this.#lease.send('Runtime.disable', {}, { sessionId: session });
    this.#forget(session);
    await this.#lease.send('Runtime.enable', {}, { sessionId: session });
    return known();
  }

  #forget(session: string | null): void {
    this.#known = this.#known.filter((context) => context.session !== session);
  }

  #take({ sessionId: session, method, params }: DebuggerEvent): void {
    if (method === 'Runtime.executionContextsCleared') this.#forget(session);
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
    this.#known.push({ session, id, frameId: auxData.frameId });
  }
}
