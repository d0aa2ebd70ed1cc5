import type { CallToolResult, ResourceLink } from '@modelcontextprotocol/server';
import { MIME } from '../../../shared/mime.ts';
import type { OutputDescriptor } from '../../../shared/output/descriptor.ts';
import type { WidgetDialect } from '../../core/registry/definition.ts';
import { publicFields } from '../../core/registry/public-fields.ts';
import type { ContentBlock, ToolResult } from '../../core/result.ts';
import { outputUri } from './resources.ts';

type Block = CallToolResult['content'][number];

function toBlock(block: ContentBlock): Block {
  if (block.type === 'foreign') return block.block as Block;
  if (block.type === 'blob') {
    return { type: 'resource', resource: { uri: block.uri, mimeType: block.mimeType, blob: block.data } };
  }
  return { ...block };
}

/** A stored payload as a resource, for hosts that attach resources. */
function toLink(
  descriptor: Pick<OutputDescriptor, 'output_handle' | 'mime_type' | 'size_bytes'>,
): ResourceLink {
  const { output_handle: handle, mime_type: mimeType, size_bytes: size } = descriptor;
  return { type: 'resource_link', uri: outputUri(handle), name: handle, mimeType, size };
}

/** The most that a link and its comma take of a body. */
export const LINK_BYTES =
  1 +
  JSON.stringify(
    toLink({
      output_handle: `oh_${'A'.repeat(12)}`,
      mime_type: Object.values(MIME).reduce((a, b) => (b.length > a.length ? b : a)),
      size_bytes: Number.MAX_SAFE_INTEGER,
    }),
  ).length;

/** The executor's result in MCP's form; followed by a link to the stored output. */
export function toCallToolResult(result: ToolResult, dialect: WidgetDialect | null): CallToolResult {
  const { content, structured, meta, ok, descriptor } = result;
  return publicFields<CallToolResult>(
    {
      content: [...content.map(toBlock), ...(descriptor === undefined ? [] : [toLink(descriptor)])],
      ...(structured === undefined ? {} : { structuredContent: structured }),
      ...(ok ? {} : { isError: true }),
      ...(meta === undefined ? {} : { _meta: meta }),
    },
    dialect,
  );
}
