import { expect, test, vi } from 'vitest';
import { MemoryDisk } from './memory-run.ts';
import { runCrawl, withKills } from './run-crawl.ts';
import { factsOf, GraphSource, SITE } from './graph-source.ts';
import { createHash } from 'node:crypto';
import { LISTS, prose, TRAPS, type Site } from '../../../fixtures/endless-sites.ts';
import type { PageRead } from '../../../server/crawl/source.ts';

class SiteSource extends GraphSource {
  readonly read: string[] = [];
  readonly #site: Site;

  constructor(site: Site) {
    super({ nodes: {}, robots: null, sitemaps: {} });
    this.#site = site;
  }

  override async page(href: string): Promise<PageRead> {
    this.read.push(href.replace(SITE, ''));
    const page = this.#site(new URL(href));
    if (page === null) return { facts: factsOf(href, 404), links: [], content: '', contentHash: null };
    const links = page.links.map((to) => ({
      href: new URL(to, href).href,
      text: `Go to ${to.replaceAll(/[^a-z\d]+/gi, ' ').trim()}`,
      isNofollow: false,
    }));
    const list = links.map((link) => `- [${link.text}](${link.href})`).join('\n');
    const content = `# ${page.title}\n\n${page.text}\n\n${list}\n`;
    const contentHash = createHash('sha256').update(content).digest('hex');
    return { facts: { ...factsOf(href), title: page.title }, links, content, contentHash };
  }
}

/** A site whose front page links to `trap`, and to 40 real pages, each of which links to the next. */
const REAL = 40;
function withReal(entries: readonly string[], trap: Site): Site {
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

async function take(entries: readonly string[], trap: Site, concurrency = 6) {
  const source = new SiteSource(withReal(entries, trap));
  const crawled = await runCrawl(source, { max_pages: 3_000, max_depth: 1_000, concurrency });
  const real = source.read.filter((path) => path.startsWith('/about/')).length;
  const inTrap = source.read.filter((path) => path !== '/' && !path.startsWith('/about/'));
  return { ...crawled, trap: inTrap, real };
}

const CASES = Object.entries(TRAPS).map(([name, trap], at) => [name, at % 2 === 0 ? 6 : 16, trap] as const);

test.each(CASES)(
  '%s, with %i at once: 14 to 44 pages of it, and all of the site',
  async (_, concurrency, { entries, site, template }) => {
    const { trap, real, outcome } = await take(entries, site, concurrency);
    expect(real).toBe(REAL);
    expect(trap.length).toBeGreaterThanOrEqual(14);
    // A year of names is new at first.
    expect(trap.length).toBeLessThanOrEqual(44);
    const notes = outcome.coverage.filter((line) => line.startsWith('Endless')).join('\n');
    expect(notes).toMatch(template);
    expect(notes).toMatch(
      /stopped after \d+ pages .* To read on, start a crawl with url http:\/\/site\.test\//,
    );
  },
);

test.each(LISTS)('%s is read whole', async (_, entry, size, site) => {
  const { trap, outcome } = await take([entry], site);
  expect(new Set(trap).size).toBe(size);
  expect(outcome.state).toMatchObject({ trapped: 0 });
});

test('a closed space leaves the queue in parts, so that other work comes between', async () => {
  const links = Array.from({ length: 400 }, (_, at) => `/shop?color=${at}`);
  const trap: Site = ({ search }) => ({ title: `Shop ${search}`, text: prose('shop'), links });
  const disk = new MemoryDisk();
  const dropped: Record<number, number> = {};
  vi.spyOn(disk.entries, 'delete').mockImplementation((key) => {
    dropped[disk.commits] = (dropped[disk.commits] ?? 0) + 1;
    return Map.prototype.delete.call(disk.entries, key);
  });
  await runCrawl(new SiteSource(withReal(['/shop'], trap)), { concurrency: 6 }, { disk });
  expect(Math.max(...Object.values(dropped))).toBeGreaterThan(16);
  expect(Math.max(...Object.values(dropped))).toBeLessThanOrEqual(6 + 64);
});

test('what is known of a space survives kills', async () => {
  const { entries = [], site = () => null } = TRAPS['months by path'] ?? {};
  const source = new SiteSource(withReal(entries, site));
  const args = { max_pages: 3_000, max_depth: 1_000, concurrency: 1 };
  const { disk, kills } = await withKills(() => source, 4, args);
  expect(kills).toBeGreaterThan(10);
  const items = disk.items.filter((item) => JSON.stringify(item).includes(`${SITE}/events/`));
  expect(new Set(source.read.filter((path) => path.startsWith('/events/'))).size).toBeLessThanOrEqual(32);
  expect(items.length).toBeGreaterThanOrEqual(14);
});
