import { onAbort } from '../../../shared/base/async.ts';
import { valueIn } from '../../../shared/base/maps.ts';
import { invalidArgument } from '../../../shared/base/errors.ts';
import { Listeners } from '../../../shared/base/queue.ts';
import type { SessionFact } from '../../../shared/core/tools/manifest.ts';
import {
  type ClientSession,
  type SessionTools,
  SessionActs,
  SessionOutputs,
  SessionPicks,
} from '../context.ts';
import {
  DEFAULT_GROUP,
  GROUPS,
  type InternalTool,
  isCategory,
  isFound,
  type ToolDefinition,
} from './definition.ts';
import type { ToolRegistry } from './registry.ts';
import { nearestNames, type SelectableTool } from './selector.ts';

/** Tools that spill return handles, and tools that run return run ids: these read them. */
const REDEEMS_HANDLES = ['oc_output_fetch'];
const REDEEMS_RUNS = ['run_status', 'run_output'];

const inGroup = (definition: ToolDefinition): boolean =>
  isFound(definition) && definition.manifest.flags.runtimeManaged === null;

const isDefault = (definition: ToolDefinition): boolean =>
  inGroup(definition) && definition.manifest.tier <= 2;

/** Selectors of more than one tool that match any: a category without tools is never offered. */
export function listFilledGroups(registry: ToolRegistry): readonly string[] {
  const filled = new Set<string>(
    registry
      .all()
      .filter(inGroup)
      .map(({ manifest }) => manifest.category),
  );
  return GROUPS.filter((group) => group === DEFAULT_GROUP || filled.has(group));
}

/** The tools, or the nearest names if it matches nothing. */
type Selected =
  | { readonly tools: readonly ToolDefinition[] }
  | { readonly tools: null; readonly nearest: readonly string[] };

/**
 * The tools of one selector. A category includes its tools of every tier, except those that `find_tools` does
 * not find and those that the state of a session lists. A tool that widgets call has no selector, since it
 * does not exist in every mode.
 */
export function select(registry: ToolRegistry, selector: string): Selected {
  const all = registry.all().filter(({ row }) => row.audience === 'model');
  if (selector === DEFAULT_GROUP) return { tools: all.filter(isDefault) };
  if (isCategory(selector))
    return { tools: all.filter(inGroup).filter(({ manifest }) => manifest.category === selector) };
  const named = all.find(({ manifest }) => manifest.name === selector);
  if (named !== undefined) return { tools: [named] };
  const names = [...listFilledGroups(registry), ...all.filter(isFound).map(({ manifest }) => manifest.name)];
  return { tools: null, nearest: nearestNames(selector, names) };
}

/**
 * Selectors from a flag or a query parameter: words between commas, without surrounding spaces or repeats.
 * Undefined if there is no word: an empty list counts as not given.
 */
export function parseSelectors(text: string): readonly string[] | undefined {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  return words.length === 0 ? undefined : [...new Set(words)];
}

/**
 * Returns if each selector names something.
 * @throws SpillwayError `invalid_argument` with where they were written (`--tools`), the words that
 * name nothing, and the nearest names.
 */
export function checkSelectors(registry: ToolRegistry, selectors: readonly string[], where: string): void {
  const unknown = selectors.flatMap((selector) => {
    const selected = select(registry, selector);
    const isKnown = selected.tools !== null || registry.isExpected(selector);
    return isKnown ? [] : [{ selector, nearest: selected.nearest }];
  });
  if (unknown.length === 0) return;
  const quoted = unknown.slice(0, 5).map(({ selector, nearest }) => {
    const near = nearest.length === 0 ? '' : ` (did you mean ${nearest.join(' or ')}?)`;
    return `"${selector.slice(0, 80)}"${near}`;
  });
  const [first] = unknown.flatMap(({ nearest }) => nearest);
  throw invalidArgument(
    `${where}: no tool and no category is called ${quoted.join(', ')}.`,
    `Write ${first ?? 'the name of a tool'}, or one of ${listFilledGroups(registry).join(', ')}.`,
  );
}

