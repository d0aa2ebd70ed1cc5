import { z } from 'zod';
import { LIMITS } from '../base/limits.ts';
import { textField, obvious, defineTool } from '../core/tools/manifest.ts';

const common = { identifier: 'outputs', category: 'output', risk: 'none' } as const;

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const count = z.int().min(0);
/** No pattern: malformed handles fail with `output_handle_not_found` like unknown ones. */
const handle = z.string().describe('oh_ and 12 characters');

const PageFields = z.looseObject({
  output_handle: z.string(),
  offset: count,
  limit: count,
  returned: count,
  total: count,
  next_offset: count.nullable(),
  content: z.array(z.unknown()),
  eof: z.boolean(),
});

/** Longest text of a question. */
const QUESTION_MAX = 1_000;
const question = textField(QUESTION_MAX);
const text = textField(200);

export const ocOutputFetch = defineTool({
  ...common,
  name: 'oc_output_fetch',
  title: 'Fetch stored output',
  tier: 1,
  order: 80,
  does: 'Reads a stored output page by page.',
  use: 'Follow next_offset. To search it: oc_output_query, from find_tools.',
  avoid: 'Not needed when the preview was complete.',
  keywords: 'more rest next page of result stored handle',
  input: z.strictObject({
    output_handle: handle,
    offset: z.int().min(0).default(0).describe('First item or byte'),
    limit: z.int().min(1).max(LIMITS.outputFetchBytesMax).optional().describe('Items (200) or bytes (32768)'),
    format: z.enum(['auto', 'items', 'bytes', 'image']).default('auto').describe('Unit; image: a tile'),
    encoding: z.enum(['auto', 'utf8', 'base64']).default('auto').meta(obvious('Encoding of bytes')),
  }),
  output: PageFields.extend({
    content: z.union([z.string(), z.array(z.unknown())]),
    oversized: z.array(z.looseObject({ index: count, byte_offset: count, size_bytes: count })).optional(),
  }),
  annotations: READS,
  systemRole: 'Read a handle with oc_output_fetch and follow next_offset.',
});

export const ocOutputQuery = defineTool({
  ...common,
  name: 'oc_output_query',
  title: 'Query stored output',
  does: 'Queries a stored output: search a text, filter items, diff two outputs, list fields.',
  use: 'Use it when an output is too large to read; follow next_offset.',
  avoid: 'Not for reading in order: use oc_output_fetch.',
  keywords:
    'search grep filter sort where select fields jmespath regex diff compare schema statistics count handle items',
  input: z.strictObject({
    output_handle: handle,
    search: question.optional().describe('Exact text to find, with context'),
    regex: question.optional().describe('RE2 expression to find within lines, or in the JSON of items'),
    jmespath: question
      .optional()
      .describe('JMESPath of the whole list or object, such as [?price > `10`].name'),
    fields: z
      .array(question)
      .min(1)
      .max(20)
      .optional()
      .describe('Fields of each item: JMESPath, or name: JMESPath'),
    where: question
      .optional()
      .describe("JMESPath condition of an item, such as state == 'open' && price > `10`"),
    sort: question.optional().describe('JMESPath in an item to sort by; -PATH puts the largest first'),
    diff: z.string().min(1).optional().describe('Newer output_handle: what was added and removed since'),
    schema: z.boolean().optional().describe('JSON Schema of the items'),
    stats: z.boolean().optional().describe('Statistics per field: range, distinct and most frequent values'),
    offset: z.int().min(0).default(0).describe('First row: next_offset of the previous page'),
    limit: z.int().min(1).max(1_000).default(20).describe('Most rows'),
  }),
  output: PageFields,
  annotations: READS,
});

export const outputKeep = defineTool({
  ...common,
  name: 'output_keep',
  title: 'Keep or save a stored output',
  does: 'Keeps a stored output from expiring. With save_as, saves it to a file: records as CSV, TSV or JSON.',
  use: 'Use it for a handle needed later, or to save records or a table as CSV.',
  avoid: 'Not for reading it: use oc_output_fetch.',
  keywords:
    'pin retain save handle disk expiry expire release unpin note file export csv tsv spreadsheet rows',
  input: z.strictObject({
    output_handle: handle,
    keep: z
      .boolean()
      .optional()
      .describe(
        'true by default; false: let it expire again. Only a person can release an output that a person keeps',
      ),
    note: text.optional().describe('What it is kept for; output_list finds it'),
    save_as: textField(500)
      .optional()
      .describe('File below --download-root: items as .csv, .tsv or .json, other outputs as they are'),
    overwrite: z.boolean().optional().describe('Replace an existing file'),
  }),
  output: z.looseObject({
    output_handle: z.string(),
    kept: z.boolean().optional(),
    kept_by: z.literal('person').optional().describe('Only a person can release it'),
    note: z.string().optional(),
    expires_in_seconds: count.optional().describe('Absent while kept; 0: expired'),
    kept_bytes: count.optional().describe('Of all kept outputs'),
    kept_max_bytes: count.optional().describe('Limit of kept outputs'),
    saved_as: z.string().optional().describe('The file'),
    size_bytes: count.optional().describe('Of the file'),
    records: count.optional().describe('Rows without the header'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
});

export const outputList = defineTool({
  ...common,
  name: 'output_list',
  title: 'List stored outputs',
  does: 'Lists stored outputs, newest first: handle, tool, page, size, items, age, note.',
  use: 'Use it to find a handle again, of this session or an earlier one.',
  avoid: 'Not for their content: use oc_output_query.',
  keywords: 'handles captures stored results earlier find again',
  input: z.strictObject({
    tool: text.optional().describe('Only of this tool'),
    text: text.optional().describe('Only with this in the address of its page, or in its note'),
    max_age_minutes: z.int().min(1).max(1_000_000).optional().describe('Only as new as this'),
    kept: z.boolean().optional().describe('Only kept ones, or only others'),
    offset: z.int().min(0).default(0).describe('First output'),
    limit: z.int().min(1).max(200).default(20).describe('Most outputs'),
  }),
  output: z.looseObject({
    outputs: z.array(
      z.looseObject({
        output_handle: z.string(),
        tool: z.string(),
        page: z.string().optional(),
        mime_type: z.string(),
        size_bytes: count,
        items: count.optional(),
        age_seconds: count,
        kept: z.boolean().optional(),
        kept_by: z.literal('person').optional().describe('Only a person can release it'),
        note: z.string().optional(),
        expires_in_seconds: count.optional().describe('Absent while kept'),
      }),
    ),
    total: count,
    next_offset: count.nullable(),
  }),
  annotations: READS,
  needs: ['oc_output_fetch'],
});

export const outputSchema = defineTool({
  ...common,
  name: 'output_schema',
  title: 'Schema of stored output',
  does: 'Infers the JSON Schema of the items of a stored output: fields, types, required fields, choices.',
  use: 'Use it before a query with where and fields.',
  avoid: 'Not for text or bytes.',
  keywords: 'fields types structure columns of items json handle',
  input: z.strictObject({ output_handle: handle }),
  output: z.looseObject({
    output_handle: z.string(),
    items: z.number().nullable(),
    schema: z.looseObject({}),
  }),
  annotations: READS,
  needs: ['oc_output_query'],
});

export const manifests = [ocOutputFetch, ocOutputQuery, outputKeep, outputList, outputSchema] as const;
