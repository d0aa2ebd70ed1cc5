import type { SessionFact } from '../../../shared/tools/manifest.ts';
import type { SessionTools } from '../context.ts';
import type { ToolDefinition } from './definition.ts';
import { Listeners } from '../listeners.ts';
import type { ToolRegistry } from './registry.ts';
import { chooseTools, withCompanions } from './selection.ts';
import { onAbort } from '../../../shared/async/abort.ts';

/** What one session lists, from its selectors on. */
export class ToolList implements SessionTools {
  readonly #registry: ToolRegistry;
  readonly #selectors: readonly string[] | undefined;
  /** Those that were chosen, whether they are offered at the moment or not. */
  readonly #names: Set<string>;
  readonly #facts = new Set<SessionFact>();
  readonly #listeners = new Listeners<void>();
  #shown: readonly ToolDefinition[];

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
    this.#shown = this.#definitions();
    const stop = registry.onChange(() => this.#refresh());
    onAbort(signal, stop);
  }

  #definitions(): readonly ToolDefinition[] {
    return this.#registry.all().filter(({ manifest }) => this.#names.has(manifest.name));
  }

  listed(): readonly string[] {
    return this.#shown.map(({ manifest }) => manifest.name);
  }

  add(names: readonly string[]): readonly string[] {
    const before = new Set(this.listed());
    this.#choose(names);
    return this.listed().filter((name) => !before.has(name));
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Lists the tools that this fact of the session brings. */
  manage(fact: SessionFact): void {
    if (this.#facts.has(fact)) return;
    this.#facts.add(fact);
    this.#choose(this.#managed());
  }

  /** Tools that what this session has seen brings, now and when a provider offers more. */
  #managed(): readonly string[] {
    return this.#registry
      .all()
      .filter(
        ({ manifest: { flags } }) => flags.runtimeManaged !== null && this.#facts.has(flags.runtimeManaged),
      )
      .map(({ manifest }) => manifest.name);
  }

  /** A provider offers other tools, or other ones under the same names. */
  #refresh(): void {
    this.#choose([...chooseTools(this.#registry, this.#selectors), ...this.#managed()]);
  }

  /** Lists these too, and tells of it when the list is another. */
  #choose(names: readonly string[]): void {
    for (const name of withCompanions(this.#registry, [...this.#names, ...names])) this.#names.add(name);
    const before = this.#shown;
    this.#shown = this.#definitions();
    const isSame =
      before.length === this.#shown.length && before.every((shown, index) => shown === this.#shown[index]);
    if (!isSame) this.#listeners.notify();
  }
}
