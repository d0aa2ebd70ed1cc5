import type { CrawlFormat } from '../../../shared/tools/crawl/options.ts';
import { prose } from './endless-sites.ts';
import { runCrawl, type Crawled } from './run-crawl.ts';
import { SiteSource, type Site } from './site-source.ts';

/** A site whose front page leads into `trap`, and to 40 real pages, each of which links to the next. */
export const REAL = 40;
export function withReal(entries: readonly string[], trap: Site): Site {
  return (url) => {
    if (url.pathname === '/')
      return { title: 'Home', text: prose('home'), links: [...entries, '/about/1-of-us'] };
    const real = /^\/about\/(\d+)-of-us$/.exec(url.pathname);
    if (real === null) return trap(url);
    const at = Number(real[1]);
    const links = at < REAL ? ['/', ...entries, `/about/${at + 1}-of-us`] : ['/'];
    return { title: `About us, part ${at}`, text: prose(`about ${at}`), links };
  };
}

interface Taken extends Crawled {
  /** Addresses of the trap that were asked for. */
  readonly trap: readonly string[];
  readonly real: number;
}

export async function take(
  entries: readonly string[],
  trap: Site,
  { format = 'markdown', concurrency = 6 }: { format?: CrawlFormat; concurrency?: number } = {},
): Promise<Taken> {
  const source = new SiteSource(withReal(entries, trap), format);
  const crawled = await runCrawl(source, { max_pages: 3_000, max_depth: 1_000, format, concurrency });
  const real = source.asked.filter((path) => path.startsWith('/about/')).length;
  const inTrap = source.asked.filter((path) => path !== '/' && !path.startsWith('/about/'));
  return { ...crawled, trap: inTrap, real };
}
