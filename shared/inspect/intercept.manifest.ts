import { z } from 'zod';
import { textField, tabField, defineTool } from '../core/tools/manifest.ts';
import { risksOfRule } from './intercept.methods.ts';

const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'takes a name of a header');
const headerValue = z
  .string()
  .max(4_000)
  .regex(/^[^\r\n\0]*$/, 'takes one line');

export const manifest = defineTool({
  name: 'intercept',
  title: 'Intercept requests',
  category: 'dev',
  risk: 'acts_on_page',
  risksOf: ({ action = 'list', ...rule }) =>
    (action === 'add'
      ? risksOfRule({ answer: rule['answer'], headers: rule['headers'], login: rule['login'] })
      : (['read'] as const)
    ).map((risk) => ({ risk, step: null })),
  does: 'Blocks, delays or answers requests of a tab, changes their headers, or answers HTTP authentication, by url globs, until the rule is removed or the session ends.',
  use: 'Use it to test how a page handles failures, or to sign in where the browser asks.',
  avoid: 'Not for reading requests: use network.',
  keywords:
    'mock stub fulfill route block abort ads delay header authorization basic auth http authentication password',
  input: z.strictObject({
    tab: tabField.optional(),
    action: z.enum(['list', 'add', 'remove']).default('list').describe('What to do'),
    url: textField(2_000).optional().describe('For add: part of the url, or glob (** crosses /)'),
    block: z.boolean().default(false).describe('Fail them'),
    delay_ms: z.int().min(0).max(60_000).default(0).describe('Wait first'),
    answer: z
      .strictObject({
        status: z.int().min(200).max(599).default(200),
        headers: z.record(headerName, headerValue).default({}),
        body: z.string().max(100_000).optional(),
        file: textField(4_000).optional().describe('Below --upload-root, 256 KB at most'),
      })
      .optional()
      .describe("Replaces the server's"),
    headers: z
      .record(headerName, headerValue.nullable())
      .optional()
      .describe('For requests; null removes one'),
    login: z
      .strictObject({ username: textField(1_000), password: textField(1_000) })
      .optional()
      .describe('For HTTP authentication, as secret:NAME'),
    rule: textField(20).optional().describe('For remove; default all'),
  }),
  output: z.looseObject({
    tab: z.string(),
    rules: z.array(z.looseObject({ id: z.string(), url: z.string(), does: z.string(), hits: z.int() })),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
});

export const manifests = [manifest] as const;
