import type { ToolDefinition } from './definition.ts';
import type { SelectableTool } from './selector.ts';

const kept = new WeakMap<ToolDefinition, SelectableTool>();

/** A tool as selectors see it: the same object each time, so that an index of it can be kept. */
export function toSelectable(definition: ToolDefinition): SelectableTool {
  const known = kept.get(definition);
  if (known !== undefined) return known;
  const { manifest, presentation } = definition;
  const tool: SelectableTool = {
    name: manifest.name,
    title: presentation.title,
    // What it is not for would find it for just that.
    description: presentation.description.replace(manifest.description.avoid, ''),
    inputSchema: presentation.inputSchema,
    keywords: manifest.keywords,
    category: manifest.category,
  };
  kept.set(definition, tool);
  return tool;
}
