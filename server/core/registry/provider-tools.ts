import { PROVIDED_NAME_PATTERN } from '../../../shared/tools/manifest.ts';
import type { Augmentation, Mode, ToolDefinition } from './definition.ts';
import { deriveProvided, type SchemaWriters } from './derive.ts';
import type { ProvidedTool, ToolProvider } from './provider.ts';
import { GROUPS } from './groups.ts';
import type { Logger } from '../services.ts';

interface OffersOptions {
  readonly providers: readonly ToolProvider[];
  readonly augmentations: readonly Augmentation[];
  readonly mode: Mode;
  readonly schemas: SchemaWriters;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The tools that providers offer, as definitions. An invalid tool is skipped; the others are unaffected. */
export class ProviderTools {
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
