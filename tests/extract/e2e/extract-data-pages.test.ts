import { expect, test } from 'vitest';
import { sample } from '../../support/depth.ts';
import { launched } from '../../support/launched.ts';

const ANIMAL_SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, legs: { type: 'integer' } },
  required: ['name', 'legs'],
};

type Animal = { readonly name: string; readonly legs: number };

/** The numbered animals that those pages list, both ends included. */
const numbered = (from: number, to: number): Animal[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({
    name: `Animal ${from + at}`,
    legs: ((from + at) % 4) * 2,
  }));

const { site, server } = await launched();

async function open(page: string): Promise<void> {
  await server.call('navigate', { url: `${site.url}/cards/${page}.html` });
}

const extract = (args: Record<string, unknown>) =>
  server.call('extract_data', { schema: ANIMAL_SCHEMA, multiple: true, ...args });

const ALL = ['Ant', 'Bee', 'Cat', 'Ant', 'Dog', 'Elk', 'Fox', 'Gnu', 'Hen', 'Ibis'];

test.each(
  sample(
    [
      ['found by themselves', {}, ALL, 'Stopped after 3 pages: no link to a next page'],
      [
        'by CSS',
        { next: '.pagination a:not([aria-disabled])' },
        ALL,
        'Stopped after 3 pages: paginate.next no longer matches',
      ],
      ['to a bound', { max_pages: 2 }, ALL.slice(0, 7), 'Stopped after 2 pages: max_pages is 2'],
    ],
    3,
    1,
  ),
)(
  'next links %s: a record that comes again with the next page is there once',
  async (_, paginate, names, note) => {
    await open('list-1');
    const answer = await extract({ paginate });
    expect(answer.json<Animal[]>().map(({ name }) => name)).toEqual(names);
    expect(answer.notes).toContain(note);
  },
);

const PLACED = [
  ['by its history', 'placed.html?page=1&case=near', 4, '500'],
  ['by its address when it is many pages away', 'placed.html?page=1&case=far', 8, '0'],
  ['after a click that led away', 'placed.html?page=1&case=click', 3, '0'],
] as const;
test.each(sample(PLACED, 3))(
  'next links %s: the tab is scrolled as it was, or a note says that it is not',
  async (_, page, max, top) => {
    await server.call('navigate', { url: `${site.url}/cards/${page}` });
    const answer = await extract({ paginate: { max_pages: max } });
    expect(answer.json<Animal[]>()).toEqual(numbered(1, 2 * max));
    const placed = { type: 'object', properties: { top: { type: 'string' }, url: { type: 'string' } } };
    const selectors = {
      top: { selector: 'body', attr: 'data-top' },
      url: { selector: 'body', attr: 'data-url' },
    };
    const place = async () => (await server.call('extract_data', { schema: placed, selectors })).json();
    await expect.poll(place).toEqual({ top, url: `${site.url}/cards/${page}` });
    expect(answer.notes.includes('opened again, so it is scrolled to its top')).toBe(top === '0');
  },
);

test.each([
  ['numbered', ['Newt', 'Owl', 'Gnu', 'Hen', 'Ibis', 'Fox'], 'no link to a next page'],
  ['loop', ['Newt', 'Owl'], 'which was read before'],
  ['broken-next', ['Newt', 'Owl'], 'navigation_failed'],
])('next links %s', async (page, names, note) => {
  await open(page);
  const answer = await extract({ paginate: {} });
  expect(new Set(answer.json<Animal[]>().map(({ name }) => name))).toEqual(new Set(names));
  expect(answer.notes).toContain(note);
  // The tab is back where it was, also after a page that failed.
  const { tabs } = (await server.call('tabs')).json<{ tabs: { url: string }[] }>();
  expect(tabs.map(({ url }) => url)).toContain(`${site.url}/cards/${page}.html`);
});
