import type { SessionFact } from '../../shared/tools/manifest.ts';
import type { SessionTools } from './context.ts';
import { Listeners } from './listeners.ts';
import type { ToolRegistry } from './registry.ts';
import { chooseTools, withCompanions } from './selection.ts';

/** What one session lists, from its selectors on. */
export class ToolList implements SessionTools {
  readonly #registry: ToolRegistry;
  readonly #selectors: readonly string[] | undefined;
  readonly #names: Set<string>;
  readonly #listeners = new Listeners<void>();

  /** @throws SpillwayError `invalid_argument` for a selector that names nothing */
  constructor(options: {
    readonly registry: ToolRegistry;
    readonly selectors: readonly string[] | undefined;
    /** Ends what the list listens to. */
    readonly signal: AbortSignal;
  }) {
    const { registry, selectors, signal } = options;
    this.#registry = registry;
    this.#selectors = selectors;
    this.#names = new Set(chooseTools(registry, selectors));
    const stop = registry.onChange(() => this.#refresh());
    signal.addEventListener('abort', stop, { once: true });
  }

  listed(): readonly string[] {
    return this.#registry
      .all()
      .map(({ manifest }) => manifest.name)
      .filter((name) => this.#names.has(name));
  }

  add(names: readonly string[]): readonly string[] {
    const known = names.filter((name) => this.#registry.has(name));
    const before = new Set(this.#names);
    for (const name of withCompanions(this.#registry, [...this.#names, ...known])) this.#names.add(name);
    const added = [...this.#names].filter((name) => !before.has(name));
    if (added.length > 0) this.#listeners.tell();
    return added;
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Lists the tools that this fact of the session brings. */
  manage(fact: SessionFact): void {
    const brought = this.#registry.all().filter(({ manifest }) => manifest.flags.runtimeManaged === fact);
    this.add(brought.map(({ manifest }) => manifest.name));
  }

  /** A provider offers other tools. */
  #refresh(): void {
    for (const name of chooseTools(this.#registry, this.#selectors)) this.#names.add(name);
    this.#listeners.tell();
  }
}
