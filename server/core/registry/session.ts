import type { ClientSession, SessionFacts, SessionOutput, SessionOutputs } from '../context.ts';
import { SessionActs } from '../acts.ts';
import { Listeners } from '../listeners.ts';
import type { ToolRegistry } from './registry.ts';
import { checkSelectors } from './selection.ts';
import { ToolList } from './tool-list.ts';

/** Handles that a session remembers; a client that makes more lists its newest. */
const OUTPUTS_MAX = 1_000;

class Outputs implements SessionOutputs {
  readonly #byHandle = new Map<string, SessionOutput>();
  readonly #listeners = new Listeners<SessionOutput>();

  all(): readonly SessionOutput[] {
    return [...this.#byHandle.values()];
  }

  has(handle: string): boolean {
    return this.#byHandle.has(handle);
  }

  add(output: SessionOutput): void {
    const { output_handle: handle } = output.descriptor;
    if (this.#byHandle.has(handle)) return;
    this.#byHandle.set(handle, output);
    const [oldest] = this.#byHandle.keys();
    if (this.#byHandle.size > OUTPUTS_MAX && oldest !== undefined) this.#byHandle.delete(oldest);
    this.#listeners.notify(output);
  }

  onAdd(listener: (output: SessionOutput) => void): () => void {
    return this.#listeners.add(listener);
  }
}

/** Options of {@link createSession}. */
export interface SessionOptions {
  /** Aborted when the client has disconnected. Default: never. */
  readonly signal?: AbortSignal;
  readonly registry: ToolRegistry;
  /** What the client calls itself, if that is known yet. */
  readonly name?: string;
  /** What the session lists: tools and categories. Default: what the server was started with. */
  readonly selectors?: readonly string[];
}

/**
 * A session that has seen no tab yet.
 * @throws SpillwayError `invalid_argument` for a selector that names nothing.
 */
export function createSession(id: string, options: SessionOptions): ClientSession {
  const { registry, selectors, name = 'agent', signal = new AbortController().signal } = options;
  if (selectors !== undefined) checkSelectors(registry, selectors, 'tools');
  const tools = new ToolList({ registry, selectors, signal });
  const facts: SessionFacts = { add: (fact) => tools.manage(fact) };
  return {
    id,
    name,
    signal,
    currentTab: null,
    tabs: new Set(),
    openedTabs: new Set(),
    tools,
    facts,
    outputs: new Outputs(),
    acts: new SessionActs(),
  };
}
