import { describe, expect, test } from 'vitest';
import { isAfterHeading, isDateline, isOpening } from '../../../extension/page/main-content/phrases.ts';

describe('a block that begins like a pointer, an invitation or a credit', () => {
  test.each([
    'Read more: The bakery nearby',
    'Sign up for our newsletter',
    'Photo: Ada Miller',
    'By Ada Miller',
    'Last updated on May 4, 2021',
    'Lesen Sie auch: Die Bäckerei',
  ])('%s', (text) => expect(isOpening(text, false)).toBe(true));
});

describe('a sentence of an article', () => {
  test.each([
    'Related stories exist in all three villages.',
    'By then the wheel had stopped.',
    'Tags were sewn onto each sack.',
    `Sign up sheets hung at the door. ${'The queue was long. '.repeat(30)}`,
  ])('%s', (text) => expect(isOpening(text, false)).toBe(false));
});

test('a dateline is dates, times and their words, and nothing else', () => {
  expect(isDateline('Updated May 4, 2021 at 10:30 a.m. EST')).toBe(true);
  expect(isDateline('2021-05-04')).toBe(true);
  expect(isDateline('May 4, 2021 was a Tuesday in the village')).toBe(false);
  expect(isDateline('Updated')).toBe(false);
});

test.each([
  [true, ['About Mills Inc.', 'Related articles', 'Media contact', 'You may also like', 'Comments']],
  [false, ['About the wheel', 'How the mill was built', 'References', 'Contact with the river']],
])('headings of what follows an article: %s', (isAfter, headings) => {
  expect(headings.filter((text) => isAfterHeading(text) !== isAfter)).toEqual([]);
});
