import { z } from 'zod';
import { LIMITS } from '../../limits.ts';
import { defineTool } from '../manifest.ts';
import { obvious } from '../fields.ts';

const count = z.number().int().min(0);

const OutputFetchFields = z.looseObject({
  output_handle: z.string(),
  offset: count,
  limit: count,
  returned: count,
  total: count,
  next_offset: count.nullable(),
  content: z.union([z.string(), z.array(z.unknown())]),
  eof: z.boolean(),
  oversized: z.array(z.looseObject({ index: count, byte_offset: count, size_bytes: count })).optional(),
});

export const ocOutputFetch = defineTool({
  name: 'oc_output_fetch',
  title: 'Fetch stored output',
  category: 'output',
  tier: 1,
  order: 80,
  risk: 'none',
  description: {
    does: 'Reads a stored output page by page.',
    use: 'Follow next_offset. To search it: oc_output_query, from find_tools.',
    avoid: 'Not needed when the preview was complete.',
  },
  keywords: 'more rest next page of result stored handle',
  input: z.strictObject({
    /** No pattern here: malformed handles fail with `output_handle_not_found` like unknown ones. */
    output_handle: z.string().describe('oh_ and 12 characters'),
    offset: z.int().min(0).default(0).describe('First item or byte'),
    limit: z.int().min(1).max(LIMITS.outputFetchBytesMax).optional().describe('Items (200) or bytes (32768)'),
    format: z.enum(['auto', 'items', 'bytes', 'image']).default('auto').describe('Unit; image: a tile'),
    encoding: z.enum(['auto', 'utf8', 'base64']).default('auto').meta(obvious('Encoding of bytes')),
  }),
  output: OutputFetchFields,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  spills: false,
  faces: { panel: ['Inspector', 'Render'] },
  systemRole: 'Read a handle with oc_output_fetch and follow next_offset.',
});

export const manifests = [ocOutputFetch] as const;
