import { expect, test } from 'vitest';
import { REAL, take } from './endless-crawl.ts';
import { MONTHS, prose, range, seedOf, token, WORDS } from './endless-sites.ts';
import type { Site } from './site-source.ts';

/* Sites that the bounds were not chosen by: they are here to tell whether these hold for others. */

const BOILERPLATE = prose('the same on every page', 300);

const letters = (text: string): string => token(text).replaceAll(/\d/g, '').padEnd(7, 'qz');

const SPACES: Readonly<Record<string, { readonly entry: string; readonly site: Site }>> = {
  'a Spanish calendar with links to days and years': {
    entry: '/calendario/2026/noviembre?vista=mes',
    site: ({ pathname }) => {
      const names =
        'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ');
      const [, , year = '', name = ''] = pathname.split('/');
      const at = Number(year) * 12 + names.indexOf(name);
      const to = (index: number): string =>
        `/calendario/${Math.floor(index / 12)}/${names[((index % 12) + 12) % 12] ?? ''}?vista=mes`;
      return {
        title: `${name} de ${year}`,
        text: `Actos en ${name} de ${year}: no hay actos. lun mar mié jue vie sáb dom`,
        links: [to(at - 1), to(at + 1), to(at + 12)],
      };
    },
  },
  'a day planner in one parameter, with a header of many words': {
    entry: '/planner?d=20261120',
    site: ({ searchParams }) => {
      const value = searchParams.get('d') ?? '';
      const day = new Date(
        Date.UTC(Number(value.slice(0, 4)), Number(value.slice(4, 6)) - 1, Number(value.slice(6))),
      );
      const next = new Date(day.getTime() + 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
      return {
        title: day.toUTCString(),
        text: `${BOILERPLATE}. ${day.toUTCString()}: all day free`,
        links: [`?d=${next}`],
      };
    },
  },
  'facets as arrays, with pages': {
    entry: '/find?tag[]=wood',
    site: ({ searchParams }) => {
      const tags = searchParams.getAll('tag[]');
      const left = ['wood', 'steel', 'glass', 'stone', 'paper'].filter((tag) => !tags.includes(tag));
      const of = (all: readonly string[], page: number): string =>
        `/find?${all.map((tag) => `tag[]=${tag}`).join('&')}&page=${page}`;
      const page = Number(searchParams.get('page') ?? '1');
      return {
        title: 'Search',
        text: 'Choose a material to narrow the list. No more results.',
        links: [...left.map((tag) => of([...tags, tag], 1)), of(tags, page + 1)],
      };
    },
  },
  'a cache buster on every link': {
    entry: '/portal?_=1763712345678',
    site: ({ searchParams }) => {
      const at = Number(searchParams.get('_'));
      return {
        title: 'Portal',
        text: `${BOILERPLATE} Served in ${at % 97} ms`,
        links: range(3).map((nth) => `/portal?_=${at + nth + 1}`),
      };
    },
  },
  'folders that two menus take turns in': {
    entry: '/x/north/',
    site: ({ pathname }) => {
      const last = pathname.split('/').at(-2) ?? '';
      const names = ['north', 'south', 'east', 'west'].filter((name) => name !== last);
      return {
        title: `The ${last}`,
        text: prose(`compass ${last}`, 20),
        links: names.map((name) => `./${name}/`),
      };
    },
  },
  'an offset that never ends': {
    entry: '/archive/offset/0',
    site: ({ pathname }) => {
      const at = Number(pathname.split('/')[3]);
      return {
        title: 'Archive',
        text: at < 60 ? prose(`archive ${at}`) : 'Nothing here.',
        links: [`/archive/offset/${at + 20}`],
      };
    },
  },
  'a token for each visit in the folder before the pages': {
    entry: '/w/0a1b2c3d4e5f60718293/home',
    site: ({ pathname }) => {
      const page = pathname.split('/')[3] ?? '';
      const links = ['home', 'news', 'shop', 'help', 'terms'].map(
        (name) => `/w/${token(pathname + name)}/${name}`,
      );
      return { title: page, text: `${BOILERPLATE} ${prose(page, 12)}`, links };
    },
  },
  'random names of letters alone': {
    entry: '/go/qzxkvbnw',
    site: ({ pathname }) => {
      const links = range(3).map((at) => `/go/${letters(`${pathname}${at}`)}`);
      return { title: 'Go', text: `You are at ${pathname.slice(4)}. Choose where to go next.`, links };
    },
  },
  'short tokens with pages below them': {
    entry: '/s/k3j9x2m1/a',
    site: ({ pathname }) => {
      const short = (at: number): string =>
        `k${seedOf(`${pathname}${at}`) % 10}x${seedOf(`${at}${pathname}`) % 10}m${at}z${seedOf(pathname) % 7}`;
      const links = ['a', 'b', 'c'].map((name, at) => `/s/${short(at)}/${name}`);
      return { title: 'S', text: prose(pathname.split('/')[3] ?? ''), links };
    },
  },
  'weeks in two parameters, with a counter of visits': {
    entry: '/duty?week=47&year=2026',
    site: ({ searchParams, search }) => {
      const [week, year] = [Number(searchParams.get('week')), Number(searchParams.get('year'))];
      const next = week === 52 ? `week=1&year=${year + 1}` : `week=${week + 1}&year=${year}`;
      return {
        title: `Duty roster, week ${week}`,
        text: `The office is closed. You are visitor ${seedOf(search)}.`,
        links: [`/duty?${next}`],
      };
    },
  },
  'filters over forty products with pages of their own': {
    entry: '/store?kind=a',
    site: ({ pathname, searchParams }) => {
      if (pathname !== '/store')
        return { title: pathname, text: prose(pathname, 20), links: ['/store?kind=a'] };
      const names = ['kind', 'hue', 'make', 'sort'];
      const query = [...searchParams].map(([name, value]) => `${name}=${value}`);
      const more = names
        .filter((name) => !searchParams.has(name))
        .flatMap((name) => ['a', 'b', 'c'].map((value) => [...query, `${name}=${value}`].join('&')));
      const products = range(8).map(
        (at) => `/stored-${WORDS[(seedOf(query.sort().join()) + at) % 20] ?? ''}`,
      );
      return {
        title: 'Store',
        text: `${seedOf(query.join()) % 40} products`,
        links: [...products, ...more.map((each) => `/store?${each}`)],
      };
    },
  },
};

