import type { JsonObject } from '../../../shared/base/json.ts';

export interface SelectableTool {
  /** The name by which a model calls it. */
  readonly name: string;
  /** For people. */
  readonly title?: string | undefined;
  readonly description: string;
  /** JSON Schema of the arguments: names and descriptions are searched. */
  readonly inputSchema: JsonObject;
  readonly keywords?: string | undefined;
  /** The group that it belongs to. */
  readonly category?: string | undefined;
}

/** A message of the conversation, in the form of the Messages API or the AI SDK: only its text counts. */
export interface SelectionMessage {
  readonly role: string;
  /** A text, or parts, some of which have a `text`. */
  readonly content: unknown;
}

export interface SelectionRequest<Tool extends SelectableTool = SelectableTool> {
  readonly query: string;
  /** Earlier messages; the last ones count a little. */
  readonly messages?: readonly SelectionMessage[] | undefined;
  /** The tools to choose from. */
  readonly tools: readonly Tool[];
  /** Bound of the chosen definitions together, in tokens. The best tool is always chosen. Default: no bound. */
  readonly budget_tokens?: number | undefined;
  /** Cancels the choice. */
  readonly signal: AbortSignal;
}

export interface Selection<Tool extends SelectableTool = SelectableTool> {
  /** The best first. */
  readonly tools: readonly Tool[];
  /** Names of the tools that fit about as well as the first. Default: all. */
  readonly likely?: readonly string[] | undefined;
  /** Such as a model that failed, or tools beyond the budget. */
  readonly notes: readonly string[];
}

/** Chooses tools for a task in words. */
export interface ToolSelector {
  /** Chooses only among the tools of the request. Rejects if cancelled. */
  select<Tool extends SelectableTool>(request: SelectionRequest<Tool>): Promise<Selection<Tool>>;
}

/** Asks a model and returns its text. */
export type RankTools = (prompt: string, signal: AbortSignal) => Promise<string>;

/** By words, by a model, or by both. */
export const SELECTION_STRATEGIES = ['keyword', 'ai', 'hybrid'] as const;
export type SelectionStrategy = (typeof SELECTION_STRATEGIES)[number];

/**
 * Levenshtein distance, two rows (Wagner–Fischer). Names are short, so quadratic is fine.
 */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** At most two of `names` that a person may have meant by `wanted`, nearest first. */
export function nearestNames(wanted: string, names: readonly string[]): readonly string[] {
  const word = wanted.slice(0, 64).toLowerCase();
  return names
    .map((name) => ({
      name,
      distance: word.length > 2 && name.includes(word) ? 1 : editDistance(word, name),
    }))
    .filter(
      // A short name that differs in every letter is not a typo of the other.
      ({ name, distance }) =>
        distance < Math.max(word.length, name.length) && distance <= Math.max(2, Math.floor(name.length / 3)),
    )
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 2)
    .map(({ name }) => name);
}
