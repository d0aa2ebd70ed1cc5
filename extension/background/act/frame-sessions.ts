import * as z from 'zod/mini';
import type { DebuggerLease } from '../chromium/debugger/sessions.ts';
import { frameSession } from './frame-session.ts';

const Evaluated = z.object({ result: z.object({ value: z.optional(z.unknown()) }) });

/** What our script in a document is called, by itself. */
const OWN_ID = `Reflect.get(globalThis, Symbol.for('spillway.page'))?.id`;
const AUTO_ATTACH = {
  autoAttach: true,
  waitForDebuggerOnStart: false,
  flatten: true,
  filter: [{ type: 'iframe', exclude: false }],
};
const ANSWER_MS = 3_000;

/**
 * The debugger's sessions of a tab's frames. A frame that another process draws has one of its own, and input
 * to the tab's session may be lost on its way there. Documents are told apart by the id of our script in
 * them, since the debugger and the extension's API have no other name for a document in common.
 */
export class FrameSessions {
  readonly #lease: DebuggerLease;
  /** By the id of our script. */
  readonly #known = new Map<string, string>();
  /** Sessions that do not draw the document of a script. It stays where it is, so they never will. */
  readonly #others = new Map<string, Set<string>>();

  constructor(lease: DebuggerLease) {
    this.#lease = lease;
  }

  /** The session that draws the document of a script; null is the tab's own. */
  async of(scriptId: string): Promise<string | null> {
    const known = this.#known.get(scriptId);
    if (known !== undefined && this.#lease.sessions().includes(known)) return known;
    if (!this.#lease.autoAttaches(null)) await this.#lease.send('Target.setAutoAttach', AUTO_ATTACH);
    const others = this.#others.get(scriptId) ?? new Set();
    this.#others.set(scriptId, others);
    for (const session of this.#frames()) {
      if (others.has(session)) continue;
      const isSeen = await this.#look(session);
      const found = this.#known.get(scriptId);
      if (found !== undefined) return found;
      if (isSeen) others.add(session);
    }
    return null;
  }

  /** Those of frames; looking at one may bring those within it. */
  *#frames(): Generator<string> {
    const seen = new Set<string>();
    for (let more = true; more;) {
      more = false;
      for (const event of this.#lease.announcements()) {
        const sessionId = frameSession(event);
        if (sessionId === null || seen.has(sessionId)) continue;
        seen.add(sessionId);
        more = true;
        yield sessionId;
      }
    }
  }

  /**
   * Learns which documents a session draws.
   *
   * @returns false for a frame that does not answer, or that goes meanwhile
   */
  async #look(sessionId: string): Promise<boolean> {
    const options = { sessionId, timeoutMs: ANSWER_MS };
    const send = (method: string, params: object = {}): Promise<Record<string, unknown>> =>
      this.#lease.send(method, params, options);
    try {
      if (!this.#lease.autoAttaches(sessionId)) await send('Target.setAutoAttach', AUTO_ATTACH);
      // For the downloads that a frame begins.
      send('Page.enable').catch(() => undefined);
      await send('Runtime.enable');
      for (const contextId of this.#lease.contexts.in(sessionId)) {
        const { result } = Evaluated.parse(
          await send('Runtime.evaluate', { expression: OWN_ID, contextId, returnByValue: true }),
        );
        if (typeof result.value === 'string') this.#known.set(result.value, sessionId);
      }
      return true;
    } catch {
      return false;
    }
  }
}
