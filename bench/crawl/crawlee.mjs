/**
 * One crawl by Crawlee, doing what Spillway's crawl does: title, text and links of each page are kept
 * on disk, links of the same origin are followed.
 *
 *     node bench/crawl/crawlee.mjs '{"kind":"cheerio","url":"http://…/","pages":500,"concurrency":6,"browser":null}'
 *
 * Prints `{ pages, tookMs }` as its last line. The time is that of `crawler.run()`.
 */
import { CheerioCrawler, Configuration, Dataset } from '@crawlee/cheerio';
import { PlaywrightCrawler } from '@crawlee/playwright';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { kind, url, pages, concurrency, browser } = JSON.parse(process.argv[2]);

const folder = mkdtempSync(join(tmpdir(), 'spillway-crawlee-'));
process.env.CRAWLEE_STORAGE_DIR = folder;
process.env.CRAWLEE_LOG_LEVEL = 'ERROR';
const configuration = new Configuration({ storageClientOptions: { localDataDirectory: folder } });

const common = {
  // It is not made to find out first how much the machine can take.
  minConcurrency: concurrency,
  maxConcurrency: concurrency,
  maxRequestsPerCrawl: pages,
};

const cheerio = () =>
  new CheerioCrawler(
    {
      ...common,
      async requestHandler({ request, $, enqueueLinks, pushData }) {
        const links = $('a[href]')
          .map((_, link) => new URL($(link).attr('href'), request.loadedUrl).href)
          .get();
        await pushData({ url: request.loadedUrl, title: $('title').text(), text: $('body').text(), links });
        await enqueueLinks({ strategy: 'same-origin' });
      },
    },
    configuration,
  );

const playwright = () =>
  new PlaywrightCrawler(
    {
      ...common,
      headless: true,
      launchContext: { launchOptions: { executablePath: browser, args: ['--no-sandbox'] } },
      async requestHandler({ request, page, enqueueLinks, pushData }) {
        const read = await page.evaluate(() => {
          const { title, body, links } = globalThis.document;
          return { title, text: body.innerText, links: [...links].map(({ href }) => href) };
        });
        await pushData({ url: request.loadedUrl, ...read });
        await enqueueLinks({ strategy: 'same-origin' });
      },
    },
    configuration,
  );

try {
  const crawler = kind === 'cheerio' ? cheerio() : playwright();
  const startedAt = performance.now();
  await crawler.run([url]);
  const tookMs = performance.now() - startedAt;
  const { itemCount } = await (await Dataset.open(undefined, { config: configuration })).getInfo();
  console.log(JSON.stringify({ pages: itemCount, tookMs }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
