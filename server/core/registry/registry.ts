import { SpillwayError } from '../../../shared/errors.ts';
import type { ToolManifest } from '../../../shared/tools/manifest.ts';
import { isFound } from './audience.ts';
import type { Augmentation, Mode, ToolDefinition } from './definition.ts';
import { deriveDefinition, deriveInternalTool, type SchemaWriters } from './derive.ts';
import { Listeners } from '../listeners.ts';
import { nearestNames } from './nearest.ts';
import { ProviderTools } from './provider-tools.ts';
import type { ToolProvider } from './provider.ts';
import type { Logger } from '../services.ts';

/** What a {@link ToolRegistry} puts together. */
export interface RegistryOptions {
  readonly manifests: readonly ToolManifest[];
  readonly augmentations: readonly Augmentation[];
  readonly mode: Mode;
  readonly schemas: SchemaWriters;
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
    const { manifests, augmentations, mode, schemas, selectors } = options;
    this.mode = mode;
    this.selectors = selectors;
    const natives = manifests.map((original) => {
      const manifest = augmentations.reduce((derived, augment) => augment(derived), original);
      return deriveDefinition(manifest, mode, schemas);
    });
    this.#own = [...natives, ...mode.own.map((twin) => deriveInternalTool(twin, natives, mode, schemas))];
    this.#offers = new ProviderTools(options);
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
