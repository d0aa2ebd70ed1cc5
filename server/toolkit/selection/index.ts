import type {
  RankTools,
  SelectableTool,
  Selection,
  SelectionRequest,
  SelectionStrategy,
  ToolSelector,
} from '../../core/registry/selector.ts';
import { createAiSelector } from './ai.ts';
import { createHybridSelector } from './hybrid.ts';
import { createKeywordSelector } from './keyword.ts';
import { lastQuestion } from './messages.ts';

/** Options of {@link createToolSelector}. */
export interface ToolSelectorOptions {
  /** By words, by a model, or by both. Default: `hybrid` with a model, else `keyword`. */
  readonly strategy?: SelectionStrategy | undefined;
  /** Asks a model. Without it words choose, and a note says so where the strategy wants a model. */
  readonly rank?: RankTools | undefined;
  /** How long a model is waited for, in milliseconds. Default: 20,000. */
  readonly patienceMs?: number | undefined;
}

/** A request in which `query` may be left out, for what a person said last in `messages`, and `signal`. */
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
