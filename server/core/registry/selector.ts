import type { ToolDefinition } from './definition.ts';

/** A tool that fits what was asked for, and how well: higher is better, comparable in one answer. */
interface ToolMatch {
  readonly definition: ToolDefinition;
  readonly score: number;
}

/**
 * Chooses tools for a task in words. The first one searches their text; one that asks a model would
 * use the same method.
 */
export interface ToolSelector {
  /** The best first, at most `limit`. */
  select(request: {
    readonly query: string;
    readonly tools: readonly ToolDefinition[];
    readonly limit: number;
    readonly signal: AbortSignal;
  }): Promise<readonly ToolMatch[]>;
}
