import type { ToolRegistry } from './registry.ts';

/**
 * Names of the tools that a session begins with: the selectors' tools, the mode's own, the direct
 * tools of providers, and the companions of all these, each once.
 *
 * @throws SpillwayError `invalid_argument` for a selector that names nothing, with the nearest names.
 */
export function chooseTools(registry: ToolRegistry, _selectors?: readonly string[]): readonly string[] {
  const chosen = registry
    .all()
    .filter(({ manifest, row }) => manifest.tier <= 2 && row.audience === 'model')
    .map(({ manifest }) => manifest.name);
  return withCompanions(registry, chosen);
}

/** The same names with those that they need beside them. */
export function withCompanions(registry: ToolRegistry, names: readonly string[]): readonly string[] {
  const widgets = names.some((name) => registry.has(name) && registry.get(name).row.widget !== null);
  const own = widgets ? registry.mode.own.map(({ name }) => name) : [];
  return [...new Set([...names, ...own])];
}
