import type { SelectableTool, SelectionRequest, ToolSelector } from '../../core/registry/selector.ts';
import { rankWith, type AiSelectorOptions } from './ai.ts';
import { fitBudget } from './budget.ts';

/** Reciprocal rank fusion: Cormack, Clarke and Büttcher, SIGIR 2009. */
const RANK_OFFSET = 60;

/** By words and by a model: what both rank high comes first. Where the model fails, words choose alone, and a note says so. */
export function createHybridSelector(options: AiSelectorOptions): ToolSelector {
  return {
    select: async <Tool extends SelectableTool>(request: SelectionRequest<Tool>) => {
      const byWords = await options.keyword.select({ ...request, budget_tokens: undefined });
      const { tools, notes } = await rankWith(options, request, byWords.tools);
      return fitBudget({ tools: fuse([byWords.tools, tools]), notes }, request.budget_tokens);
    },
  };
}

/** One ranking of several, the best first. */
function fuse<Item>(rankings: readonly (readonly Item[])[]): readonly Item[] {
  const scores = new Map<Item, number>();
  for (const ranking of rankings)
    for (const [place, item] of ranking.entries())
      scores.set(item, (scores.get(item) ?? 0) + 1 / (RANK_OFFSET + place + 1));
  return [...scores].sort(([, a], [, b]) => b - a).map(([item]) => item);
}
