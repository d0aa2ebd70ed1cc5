import { produceClean } from '../core/calls/produce.ts';
import { invalidArgument } from '../../shared/base/errors.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import type { findTools } from '../../shared/find-tools/find_tools.manifest.ts';
import {
  isForModels,
  isFound,
  type ToolDefinition,
  type ToolRuntime,
  type ToolRuntimes,
  type ArgsOf,
} from '../core/registry/definition.ts';
import type { CallContext } from '../core/context.ts';
import { lazy } from '../../shared/base/async.ts';
import { cut } from '../../shared/base/cut.ts';
import type { ToolRegistry } from '../core/registry/registry.ts';
import { listFilledGroups, select, toSelectable } from '../core/registry/session.ts';
import type { SelectionStrategy, ToolSelector } from '../core/registry/selector.ts';
import type { CleanText } from '../libraries/redaction/clean.ts';
import { vouch } from '../libraries/redaction/mark.ts';

type FindToolsArgs = ArgsOf<typeof findTools>;

const MATCHES_MAX = 10;
/** For the definitions of all matches together: a model may select them all. */
const BUDGET_TOKENS = 8_000;
const DESCRIBED_MAX = 64;
const LINE_LENGTH = 160;
const DESCRIPTION_LENGTH = 600;
/** For all input schemas in one answer: those of other servers may be of any size. */
const SCHEMAS_BYTES = 16_384;

interface FindServices {
  readonly registry: ToolRegistry;
  /** Default: by words. */
  readonly toolSelection?: SelectionStrategy;
}

/** Part of the answer, with the input for its notes. */
interface SchemaPart {
  readonly value: JsonObject;
  readonly notes: readonly string[];
}

export const createRuntimes = (services: FindServices): ToolRuntimes => ({
  find_tools: createFindTools(services),
});

/**
 * `find_tools`: `{ next, matches, less_likely }` of a query, best first, with `next` if the best is not listed; of a
 * selection `{ tools, added, problems }`, with the input schemas, since many clients do not read a list again.
 */
export function createFindTools({
  registry,
  toolSelection: strategy = 'keyword',
}: FindServices): ToolRuntime<FindToolsArgs> {
  // Loaded with the first query, and kept with its index.
  const loaded = lazy(async () => {
    const { createToolSelector, withModel } = await import('./index.ts');
    return { keyword: createToolSelector({ strategy: 'keyword' }), withModel };
  });
  const selectorOf = async ({ selector, rank }: CallContext): Promise<ToolSelector> => {
    if (selector !== undefined) return selector;
    const { keyword, withModel } = await loaded();
    return withModel(keyword, { strategy, rank });
  };
  return async ({ query, select: wanted }, context) => {
    if (query === undefined && wanted === undefined)
      throw invalidArgument(
        'find_tools: pass query (what to do, in words) or select (names of tools and categories).',
      );
    const parts = [
      ...(wanted === undefined ? [] : [listThem(registry, wanted, context)]),
      ...(query === undefined ? [] : [await search(registry, await selectorOf(context), query, context)]),
    ];
    const value: JsonObject = Object.fromEntries(parts.flatMap((part) => Object.entries(part.value)));
    // Schemas are exactly those of tools/list; the request's words are redacted first.
    return produceClean(
      vouch(value),
      parts.flatMap(({ notes }) => notes),
    );
  };
}

