import { expect, test } from 'vitest';
import { scorePage, shinglesOf } from '../../../bench/main-content/score.mjs';

test('shingles are runs of four words; a shorter text is one', () => {
  expect([...shinglesOf('one two, three four five').keys()]).toEqual([
    'one two three four',
    'two three four five',
  ]);
  expect([...shinglesOf('Zwölf Müller').keys()]).toEqual(['Zwölf Müller']);
  expect(shinglesOf('…').size).toBe(0);
});

test('precision and recall count shingles as often as they occur', () => {
  expect(scorePage('a b c d e', 'a b c d x')).toEqual({ precision: 0.5, recall: 0.5 });
  expect(scorePage('a b c d', '')).toEqual({ precision: null, recall: 0 });
});
