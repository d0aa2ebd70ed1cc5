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
  tier: 3,
  risk: 'none',
  description: {
    does: 'Answers one question about a stored output without giving it out: what contains a text, which items match, how two outputs differ, what fields there are.',
    use: 'Use it with an output_handle that is too large to read, and follow next_offset.',
    avoid: 'Not for reading in order: use oc_output_fetch.',
  },
  keywords:
    'search grep filter sort where select fields jmespath regex diff compare schema statistics count handle items',
  input: z.strictObject({
    output_handle: z.string().describe('oh_ and 12 characters'),
    search: question.optional().describe('Text to find, as it is written: the places, with context'),
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
    sort: question.optional().describe('JMESPath of an item to sort by; begins with - for the largest first'),
    diff: z.string().optional().describe('Newer output_handle: what was added and removed since'),
    schema: z.boolean().optional().describe('JSON Schema of the items'),
    stats: z.boolean().optional().describe('Figures of each field: range, distinct and most frequent values'),
    offset: z.int().min(0).default(0).describe('Where to begin: next_offset of the page before'),
    limit: z.int().min(1).max(1_000).default(20).describe('Most rows'),
  }),
  output: OutputQueryFields,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  spills: false,
  faces: { panel: ['Inspector', 'Render'] },
});

export const manifests = [ocOutputQuery] as const;