async function search(
  registry: ToolRegistry,
  selector: ToolSelector,
  query: string,
  { session, signal }: CallContext,
): Promise<SchemaPart> {
  const tools = registry.all().filter(isFound);
  const selection = await selector.select({
    query,
    tools: tools.map(toSelectable),
    budget_tokens: BUDGET_TOKENS,
    signal,
  });
  // A caller's own selector may answer anything.
  const byName = new Map(tools.map((tool) => [tool.manifest.name, tool]));
  const matches = selection.tools.flatMap(({ name }) => byName.get(name) ?? []).slice(0, MATCHES_MAX);
  const likely = new Set(selection.likely ?? matches.map(({ manifest }) => manifest.name));
  const described = matches.filter(({ manifest }) => likely.has(manifest.name));
  const others = matches.map(({ manifest }) => manifest.name).filter((name) => !likely.has(name));
  const listed = new Set(session.tools.namesInList());
  const [best] = described.map(({ manifest }) => manifest.name);
  const inScript = listed.has('script') ? `; a script can call tools.${best} now` : '';
  const next = `Call find_tools {"select":["${best}"]} first${inScript}.`;
  return {
    value: {
      ...(best === undefined || listed.has(best) ? {} : { next }),
      matches: described.map(({ manifest, presentation }) => ({
        name: manifest.name,
        title: cut(presentation.title, LINE_LENGTH),
        description: cut(presentation.description.replace(/\s+/g, ' '), LINE_LENGTH),
        category: manifest.category,
        listed: listed.has(manifest.name),
      })),
      ...(others.length === 0 ? {} : { less_likely: others }),
    },
    notes: [
      ...selection.notes,
      ...(matches.length > 0
        ? []
        : [`No match; select also takes a category: ${listFilledGroups(registry).join(', ')}.`]),
    ],
  };
}

function listThem(
  registry: ToolRegistry,
  wanted: readonly string[],
  { session, redact }: CallContext,
): SchemaPart {
  const chosen = new Set<ToolDefinition>();
  const problems: JsonObject[] = [];
  for (const name of new Set(wanted.map((each) => each.trim()))) {
    const selected = select(registry, name);
    for (const definition of selected.tools ?? []) chosen.add(definition);
    if (selected.tools !== null) continue;
    const missing = registry.explainMissing(name);
    const why = missing && { code: missing.code, message: redact(missing.message) };
    problems.push(problemOf(redact(name), why, selected.nearest));
  }
  const all = [...chosen];
  const added = session.tools
    .add(all.map(({ manifest }) => manifest.name))
    // Companions for widgets are listed too, but not for models.
    .filter((name) => isForModels(registry.get(name)));
  const { tools, left } = fitSchemas(all.slice(0, DESCRIBED_MAX));
  const more = all.length - tools.length;
  return {
    value: { tools, added: added.slice(0, DESCRIBED_MAX), ...(problems.length === 0 ? {} : { problems }) },
    notes: [
      ...(left.length === 0
        ? []
        : [`Too long for one answer: the schemas of ${left.slice(0, 8).join(', ')}. Select these alone.`]),
      ...(more > 0 ? [`${more} more are selected; select fewer at a time to see their schemas.`] : []),
    ],
  };
}

function problemOf(
  name: CleanText,
  missing: { readonly code: string; readonly message: CleanText } | undefined,
  nearest: readonly string[],
): JsonObject {
  const near = nearest.length === 0 ? '' : `; did you mean ${nearest.join(' or ')}?`;
  const message = `There is no tool and no category "${cut(name, 80)}"${near}`;
  const error = missing ?? { code: 'unknown_tool', message };
  return { name: cut(name, 80), error: { ...error } };
}

/** As many schemas as fit, the smaller ones first, so that one huge schema does not displace others. */
function fitSchemas(chosen: readonly ToolDefinition[]): {
  readonly tools: JsonObject[];
  readonly left: readonly string[];
} {
  const sizes = new Map(
    chosen.map((each) => [each, Buffer.byteLength(JSON.stringify(each.presentation.inputSchema))]),
  );
  const fitting = new Set<ToolDefinition>();
  let bytes = 0;
  for (const [each, size] of [...sizes].sort(([, a], [, b]) => a - b)) {
    bytes += size;
    if (bytes <= SCHEMAS_BYTES) fitting.add(each);
  }
  const tools = chosen.map((each) => ({
    name: each.manifest.name,
    description: cut(each.presentation.description, DESCRIPTION_LENGTH),
    ...(fitting.has(each) ? { input_schema: each.presentation.inputSchema } : {}),
  }));
  return { tools, left: chosen.filter((each) => !fitting.has(each)).map(({ manifest }) => manifest.name) };
}
