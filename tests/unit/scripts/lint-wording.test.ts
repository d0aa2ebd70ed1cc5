import { expect, test } from 'vitest';
import { findWording } from '../../../scripts/lib/wording.mjs';

const founds = (text: string): readonly string[] => findWording(text).map(({ found }) => found);

test.each([
  ['A tool that is no good costs itself and no other.', ['costs itself', 'is no ']],
  ['/** Whoever waits is told so. */', ['Whoever', 'is told']],
  [
    '/** Told of each page, for ever, or anew. Lets go of it. */',
    ['Told of', 'for ever', 'anew', 'Lets go of'],
  ],
  ['  const said = messageOf(thrown);', ['said']],
  ['const message = "The run goes on all the same.";', ['goes on', 'all the same']],
  ['// Stands beside what is none.', ['what is none', 'Stands', 'beside']],
  ['/** Requests under\n * way. Answers how\n * to stop. */', ['under way', 'Answers how to']],
  ['A `user title` is no user. Nulls are no\n// records.', ['is no ', 'are no ']],
  ['A block that is none by its tag.', ['that is none']],
  ['It costs an own look, and asks what it is of.', ['an own', 'what it is of']],
  ['export class RequestsUnderWay {}', ['RequestsUnderWay']],
  ['export async function orLate() {}', ['orLate']],
])('%j is found', (text, found) => {
  expect([...founds(text)].sort()).toEqual([...found].sort());
});

test.each([
  'An invalid tool is skipped; the others are unaffected.',
  'WCAG stands for Web Content Accessibility Guidelines. A stand-in is used; besides, stdio works.',
  'export function withTimeout() {}',
  'There is no tab, and the reason why there\n * is no browser is no longer known.',
])('%j is plain', (text) => {
  expect(founds(text)).toEqual([]);
});

test('the line of a phrase is named', () => {
  expect(findWording('one\ntwo\nit goes on\n')).toMatchObject([{ line: 3, found: 'goes on' }]);
});
