import { describe, expect, test } from 'vitest';
import { launched } from '../support/launched.ts';

const { site, server } = await launched();

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, legs: { type: 'integer' } },
  required: ['name', 'legs'],
};

interface Animal {
  readonly name: string;
  readonly legs: number;
}

async function open(page: string): Promise<void> {
  await server.call('navigate', { url: `${site.url}/cards/${page}.html` });
}

const extract = (args: Record<string, unknown>) =>
  server.call('extract_data', { schema: SCHEMA, multiple: true, ...args });

const count = (from: number, to: number): Animal[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({
    name: `Animal ${from + at}`,
    legs: ((from + at) % 4) * 2,
  }));

describe('next links', () => {
  const ALL = ['Ant', 'Bee', 'Cat', 'Ant', 'Dog', 'Elk', 'Fox', 'Gnu', 'Hen', 'Ibis'];

  test.each([
    ['found by themselves', {}, ALL, 'Stopped after 3 pages: no link to a next page'],
    [
      'by CSS',
      { next: '.pagination a:not([aria-disabled])' },
      ALL,
      'Stopped after 3 pages: paginate.next no longer matches',
    ],
    ['to a bound', { max_pages: 2 }, ALL.slice(0, 7), 'Stopped after 2 pages: max_pages is 2'],
  ])('%s: a record that comes again with the next page is there once', async (_, paginate, names, note) => {
    await open('list-1');
    const answer = await extract({ paginate });
    expect(answer.json<Animal[]>().map(({ name }) => name)).toEqual(names);
    expect(answer.notes).toContain(note);
  });

  test.each([
    ['by links', 'list-1', {}],
    ['to a page that fails', 'broken-next', {}],
    ['to a bound', 'list-1', { max_pages: 2 }],
  ])('%s: the tab is back where it was', async (_, page, paginate) => {
    await open(page);
    await extract({ paginate });
    const { tabs } = (await server.call('tabs')).json<{ tabs: { url: string }[] }>();
    expect(tabs.map(({ url }) => url)).toContain(`${site.url}/cards/${page}.html`);
  });

  test.each([
    ['numbered', ['Newt', 'Owl', 'Gnu', 'Hen', 'Ibis', 'Fox'], 'no link to a next page'],
    ['loop', ['Newt', 'Owl'], 'which was read before'],
    ['broken-next', ['Newt', 'Owl'], 'navigation_failed'],
  ])('%s', async (page, names, note) => {
    await open(page);
    const answer = await extract({ paginate: {} });
    expect(new Set(answer.json<Animal[]>().map(({ name }) => name))).toEqual(new Set(names));
    expect(answer.notes).toContain(note);
  });

  test('an invalid one is named before anything is given', async () => {
    await open('list-1');
    const answer = await extract({ paginate: { next: 'a[' } });
    expect(answer.code()).toBe('selector_invalid');
    expect(answer.text).toContain('paginate.next');
  });
});

describe('more of the same page, in a tab that is hidden', () => {
  test('by scrolling', async () => {
    await open('endless');
    const answer = await extract({ paginate: { scroll: true } });
    expect(answer.json()).toEqual(count(1, 40));
  });

  test('to a bound', async () => {
    await open('endless');
    const records = (await extract({ paginate: { scroll: true, max_pages: 2 } })).json<Animal[]>();
    expect(records.length).toBeGreaterThanOrEqual(20);
    expect(records).toEqual(count(1, records.length));
  });

  test.each(['endless', 'virtual'])('by scroll: "to_end": %s', async (name) => {
    await open(name);
    const answer = await extract({ scroll: 'to_end' });
    expect(answer.json<Animal[]>().map((animal) => animal.name)).toEqual(
      count(1, 40).map((animal) => animal.name),
    );
    expect(answer.notes).not.toContain('scroll_stopped');
  });

  test('by a button', async () => {
    await open('load-more');
    expect((await extract({ paginate: {} })).json()).toEqual(count(1, 15));
  });

  test('of a list that holds only the rows in view: each once, none jumped over', async () => {
    await open('virtual');
    const records = (await extract({ paginate: { scroll: true, max_pages: 100 } })).json<Animal[]>();
    expect(records.map(({ name }) => name)).toEqual(count(1, 40).map(({ name }) => name));
  });
});
