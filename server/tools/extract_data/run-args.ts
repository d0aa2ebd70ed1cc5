import { z } from 'zod';
import { Strategy } from '../../../shared/extract/request.ts';
import { JsonRecord } from '../../../shared/json-schema.ts';
import { RenderMode } from '../../../shared/tools/crawl/options.ts';

/** What a run over the pages of a crawl keeps of its call. */
export const RunArgs = z.object({
  /** The crawl. */
  run: z.string(),
  schema: JsonRecord,
  selectors: JsonRecord.optional(),
  scope: z.string().optional(),
  strategies: z.array(Strategy).optional(),
  multiple: z.boolean(),
  explain: z.boolean(),
  /** How the crawl read its pages, and how long it waited between them. */
  render: RenderMode,
  delay_ms: z.int().min(0),
  /** The extension's instance: the same profile has another number in the next server. */
  instance: z.string().nullable(),
});
export type RunArgs = z.output<typeof RunArgs>;

/** As much as is needed of the arguments of a crawl's run. */
export const CrawledArgs = z.object({
  render: RenderMode,
  delay_ms: z.int().min(0),
  instance: z.string().nullable(),
  url: z.string().optional(),
  urls: z.array(z.string()).optional(),
  sitemap: z.string().optional(),
});

/** Addresses that the crawl began at. */
export const startsOf = ({ url, urls = [], sitemap }: z.output<typeof CrawledArgs>): readonly string[] =>
  [url, ...urls, sitemap].filter((start) => start !== undefined);

/** As much as is needed of an item of a crawl. */
export const CrawledItem = z.object({
  url: z.string(),
  status: z.number().nullable(),
  duplicate_of: z.string().optional(),
  error: z.object({ code: z.string() }).optional(),
});
export type CrawledItem = z.output<typeof CrawledItem>;
