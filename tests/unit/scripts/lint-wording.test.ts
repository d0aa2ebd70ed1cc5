import { expect, test } from 'vitest';
import { findWording } from '../../../scripts/lib/wording.mjs';

const founds = (text: string): readonly string[] => findWording(text).map(({ found }) => found);

test.each([
  ['A tool that is no good costs itself and no other.', ['costs itself', 'is no ']],
  ['  const said = messageOf(thrown);', ['said']],
  ['// Stands beside what is none.', ['what is none', 'Stands', 'beside']],
  ['/** Requests under\n * way. Answers how\n * to stop. */', ['under way', 'Answers how to']],
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
