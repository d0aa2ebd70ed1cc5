import { z } from 'zod';
import { textField, tabField, defineTool } from '../core/tools/manifest.ts';
import { ConsoleLevel } from './console.methods.ts';

/** Messages, oldest first. */
const ConsoleFields = z.looseObject({
  items: z.array(
    z.looseObject({
      time: z.string(),
      level: z.string(),
      source: z.string(),
      text: z.string(),
      location: z.string().optional(),
      stack: z.array(z.string()).optional(),
    }),
  ),
});

export const consoleTool = defineTool({
  name: 'console',
  title: 'Console messages',
  category: 'capture',
  order: 180,
  risk: 'reads_page',
  does: "Reads a page's console: messages, warnings and exceptions, including earlier ones.",
  use: 'Use it to see why a page fails.',
  avoid: 'Not for requests: use network.',
  keywords: 'logs javascript source maps errors exceptions warnings debug why does the page fail',
  input: z.strictObject({
    tab: tabField.optional(),
    level: ConsoleLevel.optional().describe('This level and above'),
    text: textField(1_000).optional().describe('Part of the message'),
    since: textField(64).optional().describe('ISO time or age: 30s, 5m'),
    sources: z.boolean().default(false).describe("Places in the sources, by source maps of the page's host"),
    limit: z.int().min(1).max(10_000).default(200).describe('Message limit; the newest are kept'),
  }),
  output: ConsoleFields,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
});

export const manifests = [consoleTool] as const;
