import type { ToolCall } from './call.ts';
import type { ClientSession } from '../context.ts';

/** Permissions of one session that are kept at once, as many as its calls may wait; the oldest go. */
const KEPT_MAX = 64;

/**
 * What the gate has allowed to a call that is not executed yet. A permission is for that call as it
 * was then, is used once, and goes with its session.
 */
export class Permissions {
  /** What each call was, by its id. */
  readonly #kept = new WeakMap<ClientSession, Map<string, string>>();

  keep(call: ToolCall): void {
    const { callId, session } = call;
    const known = describe(call);
    if (known === null) return;
    const kept = this.#kept.get(session) ?? new Map<string, string>();
    this.#kept.set(session, kept);
    kept.delete(callId);
    kept.set(callId, known);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  }

  has(call: ToolCall): boolean {
    const { callId, session } = call;
    const known = session.signal.aborted ? undefined : this.#kept.get(session)?.get(callId);
    return known !== undefined && known === describe(call);
  }

  /** Whether there is one. Nothing is kept under the id of the call from now on. */
  use(call: ToolCall): boolean {
    const isKept = this.has(call);
    this.#kept.get(call.session)?.delete(call.callId);
    return isKept;
  }
}

/** Its text, since the owner of the arguments can change them. Null if it is not JSON. */
function describe({ tool, args }: ToolCall): string | null {
  try {
    return JSON.stringify([tool, args]);
  } catch {
    return null;
  }
}
