import type { SelectableTool, SelectionRequest, ToolSelector } from '../../core/registry/selector.ts';
import { fitBudget } from './budget.ts';
import { lastTexts } from './messages.ts';
import { ToolIndex } from './tool-index.ts';

/** Queries come from models; none is longer in a sentence or two. */
const QUERY_LENGTH = 2_000;
/** What was said before can order what the query finds, and not outweigh it. */
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
