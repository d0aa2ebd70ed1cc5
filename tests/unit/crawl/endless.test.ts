import { expect, test } from 'vitest';
import { REAL, take, withReal } from './endless-crawl.ts';
import { LISTS, TRAPS } from './endless-sites.ts';
import { Killed, MemoryDisk } from './memory-run.ts';
import { runCrawl } from './run-crawl.ts';
import { SITE } from './graph-source.ts';
import { SiteSource } from './site-source.ts';

const CASES = Object.entries(TRAPS).map(([name, trap], at) => [name, at % 2 === 0 ? 6 : 16, trap] as const);

test.each(CASES)(
  '%s, with %i at once: 14 to 32 pages of it, and all of the site',
  async (_, concurrency, { entries, site, template }) => {
    const { trap, real, outcome } = await take(entries, site, { concurrency });
    expect(real).toBe(REAL);
    // The form of a calendar is a space of its own.
    const pages = trap.filter((path) => !path.startsWith('/book')).length;
    expect(pages).toBeGreaterThanOrEqual(14);
    expect(pages).toBeLessThanOrEqual(32);
    const notes = outcome.coverage.filter((line) => line.startsWith('Endless')).join('\n');
    expect(notes).toMatch(template);
    expect(notes).toMatch(
      /stopped after \d+ pages .* To read on, start a crawl with url http:\/\/site\.test\//,
    );
  },
);

test.each(Object.entries(LISTS))('%s is read whole', async (_, { entries, site, size }) => {
  const { trap, outcome } = await take(entries, site);
  expect(new Set(trap).size).toBe(size);
  expect(outcome.state).toMatchObject({ trapped: 0 });
});

test.each(['text', 'html', 'nodes'] as const)(
  'format %s compares the text without links too',
  async (format) => {
    for (const name of ['months by path', 'facets in any order', 'days, below months']) {
      const { entries = [], site = () => null } = TRAPS[name] ?? {};
      const { trap, real } = await take(entries, site, { format });
      expect(real).toBe(REAL);
      expect(trap.length, name).toBeGreaterThanOrEqual(14);
      expect(trap.length, name).toBeLessThanOrEqual(32);
    }
  },
);

test('what is known of a space survives kills', async () => {
  const { entries = [], site = () => null } = TRAPS['months by query'] ?? {};
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
    .filter((item) => item.includes(`${SITE}/calendar?`));
  expect(new Set(asked.filter((path) => path.startsWith('/calendar'))).size).toBeLessThanOrEqual(32);
  expect(items.length).toBeGreaterThanOrEqual(14);
});
