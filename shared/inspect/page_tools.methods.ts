import { z } from 'zod';
import { READS_PAGE, type Risk } from '../core/policy/risks.ts';
import { Caller } from '../core/policy/call-facts.ts';
import { JsonRecord } from '../base/json-schema.ts';

export const PAGE_TOOL_LIMITS = {
  tools: 100,
  name: 200,
  description: 900,
  schema: 20_000,
};

/** A tool as a document declares it: the texts come from the page. */
export const PageTool = z.object({
  name: z.string().min(1).max(PAGE_TOOL_LIMITS.name),
  title: z.string().max(PAGE_TOOL_LIMITS.name).optional(),
  /** Cut, with an ellipsis, if the page's is longer. */
  description: z.string().max(PAGE_TOOL_LIMITS.description),
  /** The JSON Schema of its arguments, as JSON; null if the page gives none. */
  schema: z.string().max(PAGE_TOOL_LIMITS.schema).nullable(),
  read_only: z.boolean(),
  consequential: z.boolean(),
  untrusted: z.boolean(),
});
export type PageTool = z.infer<typeof PageTool>;

const ListedTool = PageTool.extend({ origin: z.string(), document_id: z.string() });
export type ListedTool = z.infer<typeof ListedTool>;

/** The worst that a page's tool may do. A tool declared read-only is still the page's script. */
export const PAGE_TOOL_RISKS = ['input', 'submit', 'navigate', 'download'] as const satisfies readonly Risk[];

export const methods = {
  /** The tools that a tab's documents currently declare, those of its page first. */
  'page_tools.list': {
    policy: READS_PAGE,
    params: z.object({ tab_id: z.int() }),
    result: z.object({
      tools: z.array(ListedTool),
      /** Tools beyond the limits. */
      left_out: z.int(),
      /** Frames that did not answer: nobody knows their tools. */
      silent_frames: z.int().optional(),
      url: z.string(),
    }),
  },
  /** Calls one of them. */
  'page_tools.call': {
    policy: { judged: 'handler', risks: PAGE_TOOL_RISKS },
    params: z.object({
      tab_id: z.int(),
      caller: Caller,
      document_id: z.string(),
      name: z.string(),
      input: JsonRecord,
      timeout_ms: z.int(),
    }),
    /** The answer is JSON, or text. */
    result: z.object({ answer: z.string(), is_cut: z.boolean(), url: z.string() }),
  },
} as const;
