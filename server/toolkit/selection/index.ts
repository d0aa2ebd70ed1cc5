import type {
  RankTools,
  SelectableTool,
  Selection,
  SelectionRequest,
  SelectionStrategy,
  ToolSelector,
} from '../../core/registry/selector.ts';
import {
  createAiSelector,
  rankWith,
  type AiSelectorOptions,
  lastQuestion,
  lastTexts,
  fitBudget,
} from './ai.ts';
import { ToolIndex } from './tool-index.ts';

/** Queries come from models; a sentence or two is never longer. */
const QUERY_LENGTH = 2_000;
const CONTEXT = 0.2;

/** Finds tools by their words, without a model. It keeps the index of the last tools. */
export function createKeywordSelector(): ToolSelector {
  let indexed: readonly SelectableTool[] = [];
  let index = new ToolIndex(indexed);
  return {
    select: async <Tool extends SelectableTool>({
      query,
      messages,
      tools,
      budget_tokens: budget,
      signal,
    }: SelectionRequest<Tool>) => {
      signal.throwIfAborted();
      if (!isSame(indexed, tools)) {
        index = new ToolIndex(tools);
        indexed = tools;
      }
      const found = index.search(query.slice(0, QUERY_LENGTH));
      const context = index.search(lastTexts(messages).join('\n'));
      const scores = found.size === 0 ? context : found;
      const scale = found.size === 0 || context.size === 0 ? 0 : (CONTEXT * most(found)) / most(context);
      const ranked = [...scores]
        .map(([number, score]) => ({
          tool: tools[number],
          score: score + scale * (context.get(number) ?? 0),
        }))
        .sort((a, b) => b.score - a.score)
        .flatMap(({ tool }) => tool ?? []);
      return fitBudget({ tools: ranked, notes: [] }, budget);
    },
  };
}

const most = (scores: ReadonlyMap<number, number>): number =>
  [...scores.values()].reduce((best, score) => Math.max(best, score), 0);

const isSame = (some: readonly SelectableTool[], others: readonly SelectableTool[]): boolean =>
  some.length === others.length && some.every((tool, place) => tool === others[place]);

/** Reciprocal rank fusion: Cormack, Clarke and Büttcher, SIGIR 2009. */
const RANK_OFFSET = 60;

/**
 * By words and by a model: tools that both rank high come first. If the model fails, only words choose, and a
 * note says so.
 */
function createHybridSelector(options: AiSelectorOptions): ToolSelector {
  return {
    select: async <Tool extends SelectableTool>(request: SelectionRequest<Tool>) => {
      const byWords = await options.keyword.select({ ...request, budget_tokens: undefined });
      const { tools, notes } = await rankWith(options, request, byWords.tools);
      return fitBudget({ tools: fuse([byWords.tools, tools]), notes }, request.budget_tokens);
    },
  };
}

function fuse<Item>(rankings: readonly (readonly Item[])[]): readonly Item[] {
  const scores = new Map<Item, number>();
  for (const ranking of rankings)
    for (const [place, item] of ranking.entries())
      scores.set(item, (scores.get(item) ?? 0) + 1 / (RANK_OFFSET + place + 1));
  return [...scores].sort(([, a], [, b]) => b - a).map(([item]) => item);
}

/** Options of {@link createToolSelector}. */
export interface ToolSelectorOptions {
  /** By words, by a model, or by both. Default: `hybrid` with a model, else `keyword`. */
  readonly strategy?: SelectionStrategy | undefined;
  /** Asks a model. Without it words choose, and a note says so if the strategy wants a model. */
  readonly rank?: RankTools | undefined;
  /** How long to wait for a model, in milliseconds. Default: 20,000. */
  readonly patienceMs?: number | undefined;
}

/** A request that may omit `query`, which defaults to the person's last text in `messages`, and `signal`. */
export type ToolSelectorRequest<Tool extends SelectableTool = SelectableTool> = Omit<
  SelectionRequest<Tool>,
  'query' | 'signal'
> &
  Partial<Pick<SelectionRequest<Tool>, 'query' | 'signal'>>;

/** A selector that a program calls itself. */
export interface OwnToolSelector extends ToolSelector {
  select<Tool extends SelectableTool>(request: ToolSelectorRequest<Tool>): Promise<Selection<Tool>>;
}

/** Chooses tools for a task in words. */
export function createToolSelector(options: ToolSelectorOptions = {}): OwnToolSelector {
  const { rank, strategy = rank === undefined ? 'keyword' : 'hybrid', patienceMs } = options;
  const selector = withModel(createKeywordSelector(), { strategy, rank, patienceMs });
  return {
    select: async ({ query, signal = new AbortController().signal, ...request }) =>
      selector.select({ ...request, query: query ?? lastQuestion(request.messages ?? []), signal }),
  };
}

/** The same over a selector by words that is there already, with its index. */
export function withModel(
  keyword: ToolSelector,
  { strategy, rank, patienceMs }: ToolSelectorOptions,
): ToolSelector {
  if (strategy === 'keyword') return keyword;
  const asked = { rank: rank ?? noModel, keyword, patienceMs };
  return strategy === 'ai' ? createAiSelector(asked) : createHybridSelector(asked);
}

const noModel: RankTools = () => Promise.reject(new Error('no model is available'));