test.each(Object.entries(SPACES))('%s is left after 14 to 32 pages', async (_, { entry, site }) => {
  const { trap, real } = await take([entry], site);
  expect(real).toBe(REAL);
  // The products that a filter lists are pages of their own.
  const pages = trap.filter((path) => !path.startsWith('/stored-')).length;
  expect(pages).toBeGreaterThanOrEqual(14);
  expect(pages).toBeLessThanOrEqual(32);
});

const LISTS: Readonly<
  Record<string, { readonly entry: string; readonly size: number; readonly site: Site }>
> = {
  'a blog with an archive by month': {
    entry: '/2020/01/',
    size: 48 + 96,
    site: ({ pathname }) => {
      const [, year = '', month = '', slug] = pathname.split('/');
      if (slug)
        return {
          title: prose(slug, 5),
          text: prose(`post ${pathname}`, 50),
          links: [`/${year}/${month}/`],
        };
      const at = Number(year) * 12 + Number(month);
      const next = `/${Math.floor(at / 12)}/${String((at % 12) + 1).padStart(2, '0')}/`;
      const posts = range(2).map((nth) => `/${year}/${month}/the-${nth}-post-of-it`);
      return {
        title: `${MONTHS[Number(month) - 1] ?? ''} ${year}`,
        text: 'Archive',
        links: at < 2_020 * 12 + 48 ? [...posts, next] : posts,
      };
    },
  },
  'profiles by UUID that link to each other, below much that is the same': {
    entry: '/u/00000000-0000-4000-8000-000000000000',
    size: 90,
    site: ({ pathname }) => {
      const at = Number(pathname.slice(-4));
      const of = (to: number): string => `/u/00000000-0000-4000-8000-${String(to % 90).padStart(12, '0')}`;
      return {
        title: prose(`name ${at}`, 2),
        text: `${BOILERPLATE} ${prose(`profile ${at}`, 14)}`,
        links: [of(at * 3 + 1), of(at * 3 + 2), of(at * 3 + 3)],
      };
    },
  },
  'a site that is one script with parameters': {
    entry: '/index.php?page=article&id=1',
    size: 150,
    site: ({ searchParams }) => {
      const at = Number(searchParams.get('id'));
      return {
        title: prose(`title ${at}`, 4),
        text: prose(`article ${at}`, 40),
        links: at < 150 ? [`?page=article&id=${at + 1}`] : [],
      };
    },
  },
  'categories with pages of products': {
    entry: '/c/lamps?page=1',
    size: 12 + 120,
    site: ({ pathname, searchParams }) => {
      if (pathname.startsWith('/lamp/')) return { title: 'Lamp', text: prose(pathname, 15), links: [] };
      const page = Number(searchParams.get('page'));
      const links = range(10).map((at) => `/lamp/${prose(`${page}-${at}`, 1)}-${page * 10 + at}`);
      return {
        title: 'Lamps',
        text: `Lamps, page ${page} of 12`,
        links: page < 12 ? [...links, `?page=${page + 1}`] : links,
      };
    },
  },
  'a wiki whose pages link to each other': {
    entry: '/wiki/harbour',
    size: 20,
    site: ({ pathname }) => {
      const at = WORDS.indexOf(pathname.slice(6));
      return {
        title: pathname,
        text: prose(pathname, 30),
        links: range(3).map((nth) => `/wiki/${WORDS[(at * 3 + nth + 1) % 20] ?? ''}`),
      };
    },
  },
  'stubs of two hundred names that an index lists': {
    entry: '/people/',
    size: 1 + 200,
    site: ({ pathname }) => {
      const links = range(200).map(
        (at) => `/people/${letters(`name ${at}`)}-${WORDS[at % 20] ?? ''}${WORDS[Math.floor(at / 20)] ?? ''}`,
      );
      return {
        title: pathname,
        text: 'Nothing is known of this person yet.',
        links: pathname === '/people/' ? links : ['/people/'],
      };
    },
  },
};

test.each(Object.entries(LISTS))('%s is read whole', async (_, { entry, size, site }) => {
  const { trap, outcome } = await take([entry], site);
  expect(new Set(trap).size).toBe(size);
  expect(outcome.state).toMatchObject({ trapped: 0 });
});
