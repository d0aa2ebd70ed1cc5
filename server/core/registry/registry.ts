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
import { Listeners } from '../listeners.ts';
import type { OutputMode } from '../../../shared/output/mode.ts';
import { nearestNames } from './nearest.ts';
import type { Logger } from '../services.ts';

/** What a {@link ToolRegistry} puts together. */
export interface RegistryOptions {
  readonly manifests: readonly ToolManifest[];
  /** The `output_mode` of calls that give none. */
  readonly outputModeDefault: OutputMode;
  readonly mode: Mode;
  readonly providers: readonly ToolProvider[];
  /** What sessions list that choose nothing themselves. */
  readonly selectors?: readonly string[] | undefined;
  /** Notified of offers that cannot be used. */
  readonly logger: Pick<Logger, 'warn'>;
}

/** Every tool of the running server, by name. Definitions are frozen; providers may bring others. */
export class ToolRegistry {
  readonly mode: Mode;
  readonly selectors: readonly string[] | undefined;
  readonly #own: readonly ToolDefinition[];
  readonly #offers: ProviderTools;
  readonly #listeners = new Listeners<void>();
  readonly #stop: () => void;
  #definitions: ReadonlyMap<string, ToolDefinition>;

  constructor(options: RegistryOptions) {
    const { manifests, outputModeDefault, mode, selectors } = options;
    const augment = withOutputFields(outputModeDefault);
    this.mode = mode;
    this.selectors = selectors;
    const natives = manifests.map((manifest) => deriveDefinition(augment(manifest), mode));
    this.#own = [...natives, ...mode.own.map((twin) => deriveInternalTool(twin, natives, mode))];
    this.#offers = new ProviderTools({ ...options, augment });
    this.#definitions = this.#collect();
    this.#stop = this.#offers.watch(() => {
      this.#definitions = this.#collect();
      this.#listeners.notify();
    });
  }

  /** Unsubscribes from all providers; existing tools stay. Idempotent. */
  close(): void {
    this.#stop();
  }

  /** Our own tools come first: no provider takes a name over. */
  #collect(): ReadonlyMap<string, ToolDefinition> {
    const definitions = new Map(this.#own.map((definition) => [definition.manifest.name, definition]));
    for (const [name, definition] of this.#offers.collect(new Set(definitions.keys())))
      definitions.set(name, definition);
    return definitions;
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

  /** Under which identifier the runtimes and the work of a tool are; a name that no tool has is its own. */
  identifierOf(name: string): string {
    return this.find(name)?.manifest.identifier ?? name;
  }

  /** The provider whose tool has a name; undefined for our own, and for a name that no tool has. */
  holderOf(name: string): ToolProvider | undefined {
    return this.#offers.holderOf(name);
  }

  /** A provider may offer a tool of this name later. */
  isExpected(name: string): boolean {
    return this.#offers.isExpected(name);
  }

  /** @throws SpillwayError `unknown_tool` with the nearest names. */
  get(name: string): ToolDefinition {
    const definition = this.#definitions.get(name);
    if (definition !== undefined) return definition;
    const near = nearestNames(
      name,
      this.all()
        .filter(isFound)
        .map(({ manifest }) => manifest.name),
    );
    const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : undefined;
    throw new SpillwayError(
      'unknown_tool',
      `There is no tool "${name.slice(0, 80)}".`,
      hint === undefined ? {} : { hint },
    );
  }

  /** Calls back when a provider's tools change. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }
}

interface OffersOptions extends Pick<RegistryOptions, 'providers' | 'mode' | 'logger'> {
  readonly augment: Augment;
}

/** The tools that providers offer, as definitions. An invalid tool is skipped; the others are unaffected. */
class ProviderTools {
  readonly #options: OffersOptions;
  /** What a provider said last: one that fails to answer still has it. */
  readonly #offered = new Map<ToolProvider, readonly ProvidedTool[]>();
  /** An offer that stays keeps its definition, so that a list is another only when a tool is. */
  readonly #derived = new WeakMap<ProvidedTool, ToolDefinition>();
  /** Who has each name. */
  #holders: ReadonlyMap<string, ToolProvider> = new Map();
  /** Those that were logged once. */
  readonly #refused = new WeakSet<ProvidedTool>();

  constructor(options: OffersOptions) {
    this.#options = options;
  }

  /** The provider whose tool has a name, as it was when the tools were collected last. */
  holderOf(name: string): ToolProvider | undefined {
    return this.#holders.get(name);
  }

  /** Whether a provider says that a tool of this name may come. A provider that throws counts as no. */
  isExpected(name: string): boolean {
    return this.#options.providers.some((provider) => {
      try {
        return provider.expects?.(name) === true;
      } catch (thrown) {
        this.#failed(provider, thrown, 'a provider failed to check whether it expects a name');
        return false;
      }
    });
  }

  /** Calls back when a provider's offer changes. Returns an unsubscribe function. */
  watch(listener: () => void): () => void {
    let isOver = false;
    const stops = this.#options.providers.map((provider) =>
      this.#subscribe(provider, () => {
        // A provider that keeps calling after unsubscription is ignored.
        if (!isOver) listener();
      }),
    );
    return () => {
      isOver = true;
      for (const stop of stops.splice(0)) stop();
    };
  }

  /** One that cannot be listened to has what it offered at the start. */
  #subscribe(provider: ToolProvider, listener: () => void): () => void {
    const guarded = (work: () => void): void => {
      try {
        work();
      } catch (thrown) {
        this.#failed(provider, thrown, 'subscribing to a provider, or unsubscribing, failed');
      }
    };
    let stop: () => void = () => undefined;
    guarded(() => {
      const answered = provider.onChange(listener);
      if (typeof answered !== 'function') throw new Error('onChange did not return an unsubscribe function');
      stop = answered;
    });
    return () => guarded(stop);
  }

  /** Every offer under a free name, in the order of the providers; who comes first has a name. */
  collect(taken: ReadonlySet<string>): ReadonlyMap<string, ToolDefinition> {
    const collected = new Map<string, ToolDefinition>();
    const holders = new Map<string, ToolProvider>();
    for (const provider of this.#options.providers)
      for (const provided of this.#ask(provider)) {
        try {
          const name = nameOf(provided);
          if (taken.has(name) || collected.has(name)) throw new Error('the name is taken');
          collected.set(name, this.#derive(provided));
          holders.set(name, provider);
        } catch (thrown) {
          this.#refuse(provider, provided, thrown);
        }
      }
    this.#holders = holders;
    return collected;
  }

  #ask(provider: ToolProvider): readonly ProvidedTool[] {
    try {
      this.#offered.set(provider, [...provider.tools()]);
    } catch (thrown) {
      this.#failed(provider, thrown, 'a provider failed to list its tools');
    }
    return this.#offered.get(provider) ?? [];
  }

  #failed({ id }: ToolProvider, thrown: unknown, what: string): void {
    this.#options.logger.warn({ provider: id, err: thrown }, what);
  }

  #derive(provided: ProvidedTool): ToolDefinition {
    const known = this.#derived.get(provided);
    if (known !== undefined) return known;
    const definition = deriveProvided(provided, this.#options);
    this.#derived.set(provided, definition);
    return definition;
  }

  #refuse({ id }: ToolProvider, provided: ProvidedTool, thrown: unknown): void {
    if (typeof provided === 'object' && provided !== null) {
      if (this.#refused.has(provided)) return;
      this.#refused.add(provided);
    }
    // Whatever a provider offered instead of a tool, its name is said where it has one.
    const named: unknown = (provided as ProvidedTool | null | undefined)?.manifest?.name;
    const tool = String(named).slice(0, 80);
    this.#options.logger.warn({ provider: id, tool, err: thrown }, 'a tool of a provider is skipped');
  }
}

/** The name under which a tool may be called. @throws Error when it has none that clients take */
function nameOf({ manifest: { name } }: ProvidedTool): string {
  if (!PROVIDED_NAME_PATTERN.test(name))
    throw new Error(`the name does not match ${String(PROVIDED_NAME_PATTERN)}`);
  if (GROUPS.includes(name)) throw new Error('the name is already a selector');
  if (isReserved(name)) throw new Error('names that end in _internal are for widgets');
  return name;
}

/** Whether no provider may use a name: a selector, or one of a widget's, which exist in some modes only. */
export const isReserved = (name: string): boolean => GROUPS.includes(name) || name.endsWith('_internal');
