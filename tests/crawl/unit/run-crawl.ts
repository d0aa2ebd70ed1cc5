import { expect } from 'vitest';
import { systemClock } from '../../../server/core/services.ts';
import type { Outcome } from '../../../server/core/result.ts';
import { CrawlArgs } from '../../../server/crawl/address.ts';
import { Crawl } from '../../../server/crawl/crawl.work.ts';
import type { PageSource } from '../../../server/crawl/source.ts';
import { SITE } from './graph-source.ts';
import { Killed, MemoryDisk, MemoryScope } from './memory-run.ts';

export interface Item {
  readonly url: string;
  readonly final_url: string;
  readonly depth: number;
  readonly status: number | null;
  readonly title: string;
  readonly markdown?: string;
  readonly links: readonly string[];
  readonly content_hash?: string;
  readonly duplicate_of?: string;
  readonly lastmod?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface Crawled {
  readonly items: readonly Item[];
  readonly outcome: Outcome;
  readonly disk: MemoryDisk;
  readonly scope: MemoryScope;
}

export async function runCrawl(
  source: PageSource,
  given: Partial<Parameters<typeof CrawlArgs.parse>[0] & object> & Record<string, unknown> = {},
  {
    disk = new MemoryDisk(),
    ...options
  }: { disk?: MemoryDisk; signal?: AbortSignal; killAfter?: number } = {},
): Promise<Crawled> {
  const start = 'urls' in given || 'sitemap' in given ? {} : { url: `${SITE}/` };
  const args = CrawlArgs.parse({ ...start, max_pages: 1_000, max_depth: 10, instance: null, ...given });
  const scope = new MemoryScope(disk, options);
  const outcome = await new Crawl({ args, scope, source, clock: systemClock, random: () => 0.5 }).run();
  return { items: disk.items as unknown as Item[], outcome, disk, scope };
}

/** Kills the process after each so many commits, and resumes with another one. */
export async function withKills(
  open: () => PageSource,
  every: number,
  args: Parameters<typeof runCrawl>[1] = {},
): Promise<Crawled & { readonly kills: number }> {
  const disk = new MemoryDisk();
  for (let kills = 0; ; kills += 1)
    try {
      return { ...(await runCrawl(open(), args, { disk, killAfter: disk.commits + every })), kills };
    } catch (thrown) {
      expect(thrown).toHaveProperty('cause', expect.any(Killed));
    }
}

export const pathOf = ({ url }: { readonly url: string }): string => url.replace(SITE, '');
export const paths = (items: readonly Item[]): string[] => items.map(pathOf).sort();