/**
 * Names of the tools that a session begins with: the selectors' tools, the mode's own, the direct tools of
 * selected providers, and the companions of all these, without repeats. Tier 1 is always included. The
 * default selectors are the server's, and then the default set. A selector without a match adds nothing:
 * {@link checkSelectors} reports it.
 */
export function chooseTools(registry: ToolRegistry, selectors: readonly string[] = []): readonly string[] {
  const words = [selectors, registry.selectors ?? [], [DEFAULT_GROUP]].find(({ length }) => length > 0) ?? [];
  const selected = new Set(words.flatMap((word) => select(registry, word).tools ?? []));
  const always = registry
    .all()
    .filter((definition) => isDefault(definition) && definition.manifest.tier === 1);
  const chosen = [...always, ...selected];
  const native = chosen.filter(({ kind }) => kind === 'native').map(({ manifest }) => manifest.name);
  const direct = chosen.filter(({ kind }) => kind !== 'native').map(({ manifest }) => manifest.name);
  return withCompanions(registry, [...native, ...ownOf(registry, native), ...direct]);
}

const SERVED: Readonly<Record<InternalTool['serves'], (definition: ToolDefinition) => boolean>> = {
  runs: ({ manifest: { runs, category } }) => runs || category === 'runs',
  recipes: ({ manifest: { category, runs } }) => category === 'recipes' && !runs,
  outputs: () => true,
};

/** The mode's own tools serve its widgets: each is listed with the first tool whose widget calls it. */
function ownOf(registry: ToolRegistry, names: readonly string[]): readonly string[] {
  const shown = names.flatMap((name) => registry.find(name) ?? []).filter(({ row }) => row.widget !== null);
  return registry.mode.own.filter(({ serves }) => shown.some(SERVED[serves])).map(({ name }) => name);
}

function companionsOf({ manifest: { spills, runs, needs } }: ToolDefinition): readonly string[] {
  return [...(spills ? REDEEMS_HANDLES : []), ...(runs ? REDEEMS_RUNS : []), ...needs];
}

/** The same names plus the tools that they need, and those that these need, without duplicates. */
export function withCompanions(registry: ToolRegistry, names: readonly string[]): readonly string[] {
  const chosen = new Set<string>();
  const open = [...names];
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    const definition = chosen.has(name) ? undefined : registry.find(name);
    if (definition === undefined) continue;
    chosen.add(name);
    open.push(...companionsOf(definition), ...ownOf(registry, [name]));
  }
  return [...chosen];
}

const kept = new WeakMap<ToolDefinition, SelectableTool>();

/** A tool as selectors see it: the same object each time, so that an index of it can be kept. */
export function toSelectable(definition: ToolDefinition): SelectableTool {
  return valueIn(kept, definition, ({ manifest, presentation }) => ({
    name: manifest.name,
    title: presentation.title,
    // Words about other uses would find the tool for those uses.
    description: presentation.description.replace(manifest.avoid, ''),
    inputSchema: presentation.inputSchema,
    keywords: manifest.keywords,
    category: manifest.category,
  }));
}

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
    const refresh = (): void => this.#choose([...chooseTools(registry, selectors), ...this.#namesManaged()]);
    onAbort(signal, registry.onChange(refresh));
  }

  #definitions(): readonly ToolDefinition[] {
    return this.options.registry.all().filter(({ manifest }) => this.#names.has(manifest.name));
  }

  namesInList(): readonly string[] {
    return this.#shown.map(({ manifest }) => manifest.name);
  }

  noteListSent(): void {
    this.#sent = new Set(this.namesInList());
  }

  namesKnown(): readonly string[] {
    return this.namesInList().filter((name) => this.#sent?.has(name) ?? true);
  }

  add(names: readonly string[]): readonly string[] {
    for (const name of names) this.#sent?.add(name);
    const before = new Set(this.namesInList());
    this.#choose(names);
    return this.namesInList().filter((name) => !before.has(name));
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  manage(fact: SessionFact): void {
    if (this.#facts.has(fact)) return;
    this.#facts.add(fact);
    this.#choose(this.#namesManaged());
  }

  /** Tools that the facts of this session add, now and when a provider offers more. */
  #namesManaged(): readonly string[] {
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
