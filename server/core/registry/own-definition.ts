import { z } from 'zod';
import { defineTool } from '../../../shared/tools/manifest.ts';
import type { OwnTool } from '../own-tool.ts';
import { PLAIN_ROW, type ToolDefinition } from './definition.ts';

/**
 * The definition of one call's own tool. It is in no registry: there, every other session could call it.
 */
export function ownDefinition(tool: OwnTool): ToolDefinition {
  const { name, title = name, description = '', isReadOnly = false } = tool;
  const manifest = defineTool({
    name,
    title,
    category: 'experimental',
    tier: 3,
    risk: isReadOnly ? 'none' : 'acts_on_page',
    description: { does: description, use: '', avoid: '' },
    input: z.looseObject({}),
    annotations: {
      readOnlyHint: isReadOnly,
      destructiveHint: !isReadOnly,
      idempotentHint: false,
      openWorldHint: true,
    },
    spills: false,
    flags: { hidden: true, discoverable: false },
  });
  const presentation = Object.freeze({ title, description, inputSchema: { type: 'object' } });
  return Object.freeze({ kind: 'own', manifest, presentation, row: PLAIN_ROW, own: tool });
}
