import type { FeedAgent } from '../../shared/bridge/feed.ts';
import { onAbort } from '../../shared/async/abort.ts';
import { cut } from '../../shared/cut.ts';
import type { FeedCall } from '../core/feed.ts';

/** Sessions that are remembered, and calls of each that are listed; the oldest sessions are forgotten. */
const SESSIONS_MAX = 50;
const CALLS_MAX = 8;
const NAME_UNITS = 100;
const TOOL_UNITS = 128;
const VERSION_UNITS = 64;

interface Agent {
  readonly session: FeedCall['session'];
  lastAt: number;
  readonly calls: Map<string, { readonly tool: string; readonly since: number }>;
  forget: () => void;
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

/** The sessions that have called, and what each does now. */
export class Agents {
  readonly #agents = new Map<string, Agent>();
  readonly #onChange: () => void;

  /** @param onChange called when a session has come or left */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  begun({ callId, tool, session }: FeedCall, now: number): void {
    const known = this.#agents.get(session.id);
    const agent = known ?? this.#come(session, now);
    agent.lastAt = now;
    agent.calls.set(callId, { tool, since: now });
    if (known === undefined) this.#onChange();
  }

  ended({ callId, session }: FeedCall): void {
    this.#agents.get(session.id)?.calls.delete(callId);
  }

  list(): FeedAgent[] {
    return [...this.#agents.values()].map(({ session, lastAt, calls }) => ({
      session: session.id,
      name: cut(session.name, NAME_UNITS),
      version: session.version === undefined ? null : cut(session.version, VERSION_UNITS),
      last_at: timeOf(lastAt),
      calls: [...calls].slice(0, CALLS_MAX).map(([callId, { tool, since }]) => ({
        call_id: cut(callId, TOOL_UNITS),
        tool: cut(tool, TOOL_UNITS),
        since: timeOf(since),
      })),
    }));
  }

  /** Sessions may outlive the server's interest in them. */
  close(): void {
    for (const { forget } of this.#agents.values()) forget();
    this.#agents.clear();
  }

  #come(session: FeedCall['session'], now: number): Agent {
    const agent: Agent = { session, lastAt: now, calls: new Map(), forget: () => undefined };
    this.#agents.set(session.id, agent);
    agent.forget = onAbort(session.signal, () => {
      if (this.#agents.delete(session.id)) this.#onChange();
    });
    const [oldest] = this.#agents;
    if (this.#agents.size > SESSIONS_MAX && oldest !== undefined) {
      oldest[1].forget();
      this.#agents.delete(oldest[0]);
    }
    return agent;
  }
}
