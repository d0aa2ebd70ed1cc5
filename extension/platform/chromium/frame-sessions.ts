import type { DebuggerLease } from './debugger/sessions.ts';
import { announceOnce } from './debugger/targets.ts';
import { evaluateValue } from './debugger/exchange.ts';

/** The name of our script in a document. */
const OWN_ID = `Reflect.get(globalThis, Symbol.for('spillway.page'))?.id`;
const ANSWER_MS = 3_000;

/**
 * The debugger's sessions of a tab's frames. A frame that another process draws has its own, and input to the
 * tab's session may be lost on its way there. The id of our script in a document identifies it, since the
 * debugger and the extension API have no other document id in common.
 */
export class FrameSessions {
  /** By the id of our script. */
  readonly #known = new Map<string, string>();
  /** Sessions that do not draw a script's document. A document never moves to another session. */
  readonly #others = new Map<string, Set<string>>();

  constructor(private readonly lease: DebuggerLease) {}

  /** The session that draws the document of a script; null is the tab's own. */
  async of(scriptId: string): Promise<string | null> {
    const known = this.#known.get(scriptId);
    if (known !== undefined && this.lease.sessions().includes(known)) return known;
    await announceOnce(this.lease, { only: 'iframe' });
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

  /** Every responsive renderer, the tab's own first. Resolves once our script's contexts in them are known. */
  async all(): Promise<readonly (string | null)[]> {
    await announceOnce(this.lease, { only: 'iframe' });
    await this.lease.send('Runtime.enable');
    const all: (string | null)[] = [null];
    for (const session of this.#frames()) if (await this.#look(session)) all.push(session);
    return all;
  }

  /** Those of frames; examining one may add those within it. */
  *#frames(): Generator<string> {
    const seen = new Set<string>();
    for (let more = true; more;) {
      more = false;
      for (const { session, type } of this.lease.targets()) {
        if (type !== 'iframe' || seen.has(session)) continue;
        seen.add(session);
        more = true;
        yield session;
      }
    }
  }

  /**
   * Learns which documents a session draws.
   * @returns false if a frame does not answer, or disappears meanwhile
   */
  async #look(sessionId: string): Promise<boolean> {
    const options = { sessionId, timeoutMs: ANSWER_MS };
    const send = (method: string): Promise<unknown> => this.lease.send(method, {}, options);
    try {
      await announceOnce(this.lease, { only: 'iframe', ...options });
      // Needed for downloads that a frame begins.
      send('Page.enable').catch(() => undefined);
      await send('Runtime.enable');
      for (const { id: contextId } of this.lease.contexts.in(sessionId)) {
        const scriptId = await evaluateValue(this.lease, OWN_ID, { ...options, contextId });
        if (typeof scriptId === 'string') this.#known.set(scriptId, sessionId);
      }
      return true;
    } catch {
      return false;
    }
  }
}
