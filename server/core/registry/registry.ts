import { SpillwayError } from '../../../shared/errors.ts';
import { type ToolManifest, PROVIDED_NAME_PATTERN } from '../../../shared/tools/manifest.ts';
import {
  isFound,
  type Augment,
  type Mode,
  type ToolDefinition,
  type ToolProvider,
  type ProvidedTool,
  GROUPS,
} from './definition.ts';
import { deriveDefinition, deriveInternalTool, deriveProvided, withOutputFields } from './derive.ts';
import { Listeners } from '../../../shared/queue.ts';
import type { OutputMode } from '../../../shared/output/descriptor.ts';
import { nearestNames } from './selector.ts';
import type { Logger } from '../services.ts';

export interface RegistryOptions {
  readonly manifests: readonly ToolManifest[];
  /** The `output_mode` of calls that give none. */
  readonly outputModeDefault: OutputMode;
  readonly mode: Mode;
  readonly providers: readonly ToolProvider[];
  readonly selectors?: readonly string[] | undefined;
  /** Notified of offers that cannot be used. */
  readonly logger: Pick<Logger, 'warn'>;
}

/** Every tool of the running server, by name. Definitions are frozen; providers may add others. */
export class ToolRegistry {
  readonly mode: Mode;
  readonly selectors: readonly string[] | undefined;
  readonly #augment: Augment;
  readonly #own: readonly ToolDefinition[];
  readonly #listeners = new Listeners<void>();
  readonly #stops: readonly (() => void)[];
  /** An unchanged offer keeps its definition, so that a list changes only if a tool does. */
  readonly #derived = new WeakMap<ProvidedTool, ToolDefinition>();
  readonly #refused = new WeakSet<ProvidedTool>();
  #definitions: ReadonlyMap<string, ToolDefinition> = new Map();
  #holders: ReadonlyMap<string, ToolProvider> = new Map();

  constructor(private readonly options: RegistryOptions) {
    const { manifests, outputModeDefault, mode, selectors, providers } = options;
    this.#augment = withOutputFields(outputModeDefault);
    this.mode = mode;
    this.selectors = selectors;
    const natives = manifests.map((manifest) => deriveDefinition(this.#augment(manifest), mode));
    this.#own = [...natives, ...mode.own.map((twin) => deriveInternalTool(twin, natives, mode))];
    this.#collect();
    this.#stops = providers.map((provider) =>
      provider.onChange(() => {
        this.#collect();
        this.#listeners.notify();
      }),
    );
  }

  /** Unsubscribes from all providers; existing tools stay. Idempotent. */
  close(): void {
    for (const stop of this.#stops) stop();
  }

  /**
   * Our own tools come first, then every offer under a free name; the first one wins. Unusable offers are
   * skipped.
   */
  #collect(): void {
    const definitions = new Map(this.#own.map((definition) => [definition.manifest.name, definition]));
    const holders = new Map<string, ToolProvider>();
    for (const provider of this.options.providers)
      for (const provided of provider.tools())
        try {
          const name = nameOf(provided);
          if (definitions.has(name)) throw new Error('the name is taken');
          definitions.set(name, this.#derive(provided));
          holders.set(name, provider);
        } catch (thrown) {
          if (this.#refused.has(provided)) continue;
          this.#refused.add(provided);
          const refused = { provider: provider.id, tool: provided.manifest.name.slice(0, 80), err: thrown };
          this.options.logger.warn(refused, 'a tool of a provider is skipped');
        }
    this.#definitions = definitions;
    this.#holders = holders;
  }

  #derive(provided: ProvidedTool): ToolDefinition {
    const { mode, logger } = this.options;
    const definition =
      this.#derived.get(provided) ?? deriveProvided(provided, { mode, augment: this.#augment, logger });
    this.#derived.set(provided, definition);
    return definition;
  }

  all(): readonly ToolDefinition[] {
    return [...this.#definitions.values()];
  }

  has(name: string): boolean {
    return this.#definitions.has(name);
  }

  find(name: string): ToolDefinition | undefined {
    return this.#definitions.get(name);
  }

  /** The provider of a tool by name; undefined for our own tools and unknown names. */
  holderOf(name: string): ToolProvider | undefined {
    return this.#holders.get(name);
  }

  /** A provider may offer a tool of this name later. */
  isExpected(name: string): boolean {
    return this.options.providers.some((provider) => provider.expects?.(name) === true);
  }

  /** Why a tool of this name is not there yet, if a provider knows. */
  missing(name: string): SpillwayError | undefined {
    for (const provider of this.options.providers) {
      const why = provider.missing?.(name) ?? null;
      if (why !== null) return why;
    }
    return undefined;
  }

  /** @throws SpillwayError `unknown_tool` with the nearest names, or what {@link missing} says. */
  get(name: string): ToolDefinition {
    const definition = this.#definitions.get(name);
    if (definition !== undefined) return definition;
    const why = this.missing(name);
    if (why !== undefined) throw why;
    const near = nearestNames(
      name,
      this.all()
        .filter(isFound)
        .map(({ manifest }) => manifest.name),
    );
    const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : undefined;
    throw new SpillwayError('unknown_tool', `There is no tool "${name.slice(0, 80)}".`, { hint });
  }

  /** Calls back when a provider's tools change. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }
}

/** The name under which a tool may be called. @throws Error if it has none that clients accept */
function nameOf({ manifest: { name } }: ProvidedTool): string {
  if (!PROVIDED_NAME_PATTERN.test(name))
    throw new Error(`the name does not match ${String(PROVIDED_NAME_PATTERN)}`);
  if (GROUPS.includes(name)) throw new Error('the name is already a selector');
  if (isReserved(name)) throw new Error('names that end in _internal are for widgets');
  return name;
}

/** Whether a name is closed to providers: a selector, or a widget's, which exist only in some modes. */
export const isReserved = (name: string): boolean => GROUPS.includes(name) || name.endsWith('_internal');
