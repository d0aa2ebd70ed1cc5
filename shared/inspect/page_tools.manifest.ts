import { z } from 'zod';
import { textField, tabField, defineTool } from '../core/tools/manifest.ts';
import { PAGE_TOOL_LIMITS, PAGE_TOOL_RISKS } from './page_tools.methods.ts';

const flag = z.literal(true).optional();
const KEYWORDS = 'webmcp modelContext tools that a site declares offers registers';

const pageTools = defineTool({
  name: 'page_tools',
  title: 'Page tools',
  category: 'read',
  risk: 'reads_page',
  does: 'Lists the tools that the page of a tab declares for agents (WebMCP).',
  use: 'Use it on pages of applications: one call of such a tool can replace many steps.',
  avoid: 'Not for the tools of other servers: use find_tools.',
  keywords: KEYWORDS,
  input: z.strictObject({ tab: tabField.optional() }),
  output: z.looseObject({
    tools: z.array(
      z.looseObject({
        name: z.string(),
        title: z.string().optional(),
        description: z.string(),
        input_schema: z.unknown().optional().describe('JSON Schema of its arguments'),
        read_only: flag.describe('By the page: it changes nothing'),
        consequential: flag.describe('By the page: a person is asked each time'),
        untrusted_content: flag.describe('By the page: its answers quote others'),
        origin: z.string().optional().describe('Of a frame of another site'),
      }),
    ),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
});

export const pageToolCall = defineTool({
  name: 'page_tool_call',
  identifier: 'page_tools',
  title: 'Call page tool',
  category: 'act',
  risk: 'acts_on_page',
  risksOf: () => PAGE_TOOL_RISKS.map((risk) => ({ risk, step: null })),
  does: 'Calls a tool that a page declares, and returns its answer.',
  use: 'Take name and arguments from page_tools.',
  avoid: 'Not for controls of the page: use interact.',
  keywords: KEYWORDS,
  input: z.strictObject({
    name: textField(PAGE_TOOL_LIMITS.name).describe('As page_tools lists it'),
    arguments: z.record(z.string(), z.unknown()).default({}).describe('By its input_schema'),
    origin: textField(2_000).optional().describe('Of the frame, if several declare the name'),
    timeout_ms: z.int().min(100).max(120_000).default(30_000).describe('Time limit'),
    tab: tabField.optional(),
  }),
  needs: ['page_tools'],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  spills: true,
});

export const manifests = [pageTools, pageToolCall] as const;
