import { expect, test } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import { squash, testEach, testTogether, textOf } from '../table.ts';
import { HIDDEN_COUNTS, SIGHT_CASES, SOURCE_CASES } from './cases.ts';

const lab = await openPageLab();

const readAsText = (all: readonly (readonly string[])[]) =>
  lab.call(
    'readEach',
    all.map(([html = '']) => [html, { format: 'text' }] as const),
  );

testTogether('rendered', SIGHT_CASES, readAsText, ({ text }, _html, expected) => {
  expect(squash(text)).toBe(expected);
});

testTogether('elements left out', HIDDEN_COUNTS, readAsText, ({ hidden }, _html, expected) => {
  expect(hidden).toBe(Number(expected));
});

test('elements left out are read when they are asked for', async () => {
  const html = '<p hidden>a</p><p style="opacity:0">b</p><p style="visibility:hidden">c</p>';
  const { text, hidden } = await lab.call('read', html, { format: 'text', include_hidden: true });
  expect([squash(text), hidden]).toEqual(['a b c', 0]);
});

testEach('parsed', SOURCE_CASES, async (html = '', expected) => {
  expect(squash(textOf(await lab.call('parse', html, 'text')))).toBe(expected);
});
