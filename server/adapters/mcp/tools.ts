import type { ListToolsResult, Tool } from '@modelcontextprotocol/server';
import type { ToolAnnotations } from '../../../shared/tools/manifest.ts';
import type { ToolDefinition } from '../../core/registry/definition.ts';
import { cutPage } from './rpc.ts';
import type { McpServerOptions } from './scope.ts';

export const shownOf = ({ tools }: ListToolsResult): string =>
  JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));

/** One page of `tools/list`. */
export function listTools(
  { executor }: Pick<McpServerOptions, 'executor'>,
  names: readonly string[],
  cursor: string | undefined,
): ListToolsResult {
  const tools = names.map((name) => toTool(executor.registry.get(name)));
  const { page, next } = cutPage(tools, { list: 'tools', keyOf: ({ name }) => name, cursor });
  return { tools: [...page], ...next };
}

function toTool({ manifest, presentation }: ToolDefinition): Tool {
  const { title, description, inputSchema, outputSchema, meta } = presentation;
  return {
    name: manifest.name,
    title,
    description,
    inputSchema: { ...inputSchema, type: 'object' as const },
    ...(outputSchema === undefined ? {} : { outputSchema: { ...outputSchema, type: 'object' as const } }),
    annotations: toAnnotations(manifest.annotations),
    // Forbidden is what its absence says.
    ...(manifest.tasks === 'forbidden' ? {} : { execution: { taskSupport: manifest.tasks } }),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}

/**
 * The hints that say more than their absence does: the protocol's defaults are left out, and what a
 * tool that only reads would destroy or repeat.
 */
function toAnnotations(hints: ToolAnnotations): Partial<ToolAnnotations> {
  return {
    readOnlyHint: hints.readOnlyHint,
    ...(hints.readOnlyHint || hints.destructiveHint ? {} : { destructiveHint: false }),
    ...(!hints.readOnlyHint && hints.idempotentHint ? { idempotentHint: true } : {}),
    ...(hints.openWorldHint ? {} : { openWorldHint: false }),
  };
}
