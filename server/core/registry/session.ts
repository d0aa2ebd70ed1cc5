import {
  type ClientSession,
  type SessionTools,
  SessionActs,
  SessionOutputs,
  SessionPicks,
} from '../context.ts';
import { Listeners } from '../../../shared/queue.ts';
import { onAbort } from '../../../shared/async.ts';
import type { SessionFact } from '../../../shared/tools/manifest.ts';
import type { ToolRegistry } from './registry.ts';
import { checkSelectors, chooseTools, withCompanions } from './selection.ts';
import type { ToolDefinition } from './definition.ts';

export class ToolList implements SessionTools {
  /** The chosen tools, whether they are currently offered or not. */
  readonly #names: Set<string>;
  /** Null for a caller that reads the list itself. */
  #sent: Set<string> | null = null;
  readonly #facts = new Set<SessionFact>();
  readonly #listeners = new Listeners<void>();
  #shown: readonly ToolDefinition[];

  constructor(
    private readonly options: {
      readonly registry: ToolRegistry;
      readonly selectors: readonly string[] | undefined;
      /** Ends what the list listens to. */
      readonly signal: AbortSignal;
    },
  ) {
    const { registry, selectors, signal } = options;
    this.#names = new Set(chooseTools(registry, selectors));
    this.#shown = this.#definitions();
    // A provider offers other tools, or has changed some.
    const refresh = (): void => this.#choose([...chooseTools(registry, selectors), ...this.#managed()]);
    onAbort(signal, registry.onChange(refresh));
  }

  #definitions(): readonly ToolDefinition[] {
    return this.options.registry.all().filter(({ manifest }) => this.#names.has(manifest.name));
  }

  listed(): readonly string[] {
    return this.#shown.map(({ manifest }) => manifest.name);
  }

  sent(): void {
    this.#sent = new Set(this.listed());
  }

  known(): readonly string[] {
    return this.listed().filter((name) => this.#sent?.has(name) ?? true);
  }

  add(names: readonly string[]): readonly string[] {
    for (const name of names) this.#sent?.add(name);
    const before = new Set(this.listed());
    this.#choose(names);
    return this.listed().filter((name) => !before.has(name));
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  manage(fact: SessionFact): void {
    if (this.#facts.has(fact)) return;
    this.#facts.add(fact);
    this.#choose(this.#managed());
  }

  /** Tools that the facts of this session add, now and when a provider offers more. */
  #managed(): readonly string[] {
    return this.options.registry
      .all()
      .filter(
        ({ manifest: { flags } }) => flags.runtimeManaged !== null && this.#facts.has(flags.runtimeManaged),
      )
      .map(({ manifest }) => manifest.name);
  }

  /** Lists these too, and reports a changed list. */
  #choose(names: readonly string[]): void {
    const chosen = withCompanions(this.options.registry, [...this.#names, ...names]);
    for (const name of chosen) this.#names.add(name);
    const before = this.#shown;
    this.#shown = this.#definitions();
    const isSame =
      before.length === this.#shown.length && before.every((shown, index) => shown === this.#shown[index]);
    if (!isSame) this.#listeners.notify();
  }
}

/** Options of {@link createSession}. */
export interface SessionOptions {
  /** Aborted when the client has disconnected. Default: never. */
  readonly signal?: AbortSignal;
  readonly registry: ToolRegistry;
  readonly name?: string;
  /** Tools and categories. Default: the server's. */
  readonly selectors?: readonly string[];
}

/**
 * A session that has seen no tab yet.
 * @throws SpillwayError `invalid_argument` for a selector that matches nothing.
 */
export function createSession(id: string, options: SessionOptions): ClientSession {
  const { registry, selectors, name = 'agent', signal = new AbortController().signal } = options;
  if (selectors !== undefined) checkSelectors(registry, selectors, 'tools');
  const tools = new ToolList({ registry, selectors, signal });
  const picks = new SessionPicks();
  picks.onAdd(() => tools.manage('has_pick'));
  return {
    id,
    name,
    signal,
    currentTab: null,
    tabs: new Set(),
    openedTabs: new Set(),
    tools,
    outputs: new SessionOutputs(),
    acts: new SessionActs(),
    picks,
  };
}
