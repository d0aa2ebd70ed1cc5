import { z } from 'zod';
import { obvious } from '../fields.ts';

/** Addresses hold a slash: a glob with neither matches none. */
const glob = z.string().min(1).max(500).regex(/[*/]/, 'takes a url glob, such as /docs/** or **.pdf');
const scope = z
  .string()
  .max(500)
  .regex(/^(?:origin|host)$|[*/]/, 'takes origin, host or a url glob, such as https://example.com/docs/**');
const address = z.string().min(1).max(8_000);

export const RenderMode = z.enum(['auto', 'always', 'never']);
export type RenderMode = z.infer<typeof RenderMode>;

export const CrawlFormat = z.enum(['markdown', 'text', 'html', 'nodes']);
export type CrawlFormat = z.infer<typeof CrawlFormat>;

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
  find: z.string().min(1).max(1_000).optional().describe('Only lines with this text'),
  async: z.boolean().optional().meta(obvious('Return run_id')),
  resume: z.string().max(64).optional().meta(obvious('run_id of a crawl')),
});
export type CrawlInput = z.output<typeof CrawlInput>;
