import type { RankTools, SelectionStrategy, ToolSelector } from '../../core/registry/selector.ts';
import { createAiSelector } from './ai.ts';
import { createHybridSelector } from './hybrid.ts';
import { createKeywordSelector } from './keyword.ts';

/** Options of {@link createToolSelector}. */
export interface ToolSelectorOptions {
  /** By words, by a model, or by both. Default: `hybrid` with a model, else `keyword`. */
  readonly strategy?: SelectionStrategy | undefined;
  /** Asks a model. Without it words choose, and a note says so where the strategy wants a model. */
  readonly rank?: RankTools | undefined;
  /** How long a model is waited for, in milliseconds. Default: 20,000. */
  readonly patienceMs?: number | undefined;
}

/** Chooses tools for a task in words. */
export function createToolSelector(options: ToolSelectorOptions = {}): ToolSelector {
  const { rank, strategy = rank === undefined ? 'keyword' : 'hybrid', patienceMs } = options;
  return withModel(createKeywordSelector(), { strategy, rank, patienceMs });
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
