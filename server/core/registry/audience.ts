import type { ToolDefinition } from './definition.ts';

/** Whether models may see its name: tools that only widgets call are hidden from models. */
export const isForModels = ({ row }: ToolDefinition): boolean => row.audience !== 'widget';

/** `find_tools` and a category bring it, and hints name it. */
export const isFound = (definition: ToolDefinition): boolean =>
  isForModels(definition) && definition.manifest.flags.discoverable;
