import type { Site, SitePage } from './site-source.ts';

/* Spaces without an end, and lists that only look like one. */

const WORDS =
  'harbour lantern meadow quarry saddle timber violet walnut anchor basket candle dragon ember falcon goblet hammer island jacket kettle ladder'.split(
    ' ',
  );

/** A number that depends on the text alone. */
function seedOf(text: string): number {
  let seed = 7;
  for (const character of text) seed = (Math.imul(seed, 31) + character.charCodeAt(0)) >>> 0;
  return seed;
}

/** Words that depend on the seed alone. */
export function prose(seedText: string, count = 40): string {
  let seed = seedOf(seedText);
  const words = Array.from({ length: count }, () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return WORDS[(seed >>> 8) % WORDS.length] ?? '';
  });
  return words.join(' ');
}

const token = (text: string): string => `${seedOf(text).toString(36)}${seedOf(`${text}!`).toString(36)}7x4z9`;
const range = (length: number): number[] => Array.from({ length }, (_, at) => at);
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

interface Trap {
  readonly entries: readonly string[];
  readonly site: Site;
  readonly template: RegExp;
}

function monthOf(index: number): { year: number; month: number; name: string } {
  const year = Math.floor(index / 12);
  const month = index - year * 12;
  return { year, month: month + 1, name: `${MONTHS[month] ?? ''} ${year}` };
}

/** A month with links to the previous and the next one. */
function monthPage(index: number, hrefOf: (year: number, month: number) => string): SitePage {
  const [before, now, after] = [monthOf(index - 1), monthOf(index), monthOf(index + 1)];
  return {
    title: `Events in ${now.name}`,
    text: `There are no events in ${now.name}. ${range(28)
      .map((day) => day + 1)
      .join(' ')}`,
    links: [hrefOf(before.year, before.month), hrefOf(after.year, after.month)],
  };
}

const BOILERPLATE = prose('the same on every page', 300);

const letters = (text: string): string => token(text).replaceAll(/\d/g, '').padEnd(7, 'qz');

const COLORS = ['red', 'green', 'blue', 'black'];
const SIZES = ['s', 'm', 'l'];
const SORTS = ['price', 'name', 'newest'];

