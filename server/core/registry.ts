import { SpillwayError } from '../../shared/errors.ts';
import type { ToolManifest } from '../../shared/tools/manifest.ts';
import type { Augmentation, Mode, ToJsonSchema, ToolDefinition } from './definition.ts';
import { nearestNames } from './nearest.ts';

/** Every tool of the running server, by name. Frozen at start. */
export class ToolRegistry {
  readonly #definitions: ReadonlyMap<string, ToolDefinition>;

  constructor(definitions: readonly ToolDefinition[]) {
    this.#definitions = new Map(definitions.map((definition) => [definition.manifest.name, definition]));
  }

  all(): readonly ToolDefinition[] {
    return [...this.#definitions.values()];
  }

  listed(): readonly ToolDefinition[] {
    return this.all().filter((definition) => definition.listed);
  }

  /** @throws SpillwayError `unknown_tool` with the nearest names. */
  get(name: string): ToolDefinition {
    const definition = this.#definitions.get(name);
    if (definition !== undefined) return definition;
    const near = nearestNames(name, [...this.#definitions.keys()]);
    const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : undefined;
    throw new SpillwayError(
      'unknown_tool',
      `There is no tool "${name.slice(0, 80)}".`,
      hint === undefined ? {} : { hint },
    );
  }
}

/** What {@link buildRegistry} puts together. */
export interface RegistryOptions {
  readonly manifests: readonly ToolManifest[];
  readonly augmentations: readonly Augmentation[];
  readonly mode: Mode;
  readonly toJsonSchema: ToJsonSchema;
}

/** Derives the frozen definitions of a mode from manifests and augmentations. */
export function buildRegistry(options: RegistryOptions): ToolRegistry {
  const definitions = options.manifests.map((original) => {
    const manifest = options.augmentations.reduce((derived, augment) => augment(derived), original);
    const presentation = options.mode.present(manifest, options.toJsonSchema(manifest.input));
    return Object.freeze({ manifest, presentation: Object.freeze(presentation), listed: manifest.tier <= 2 });
  });
  return new ToolRegistry(definitions);
}
