import type { ToolDefinition } from './definition.ts';

/** Its name may be told to models: what only widgets call is no model's affair. */
export const isForModels = ({ row }: ToolDefinition): boolean => row.audience === 'model';

/** `find_tools` and a category bring it, and hints name it. */
export const isFound = (definition: ToolDefinition): boolean =>
  isForModels(definition) && definition.manifest.flags.discoverable;
