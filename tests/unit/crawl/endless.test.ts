import { expect, test } from 'vitest';
import { Killed, MemoryDisk } from './memory-run.ts';
import { runCrawl } from './run-crawl.ts';
import { SITE } from './graph-source.ts';
import { createHash } from 'node:crypto';
import {
  emptyPage,
  type PageRead,
  type PageSource,
  type ResourceRead,
} from '../../../server/toolkit/crawl-source.ts';

interface SitePage {
  readonly title: string;
  readonly text: string;
  /** Addresses, absolute or relative to the page. Their texts are in the content, as on real pages. */
  readonly links: readonly string[];
}

type Site = (url: URL) => SitePage | null;

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

/* Endless spaces, and lists that only look endless. */

const WORDS =
  'harbour lantern meadow quarry saddle timber violet walnut anchor basket candle dragon ember falcon goblet hammer island jacket kettle ladder'.split(
    ' ',
  );

function seedOf(text: string): number {
  let seed = 7;
  for (const character of text) seed = (Math.imul(seed, 31) + character.charCodeAt(0)) >>> 0;
  return seed;
}

function prose(seedText: string, count = 40): string {
  let seed = seedOf(seedText);
  const words = Array.from({ length: count }, () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return WORDS[(seed >>> 8) % WORDS.length] ?? '';
  });
  return words.join(' ');
}

const token = (text: string): string => `${seedOf(text).toString(36)}${seedOf(`${text}!`).toString(36)}7x4z9`;
const range = (length: number): number[] => Array.from({ length }, (_, at) => at);
const page = (title: string, text: string, links: readonly string[]): SitePage => ({ title, text, links });
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** Sixty pages in lists of five, whose texts differ only slightly. */
const alike =
  (hrefOf: (at: number) => string, textOf: (at: number) => string, isChain = false): Site =>
  ({ pathname, search }) => {
    const at = range(60).findIndex((each) => hrefOf(each) === pathname + search);
    const more = isChain && at < 59 ? [hrefOf(at + 1)] : [];
    if (at !== -1) return page('Article', textOf(at), ['/all?page=0', ...more]);
    const list = Number(search.replace('?page=', ''));
    const next = list < 11 ? [`/all?page=${list + 1}`] : [];
    return page('All', `Page ${list} of 12`, [...range(5).map((each) => hrefOf(list * 5 + each)), ...next]);
  };

const part = ({ pathname }: URL, at: number): string => pathname.split('/')[at] ?? '';

function monthOf(index: number): { year: number; month: number; name: string } {
  const year = Math.floor(index / 12);
  const month = index - year * 12;
  return { year, month: month + 1, name: `${MONTHS[month] ?? ''} ${year}` };
}

/** A month with links to the previous and the next one, and others. */
function monthPage(
  index: number,
  hrefOf: (year: number, month: number) => string,
  more: string[] = [],
): SitePage {
  const [before, now, after] = [monthOf(index - 1), monthOf(index), monthOf(index + 1)];
  const days = range(28).map((day) => day + 1);
  const links = [hrefOf(before.year, before.month), hrefOf(after.year, after.month), ...more];
  return page(`Events in ${now.name}`, `There are no events in ${now.name}. ${days.join(' ')}`, links);
}

const letters = (text: string): string => token(text).replaceAll(/\d/g, '').padEnd(7, 'qz');
const COLORS = ['red', 'green', 'blue', 'black'];
const FACETS = { color: COLORS, size: ['s', 'm', 'l'], sort: ['price', 'name', 'newest'], brand: COLORS };
const DELIVERY = 'Add to basket. Free delivery above 50.';

interface Trap {
  readonly entries: readonly string[];
  readonly site: Site;
  readonly template: RegExp;
}

