import { expect, it } from 'vitest';
import type { JsonValue } from '../../../shared/json.ts';
import { layoutOf } from '../../../extension/panel/components/layout.ts';
import { pageItem } from '../../support/widget-hosts/scripted-crawl.ts';

const request = { request: { url: 'https://a.test/' }, response: {} };

it.each<[string, JsonValue[], string]>([
  ['pages of a crawl as a list', [pageItem(0), pageItem(1, { title: null })], 'pages'],
  ['requests of the network as their table', [request], 'requests'],
  ['requests among others line by line', [request, { a: 1 }], 'lines'],
  ['nothing line by line', [], 'lines'],
  ['values line by line', [1, 'two'], 'lines'],
  ['nested records line by line', [{ a: { b: 1 }, c: { d: 2 }, e: 1 }], 'lines'],
  ['empty records line by line', [{}], 'lines'],
])('shows %s', (_, values, kind) =>
  expect(layoutOf(values.map((value, index) => ({ index, value })))).toEqual({ kind }),
);