export const TRAPS: Readonly<Record<string, Trap>> = {
  'months by path': {
    entries: ['/events/2026/11'],
    template: /\/events\/\{date\}/,
    site: ({ pathname }) => {
      const [, , year, month] = pathname.split('/').map(Number);
      return monthPage(
        (year ?? 0) * 12 + (month ?? 0) - 1,
        (y, m) => `/events/${y}/${String(m).padStart(2, '0')}`,
      );
    },
  },
  'days, below months': {
    entries: ['/agenda/2026/11'],
    template: /\/agenda\/\{date\}/,
    site: ({ pathname }) => {
      const [, , year = 0, month = 0, day] = pathname.split('/').map(Number);
      const index = year * 12 + month - 1;
      if (day !== undefined)
        return {
          title: `${day} ${monthOf(index).name}`,
          text: 'No appointments.',
          links: [`/agenda/${year}/${month}`],
        };
      const page = monthPage(index, (y, m) => `/agenda/${y}/${m}`);
      return {
        ...page,
        links: [...page.links, ...range(28).map((at) => `/agenda/${year}/${month}/${at + 1}`)],
      };
    },
  },
  'facets in any order': {
    entries: ['/shop?color=red'],
    template: /\/shop\?/,
    site: ({ searchParams }) => {
      const chosen = [...searchParams];
      const more = (name: string, values: readonly string[]): string[] =>
        searchParams.has(name) ? [] : values.map((value) => `${name}=${value}`);
      const others = [
        ...more('color', COLORS),
        ...more('size', SIZES),
        ...more('sort', SORTS),
        ...more('brand', COLORS),
      ];
      const query = chosen.map(([name, value]) => `${name}=${value}`);
      const links = others.flatMap((other) =>
        [
          [...query, other],
          [other, ...query],
        ].map((all) => `/shop?${all.join('&')}`),
      );
      const text = `Articles that are ${chosen.map(([, value]) => value).join(', ')}. ${seedOf(searchParams.toString()) % 90} found. Add to basket. Free delivery above 50.`;
      return { title: 'Shop', text, links };
    },
  },
  'epochs in the path': {
    entries: ['/slots/1763700000'],
    template: /\/slots\/\{n\}/,
    site: ({ pathname }) => {
      const at = Number(pathname.split('/')[2]);
      const text = `Free from ${new Date(at * 1_000).toUTCString()}. Choose a slot.`;
      return { title: `Slots at ${at}`, text, links: [`/slots/${at + 3_600}`, `/slots/${at - 3_600}`] };
    },
  },
  'random tokens in the path': {
    entries: ['/t/a8d7f6s5d4f3g2/start'],
    template: /\/t\/\{token\}/,
    site: ({ pathname }) => {
      const links = ['start', 'cart', 'help'].map((name) => `/t/${token(pathname + name)}/${name}`);
      return { title: 'Shop', text: `Welcome. ${prose(pathname.split('/')[3] ?? '')}`, links };
    },
  },
  'random tokens in the query': {
    entries: ['/view?ref=a8d7f6s5d4f3g2'],
    template: /\/view\?ref=\{\}/,
    site: ({ search }) => ({
      title: 'View',
      text: 'The same view as before.',
      links: range(5).map((at) => `/view?ref=${token(`${search}${at}`)}`),
    }),
  },
  'pages after the last one': {
    entries: ['/list?page=1'],
    template: /\/list\?page=\{\}/,
    site: ({ searchParams }) => {
      const page = Number(searchParams.get('page'));
      return {
        title: 'List',
        text: `Page ${page}. ${prose(`list ${Math.min(page, 3)}`)}`,
        links: [`/list?page=${page + 1}`],
      };
    },
  },
  'folders that two menus take turns in': {
    entries: ['/x/north/'],
    template: /\/\*\*\//,
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
  'random names of letters alone': {
    entries: ['/go/qzxkvbnw'],
    template: /\/go\//,
    site: ({ pathname }) => {
      const links = range(3).map((at) => `/go/${letters(`${pathname}${at}`)}`);
      return { title: 'Go', text: `You are at ${pathname.slice(4)}. Choose where to go next.`, links };
    },
  },
};

/** Lists without any trap, however alike their addresses are. */
export const LISTS: Readonly<
  Record<string, { readonly entries: readonly string[]; readonly site: Site; readonly size: number }>
> = {
  'products that differ in their prices alone': {
    entries: ['/catalogue'],
    size: 101,
    site: ({ pathname }) => {
      if (pathname === '/catalogue')
        return { title: 'All', text: 'All products', links: range(100).map((to) => `/item/${to}`) };
      const at = Number(pathname.split('/')[2]);
      return {
        title: 'Product',
        text: `The price is ${seedOf(pathname) % 9_999}, the number ${at}.`,
        links: ['/catalogue'],
      };
    },
  },
  'threads of a forum behind pages of links': {
    entries: ['/board/3?page=1'],
    size: 20 + 200,
    site: ({ pathname, searchParams }) => {
      if (pathname.startsWith('/board')) {
        const page = Number(searchParams.get('page'));
        const links = range(10).map((at) => `/thread/${(page - 1) * 10 + at}`);
        return {
          title: 'Board',
          text: `Page ${page}`,
          links: page < 20 ? [...links, `?page=${page + 1}`] : links,
        };
      }
      const at = Number(pathname.split('/')[2]);
      return { title: prose(`t${at}`, 4), text: prose(`thread ${at}`, 30), links: ['/board/3?page=1'] };
    },
  },
  'an archive of articles by date': {
    entries: ['/news/2026/1/1'],
    size: 84,
    site: ({ pathname }) => {
      const [, , , month = 1, day = 1] = pathname.split('/').map(Number);
      const next = day < 28 ? `/news/2026/${month}/${day + 1}` : `/news/2026/${month + 1}/1`;
      const links = day === 28 && month === 3 ? [] : [next];
      return { title: `News of ${day} ${MONTHS[month - 1] ?? ''}`, text: prose(pathname, 25), links };
    },
  },
  'deep folders with the same names': {
    entries: ['/docs/'],
    size: 1 + 20 * 4,
    site: ({ pathname }) => {
      const segments = pathname.split('/').filter((segment) => segment !== '');
      if (segments.length === 1)
        return {
          title: 'Docs',
          text: prose('docs'),
          links: range(20).map((at) => `/docs/${WORDS[at] ?? ''}/`),
        };
      const links = segments.length === 2 ? ['install/', 'use/', 'faq/'] : [];
      return { title: segments.join(' '), text: prose(pathname, 20), links };
    },
  },
  'profiles by UUID that link to each other, below much that is the same': {
    entries: ['/u/00000000-0000-4000-8000-000000000000'],
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
    entries: ['/index.php?page=article&id=1'],
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
  'stubs of two hundred names that an index lists': {
    entries: ['/people/'],
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
