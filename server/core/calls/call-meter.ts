import type { Meter } from '../meter.ts';
import { isForModels } from '../registry/audience.ts';
import type { ToolDefinition } from '../registry/definition.ts';
import type { ToolRegistry } from '../registry/registry.ts';
import type { ToolResult } from '../result.ts';
import type { ToolCall } from './call.ts';

/** Names that no tool has share one line of the meter. */
const UNKNOWN = '(unknown)';

/** A provider's tool cannot say this of itself. */
export const isUnbudgeted = ({ manifest, runtime, own }: ToolDefinition): boolean =>
  manifest.flags.unbudgeted && runtime === undefined && own === undefined;

/** Counts an answer. What widgets alone call, and the steps of recipes, are left out: models do not read them. */
export function meterAnswer(
  { meter, registry }: { readonly meter: Meter; readonly registry: ToolRegistry },
  call: ToolCall,
  result: ToolResult,
): void {
  const definition = registry.find(call.tool);
  if (call.recipe !== undefined) return;
  if (definition !== undefined && !isForModels(definition)) return;
  const isKnown = definition !== undefined || call.own !== undefined;
  meter.answered({ ...call, tool: isKnown ? call.tool : UNKNOWN }, result);
}
