import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { WidgetDialect } from '../../core/definition.ts';
import { publicFields } from '../../core/public-fields.ts';
import type { ContentBlock, ToolResult } from '../../core/result.ts';

type Block = CallToolResult['content'][number];

function toBlock(block: ContentBlock): Block {
  if (block.type === 'foreign') return block.block as Block;
  if (block.type === 'blob') {
    return { type: 'resource', resource: { uri: block.uri, mimeType: block.mimeType, blob: block.data } };
  }
  return { ...block };
}

/** The executor's result in MCP's form. */
export function toCallToolResult(result: ToolResult, dialect: WidgetDialect | null): CallToolResult {
  const { content, structured, meta, ok } = result;
  return publicFields<CallToolResult>(
    {
      content: content.map(toBlock),
      ...(structured === undefined ? {} : { structuredContent: structured }),
      ...(ok ? {} : { isError: true }),
      ...(meta === undefined ? {} : { _meta: meta }),
    },
    dialect,
  );
}
