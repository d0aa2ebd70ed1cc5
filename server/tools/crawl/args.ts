import { z } from 'zod';
import { CrawlInput } from '../../../shared/tools/crawl/options.ts';

/** What a crawl's run keeps of its call, and the browser that it was started with. */
export const CrawlArgs = CrawlInput.omit({ async: true, resume: true }).extend({
  /** The extension's instance: the same profile has another number in the next server. */
  instance: z.string().nullable(),
});
export type CrawlArgs = z.output<typeof CrawlArgs>;

/** Addresses that the agent named. */
export const startsOf = ({ url, urls = [], sitemap }: CrawlArgs): readonly string[] =>
  [url, ...urls, sitemap].filter((start) => start !== undefined);
