import { z } from 'zod';
import { CrawlInput } from '../../../shared/tools/crawl/options.ts';

/** What a crawl's run keeps of its call, and the browser that it was started with. */
export const CrawlArgs = CrawlInput.omit({ async: true, resume: true }).extend({
  /** The extension's instance: the same profile has another number in the next server. */
  instance: z.string().nullable(),
});
export type CrawlArgs = z.output<typeof CrawlArgs>;

/** Bounds of a crawl's manners and waits. Sizes and deadlines of single requests are in `shared/limits.ts`. */
export const CRAWL_BOUNDS = {
  /** Longest wait that a 429, a 503 or a crawl-delay is given. */
  waitMs: 60_000,
  /** Longest `Crawl-delay` that is kept. */
  crawlDelayMs: 30_000,
  /** First wait after a 429 or 503 that names none; it doubles each time. */
  backoffMs: 1_000,
  /** How often a page is asked for again after a 429 or 503. */
  retries: 3,
  /** Failures of a host in a row after which the rest of its pages are not asked for. */
  hostFailures: 10,
  levelPatienceMs: 5_000,
  /** Entries of the frontier that are read ahead: at first, and at most while hosts make us wait. */
  readAhead: 256,
  readAheadMost: 8_192,
  /** Pages that were read and are being written, in addition to those that are being read. */
  writesAtOnce: 64,
  /** Origins whose robots.txt is remembered. */
  robotsKept: 1_000,
  /** A rule of robots.txt that is longer, or has more wildcards, is not a rule. */
  robotsLineLength: 2_048,
  robotsStars: 16,
  /** Sitemaps that one index, and the indexes in it, may name. */
  sitemaps: 1_000,
  sitemapDepth: 3,
  /** Pages of a sitemap written in one commit. */
  seedBatch: 500,
} as const;
