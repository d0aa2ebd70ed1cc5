import { z } from 'zod';
import { defineTool } from '../manifest.ts';

const count = z.number().int().min(0);

const OutputQueryFields = z.looseObject({
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
const question = z.string().min(1).max(QUESTION_MAX);

export const ocOutputQuery = defineTool({
  name: 'oc_output_query',
  title: 'Query stored output',
  category: 'output',
  risk: 'none',
  description: {
    does: 'Queries a stored output: search a text, filter items, diff two outputs, list fields.',
    use: 'Use it when an output is too large to read; follow next_offset.',
    avoid: 'Not for reading in order: use oc_output_fetch.',
  },
  keywords:
    'search grep filter sort where select fields jmespath regex diff compare schema statistics count handle items',
  input: z.strictObject({
    output_handle: z.string().describe('oh_ and 12 characters'),
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
    diff: z.string().optional().describe('Newer output_handle: what was added and removed since'),
    schema: z.boolean().optional().describe('JSON Schema of the items'),
    stats: z.boolean().optional().describe('Statistics per field: range, distinct and most frequent values'),
    offset: z.int().min(0).default(0).describe('First row: next_offset of the previous page'),
    limit: z.int().min(1).max(1_000).default(20).describe('Most rows'),
  }),
  output: OutputQueryFields,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  spills: false,
  faces: { panel: ['Inspector', 'Render'] },
});

export const manifests = [ocOutputQuery] as const;
