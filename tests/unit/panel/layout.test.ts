import { expect, it } from 'vitest';
import type { JsonValue } from '../../../shared/json.ts';
import { layoutOf, readRequest, type Row } from '../../../extension/panel/components/layout.ts';
import { pageItem } from '../../support/widget-hosts/scripted-crawl.ts';

const rows = (...values: JsonValue[]): Row[] => values.map((value, index) => ({ index, value }));

it('layoutOf pages of a crawl are a list', () => {
  expect(layoutOf(rows(pageItem(0), pageItem(1, { title: null })))).toEqual({ kind: 'pages' });
});

it('layoutOf requests of the network are a table of what tells them apart', () => {
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

it.each<[string, JsonValue[]]>([
  ['nothing', []],
  ['values', [1, 'two']],
  ['nested records', [{ a: { b: 1 }, c: { d: 2 }, e: 1 }]],
  ['empty records', [{}]],
])('layoutOf %s are shown line by line', (_, values) => {
  expect(layoutOf(rows(...values))).toEqual({ kind: 'lines' });
});
