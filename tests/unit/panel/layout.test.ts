import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../shared/json.ts';
import {
  layoutOf,
  readPageItem,
  readRequest,
  summarise,
  type Row,
} from '../../../extension/panel/components/layout.ts';
import { pageItem } from '../../support/widget-hosts/scripted-crawl.ts';

const rows = (...values: JsonValue[]): Row[] => values.map((value, index) => ({ index, value }));

describe('layoutOf', () => {
  it('pages of a crawl are a list', () => {
    expect(layoutOf(rows(pageItem(0), pageItem(1, { title: null })))).toEqual({ kind: 'pages' });
  });

  it('requests of the network are a table of what tells them apart', () => {
    const entry = {
      request: { method: 'GET', url: 'https://a.test/', headers: [] },
      response: { status: 404, _transferSize: 1_200, content: {} },
      time: 12.5,
      _resourceType: 'xhr',
    };
    expect(layoutOf(rows(entry))).toEqual({ kind: 'requests' });
    expect(readRequest(entry)).toEqual({
      method: 'GET',
      status: 404,
      url: 'https://a.test/',
      type: 'xhr',
      sizeBytes: 1_200,
      durationMs: 12.5,
      error: null,
    });
    expect(readRequest({ ...entry, response: null })).toBeNull();
    expect(layoutOf(rows(entry, { a: 1 })).kind).not.toBe('requests');
  });

  it('flat records are a table of at most six keys, those of most records first, then in their order', () => {
    const values = [
      { name: 'a', price: 1, rare: 'x' },
      { name: 'b', price: 2.5, sale: true },
      { name: 'c', price: null, sale: false },
    ];
    const columns = ['name', 'price', 'sale', 'rare'].map((key) => ({ key, isNumeric: key === 'price' }));
    expect(layoutOf(rows(...values))).toEqual({ kind: 'table', hidden: 0, columns });
    const wide = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`key${at}`, at]));
    expect(layoutOf(rows(wide))).toMatchObject({ kind: 'table', hidden: 3, columns: { length: 6 } });
  });

  it.each<[string, JsonValue[]]>([
    ['nothing', []],
    ['values', [1, 'two']],
    ['nested records', [{ a: { b: 1 }, c: { d: 2 }, e: 1 }]],
    ['empty records', [{}]],
  ])('%s are shown line by line', (_, values) => {
    expect(layoutOf(rows(...values))).toEqual({ kind: 'lines' });
  });

  it('an item that is too large takes no part', () => {
    const large = { index: 1, value: null, oversizedBytes: 50_000 };
    expect(layoutOf([...rows({ a: 1 }), large])).toMatchObject({ kind: 'table' });
    expect(layoutOf([large])).toEqual({ kind: 'lines' });
  });
});

describe('readPageItem', () => {
  it('has title, address, and how the page begins after its title', () => {
    expect(readPageItem(pageItem(2))).toMatchObject({
      title: 'Streams',
      href: 'https://docs.example.org/v1/streams',
      excerpt: expect.stringMatching(/^A stream is a sequence/),
      status: 200,
      error: null,
    });
  });

  it('goes without a title, and says why a page was not read', () => {
    const error = { code: 'dns_failed', message: 'No such host.' };
    expect(readPageItem(pageItem(0, { title: ' ', markdown: null, error }))).toMatchObject({
      title: 'docs.example.org/v1/getting-started',
      excerpt: '',
      error: 'No such host.',
    });
  });

  it.each([{ url: 'javascript:alert(1)' }, { url: 7 }, { fetched_at: undefined }])(
    'is null for %j',
    (change) => {
      expect(readPageItem(pageItem(0, change))).toBeNull();
    },
  );
});

it.each<[JsonValue | undefined, string]>([
  [undefined, ''],
  [['a', 2], 'a, 2'],
  ['two\nlines', 'two lines'],
  ['x'.repeat(130), `${'x'.repeat(120)}…`],
])('summarise %j', (value, line) => {
  expect(summarise(value)).toBe(line);
});
