import { expect, it } from 'vitest';
import type { JsonValue } from '../../../shared/json.ts';
import { layoutOf, type Row } from '../../../extension/panel/components/layout.ts';
import { pageItem } from '../../support/widget-hosts/scripted-crawl.ts';

const rows = (...values: JsonValue[]): Row[] => values.map((value, index) => ({ index, value }));

it('layoutOf pages of a crawl are a list', () =>
  expect(layoutOf(rows(pageItem(0), pageItem(1, { title: null })))).toEqual({ kind: 'pages' }));

it('layoutOf requests of the network are their table', () => {
  const entry = { request: { url: 'https://a.test/' }, response: {} };
  expect(layoutOf(rows(entry))).toEqual({ kind: 'requests' });
  expect(layoutOf(rows(entry, { a: 1 })).kind).not.toBe('requests');
});

it.each<[string, JsonValue[]]>([
  ['nothing', []],
  ['values', [1, 'two']],
  ['nested records', [{ a: { b: 1 }, c: { d: 2 }, e: 1 }]],
  ['empty records', [{}]],
])('layoutOf %s are shown line by line', (_, values) => {
  expect(layoutOf(rows(...values))).toEqual({ kind: 'lines' });
});
