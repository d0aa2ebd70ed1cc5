import { z } from 'zod';
import { oneRisk } from '../core/policy/call-risks.ts';
import { textField, defineTool, obvious, RunAnswerFields } from '../core/tools/manifest.ts';
import { CrawlFormat, RenderMode } from './crawl.methods.ts';

/** Addresses hold a slash: a glob with neither matches none. */
const glob = textField(500).regex(/[*/]/, 'takes a url glob, such as /docs/** or **.pdf');
const scope = z
  .string()
  .max(500)
  .regex(/^(?:origin|host)$|[*/]/, 'takes origin, host or a url glob, such as https://example.com/docs/**');
const address = textField(8_000);

/** Arguments of `crawl`, without what the output policy adds. */
export const CrawlInput = z.strictObject({
  url: address.optional().meta(obvious('Start page')),
  urls: z.array(address).min(1).max(10_000).optional().meta(obvious('Start pages')),
  sitemap: address.optional().meta(obvious('Sitemap url')),
  max_pages: z.int().min(1).max(1_000_000).default(50).meta(obvious('Page limit')),
  max_depth: z.int().min(0).max(1_000).default(3).meta(obvious('Link depth')),
  scope: scope.default('origin').describe('origin, host or url glob'),
  include: z.array(glob).max(100).optional().describe('Url globs'),
  exclude: z.array(glob).max(100).optional().describe('Url globs'),
  respect_robots: z.boolean().default(true).meta(obvious('robots.txt')),
  delay_ms: z.int().min(0).max(600_000).default(0).describe('Per host'),
  concurrency: z.int().min(1).max(16).default(6).meta(obvious('In parallel')),
  render: RenderMode.default('auto').describe('auto: in a tab if empty without scripts'),
  format: CrawlFormat.default('markdown').meta(obvious('Content')),
  main_content_only: z.boolean().default(false).meta(obvious('Main article only')),
  find: textField(1_000).optional().describe('Only lines with this text'),
  async: z.boolean().optional().meta(obvious('Return run_id')),
  resume: textField(64).optional().meta(obvious('run_id of a crawl')),
});
export type CrawlInput = z.output<typeof CrawlInput>;

/** Members of an item that people see. */
const CrawledPage = z.object({
  url: z.string(),
  final_url: z.string().nullish(),
  depth: z.int().optional(),
  status: z.int().nullish(),
  title: z.string().nullish(),
  markdown: z.string().optional(),
  text: z.string().optional(),
  html: z.string().optional(),
  links: z.array(z.string()).optional(),
  timing: z.object({ fetch_ms: z.number(), size_bytes: z.int() }).optional(),
  duplicate_of: z.string().optional(),
  error: z.object({ code: z.string(), message: z.string() }).nullish(),
  fetched_at: z.string().optional(),
});

const crawl = defineTool({
  name: 'crawl',
  title: 'Crawl',
  category: 'capture',
  tier: 2,
  order: 50,
  risk: 'reads_page',
  risksOf: oneRisk('crawl'),
  does: "Reads linked pages in the user's session, one item per page.",
  use: 'A long crawl returns a run_id for run_output.',
  avoid: 'Not for one page.',
  keywords: 'spider site map follow links many pages whole website',
  input: CrawlInput,
  output: RunAnswerFields,
  shown: { value: z.object({ items: z.array(CrawledPage) }), state: z.object({ queued: z.int() }) },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  spills: true,
  runs: true,
  faces: { panel: ['Inspector', 'Render', 'Streaming', 'Intervention', 'Portal'] },
});

export const manifests = [crawl] as const;
