import type { SelectableTool, Selection } from '../../core/registry/selector.ts';

/** A token of English JSON is about four bytes. */
export const TOKEN_BYTES = 4;
const NAMED_MAX = 8;

/** Tokens of a definition in a model's list, about. */
const tokensOf = ({ name, description, inputSchema }: SelectableTool): number =>
  Math.ceil(
    Buffer.byteLength(JSON.stringify({ name, description, input_schema: inputSchema })) / TOKEN_BYTES,
  );

/**
 * The best tools whose definitions fit, in their order; one that does not fit keeps no other out, and the best is always there.
 * A note names those that would have come before others.
 */
export function fitBudget<Tool extends SelectableTool>(
  { tools, notes }: Selection<Tool>,
  budget: number | undefined,
): Selection<Tool> {
  if (budget === undefined) return { tools, notes };
  let left = budget;
  const fitting: Tool[] = [];
  const large: string[] = [];
  let skipped: string[] = [];
  for (const tool of tools) {
    const tokens = tokensOf(tool);
    if (tokens > left && fitting.length > 0) {
      skipped.push(tool.name);
      continue;
    }
    left -= tokens;
    fitting.push(tool);
    large.push(...skipped);
    skipped = [];
  }
  if (large.length === 0) return { tools: fitting, notes };
  const note = `Too large for the budget of ${budget} tokens: ${large.slice(0, NAMED_MAX).join(', ')}.`;
  return { tools: fitting, notes: [...notes, note] };
}
