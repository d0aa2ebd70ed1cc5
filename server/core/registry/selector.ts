import type { JsonObject } from '../../../shared/json.ts';

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