const TRAPS: Readonly<Record<string, Trap>> = {
  'months by path': {
    entries: ['/events/2026/11'],
    template: /\/events\/\{n\}/,
    site: (url) =>
      monthPage(
        Number(part(url, 2)) * 12 + Number(part(url, 3)) - 1,
        (y, m) => `/events/${y}/${String(m).padStart(2, '0')}`,
      ),
  },
  'days, below months': {
    entries: ['/agenda/2026/11'],
    template: /\/agenda\/\{n\}/,
    site: ({ pathname }) => {
      const [, , year = 0, month = 0, day] = pathname.split('/').map(Number);
      const index = year * 12 + month - 1;
      const days = range(28).map((at) => `/agenda/${year}/${month}/${at + 1}`);
      if (day === undefined) return monthPage(index, (y, m) => `/agenda/${y}/${m}`, days);
      return page(`${day} ${monthOf(index).name}`, 'No appointments.', [`/agenda/${year}/${month}`]);
    },
  },
  'months by a number in the query': {
    entries: ['/plan?m=24310'],
    template: /\/plan\?m=/,
    site: ({ searchParams }) =>
      monthPage(Number(searchParams.get('m')), (y, m) => `/plan?m=${y * 12 + m - 1}`),
  },
  'facets in any order': {
    entries: ['/shop?color=red'],
    template: /\/shop\?/,
    site: ({ searchParams }) => {
      const others = Object.entries(FACETS).flatMap(([name, values]) =>
        searchParams.has(name) ? [] : values.map((value) => `${name}=${value}`),
      );
      const query = [...searchParams].map(([name, value]) => `${name}=${value}`);
      const orders = others.flatMap((other) => [
        [...query, other],
        [other, ...query],
      ]);
      const found = `${seedOf(searchParams.toString()) % 90} found. ${DELIVERY}`;
      const text = `Articles that are ${[...searchParams.values()].join(', ')}. ${found}`;
      return page(
        'Shop',
        text,
        orders.map((all) => `/shop?${all.join('&')}`),
      );
    },
  },
  'random tokens in the path': {
    entries: ['/t/a8d7f6s5d4f3g2/start'],
    template: /\/t\/\{token\}/,
    site: (url) => {
      const links = ['start', 'cart', 'help'].map((name) => `/t/${token(url.pathname + name)}/${name}`);
      return page('Shop', `Welcome. ${prose(part(url, 3))}`, links);
    },
  },
  'folders that two menus take turns in': {
    entries: ['/x/north/'],
    template: /\/\*\*\//,
    site: ({ pathname }) => {
      const last = pathname.split('/').at(-2) ?? '';
      const names = ['north', 'south', 'east', 'west'].filter((name) => name !== last);
      return page(
        `The ${last}`,
        prose(`compass ${last}`, 20),
        names.map((name) => `./${name}/`),
      );
    },
  },
};

/** Lists without a trap, though their addresses are alike: name, entry, pages and site. */
const LISTS: readonly (readonly [name: string, entry: string, size: number, site: Site])[] = [
  [
    'products that differ in their prices alone',
    '/catalogue',
    101,
    (url) =>
      url.pathname === '/catalogue'
        ? page(
            'All',
            'All products',
            range(100).map((to) => `/item/${to}`),
          )
        : page('Product', `The price is ${seedOf(url.pathname) % 9_999}, the number ${part(url, 2)}.`, [
            '/catalogue',
          ]),
  ],
  [
    'articles by random numbers, each with the next, that differ in a name alone',
    '/all?page=0',
    12 + 60,
    alike(
      (at) => `/view/${token(`article ${at}`)}`,
      (at) => `Written by ${WORDS[at % 20] ?? ''} ${WORDS[Math.floor(at / 20)] ?? ''}.`,
      true,
    ),
  ],
  [
    'a chain of pages by a number in the query that differ in a price alone',
    '/all?page=0',
    12 + 60,
    alike(
      (at) => `/lamps?sort=new&page=${at}`,
      (at) => `The price is ${1_000 + at * 7}. © 2026`,
      true,
    ),
  ],
  [
    'days that differ in a price alone',
    '/all?page=0',
    12 + 60,
    alike(
      (at) => `/day/2026/${1 + (at % 12)}/${1 + Math.floor(at / 12)}`,
      (at) => `The price is ${1_000 + at * 7}.`,
    ),
  ],
  [
    'an archive of articles by date',
    '/news/2026/1/1',
    84,
    ({ pathname }) => {
      const [, , , month = 1, day = 1] = pathname.split('/').map(Number);
      const next = day < 28 ? `/news/2026/${month}/${day + 1}` : `/news/2026/${month + 1}/1`;
      const title = `News of ${day} ${MONTHS[month - 1] ?? ''}`;
      return page(title, prose(pathname, 25), day === 28 && month === 3 ? [] : [next]);
    },
  ],
  [
    'deep folders with the same names',
    '/docs/',
    1 + 20 * 4,
    ({ pathname }) => {
      const segments = pathname.split('/').filter((segment) => segment !== '');
      if (segments.length === 1)
        return page(
          'Docs',
          prose('docs'),
          WORDS.map((word) => `/docs/${word}/`),
        );
      const links = segments.length === 2 ? ['install/', 'use/', 'faq/'] : [];
      return page(segments.join(' '), prose(pathname, 20), links);
    },
  ],
  [
    'stubs of two hundred names that an index lists',
    '/people/',
    1 + 200,
    ({ pathname }) => {
      const name = (at: number) => `${WORDS[at % 20] ?? ''}${WORDS[Math.floor(at / 20)] ?? ''}`;
      const links = range(200).map((at) => `/people/${letters(`name ${at}`)}-${name(at)}`);
      const text = 'Nothing is known of this person yet.';
      return page(pathname, text, pathname === '/people/' ? links : ['/people/']);
    },
  ],
];

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
