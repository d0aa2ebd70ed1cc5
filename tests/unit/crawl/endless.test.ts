import { expect, test, vi } from 'vitest';
import { Killed, MemoryDisk } from './memory-run.ts';
import { runCrawl } from './run-crawl.ts';
import { SITE } from './graph-source.ts';
import { createHash } from 'node:crypto';
import { LISTS, prose, TRAPS, type Site } from '../../../fixtures/endless-sites.ts';
import {
  emptyPage,
  type PageRead,
  type PageSource,
  type ResourceRead,
} from '../../../server/toolkit/crawl-source.ts';

class SiteSource implements PageSource {
  readonly asked: string[] = [];
  readonly #site: Site;

  constructor(site: Site) {
    this.#site = site;
  }

  async page(href: string): Promise<PageRead> {
    this.asked.push(href.replace(SITE, ''));
    const { facts } = emptyPage(href, { code: '', message: '' });
    const page = this.#site(new URL(href));
    if (page === null)
      return { facts: { ...facts, status: 404, error: null }, links: [], content: '', contentHash: null };
    const links = page.links.map((to) => ({
      href: new URL(to, href).href,
      text: `Go to ${to.replaceAll(/[^a-z\d]+/gi, ' ').trim()}`,
      isNofollow: false,
    }));
    const list = links.map((link) => `- [${link.text}](${link.href})`).join('\n');
    const content = `# ${page.title}\n\n${page.text}\n\n${list}\n`;
    const title = page.title;
    const contentHash = createHash('sha256').update(content).digest('hex');
    return { facts: { ...facts, status: 200, title, error: null }, links, content, contentHash };
  }

  resource<T>(request: { readonly href: string }, use: (read: ResourceRead) => Promise<T>): Promise<T> {
    const facts = { final_url: request.href, status: 404, content_type: null, error: null };
    return use({ chunks: nothing(), done: Promise.resolve(facts) });
  }

  release(): Promise<void> {
    return Promise.resolve();
  }
}

async function* nothing(): AsyncGenerator<string> {
  yield '';
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
  const real = source.asked.filter((path) => path.startsWith('/about/')).length;
  const inTrap = source.asked.filter((path) => path !== '/' && !path.startsWith('/about/'));
  return { ...crawled, trap: inTrap, real };
}

const CASES = Object.entries(TRAPS).map(([name, trap], at) => [name, at % 2 === 0 ? 6 : 16, trap] as const);

test.each(CASES)(
  '%s, with %i at once: 14 to 32 pages of it, and all of the site',
  async (_, concurrency, { entries, site, template }) => {
    const { trap, real, outcome } = await take(entries, site, concurrency);
    expect(real).toBe(REAL);
    expect(trap.length).toBeGreaterThanOrEqual(14);
    expect(trap.length).toBeLessThanOrEqual(32);
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
  const trap: Site = ({ searchParams }) => {
    const color = Number(searchParams.get('color'));
    const links = Array.from({ length: 150 }, (_, at) => `/shop?color=${color * 151 + at}`);
    return { title: 'Shop', text: prose('shop'), links };
  };
  const disk = new MemoryDisk();
  const dropped = new Map<number, number>();
  const remove = vi.spyOn(disk.entries, 'delete').mockImplementation((key) => {
    dropped.set(disk.commits, (dropped.get(disk.commits) ?? 0) + 1);
    return Map.prototype.delete.call(disk.entries, key);
  });
  await runCrawl(new SiteSource(withReal(['/shop?color=1'], trap)), { concurrency: 6 }, { disk });
  expect(Math.max(...dropped.values())).toBeGreaterThan(16);
  expect(Math.max(...dropped.values())).toBeLessThanOrEqual(6 + 64);
  remove.mockRestore();
});

test('what is known of a space survives kills', async () => {
  const { entries = [], site = () => null } = TRAPS['months by path'] ?? {};
  const disk = new MemoryDisk();
  const asked: string[] = [];
  for (let kills = 0; ; kills += 1) {
    const source = new SiteSource(withReal(entries, site));
    try {
      const args = { max_pages: 3_000, max_depth: 1_000, concurrency: 1 };
      await runCrawl(source, args, { disk, killAfter: disk.commits + 4 });
      expect(kills).toBeGreaterThan(10);
      break;
    } catch (thrown) {
      expect(thrown).toHaveProperty('cause', expect.any(Killed));
    } finally {
      asked.push(...source.asked);
    }
  }
  const items = disk.items
    .map((item) => JSON.stringify(item))
    .filter((item) => item.includes(`${SITE}/events/`));
  expect(new Set(asked.filter((path) => path.startsWith('/events/'))).size).toBeLessThanOrEqual(32);
  expect(items.length).toBeGreaterThanOrEqual(14);
});
