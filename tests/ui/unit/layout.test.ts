import { expect, it } from 'vitest';
import type { JsonValue } from '../../../shared/base/json.ts';
import { layoutOf, rowsOf } from '../../../extension/ui/layout.ts';
import { pageItem } from '../../support/widget-hosts/scripted-crawl.ts';

const request = {
  startedDateTime: '2026-11-23T07:37:36.289Z',
  time: 5.7,
  request: { method: 'GET', url: 'https://a.test/', headers: [] },
  response: { status: 200, statusText: '', headers: [], content: { size: 0, mimeType: '' }, bodySize: -1 },
  timings: {},
};

const read_with = { tool: 'oc_output_fetch', arguments: { output_handle: 'oh_1' } };

it.each<[string, JsonValue[], string]>([
  ['pages of a crawl as a list', [pageItem(0), pageItem(1, { title: null })], 'pages'],
  ['requests of the network as their table', [request], 'requests'],
  ['requests among others line by line', [request, { a: 1 }], 'lines'],
  ['nothing line by line', [], 'lines'],
  ['values line by line', [1, 'two'], 'lines'],
  ['nested records line by line', [{ a: { b: 1 }, c: { d: 2 }, e: 1 }], 'lines'],
  ['empty records line by line', [{}], 'lines'],
  ['excerpts like other pages', [pageItem(0), { ...pageItem(1), oversized_bytes: 9, read_with }], 'pages'],
])('shows %s', (_, values, kind) => expect(layoutOf(rowsOf(values))).toEqual({ kind }));

it.each<[string, JsonValue, object]>([
  [
    'an excerpt',
    { a: 'It begins…', oversized_bytes: 40_000, read_with },
    { value: { a: 'It begins…' }, oversizedBytes: 40_000 },
  ],
  ['a record with such a field', { oversized_bytes: 40_000 }, { value: { oversized_bytes: 40_000 } }],
  ['a null', null, { value: null }],
])('shows %s among records with its fields', (_, item, row) =>
  expect(rowsOf([{ a: 1 }, item], 4)).toEqual([
    { index: 4, value: { a: 1 } },
    { index: 5, ...row },
  ]),
);
