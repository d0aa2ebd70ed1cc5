import { expect, it } from 'vitest';
import { ScrollPace, type SeenWindow } from '../../../extension/dom/scrollers.ts';

const FULL = { bottom: 400, filled: 0.5, distinct: 1 };
const window = (content: string, rows: Partial<SeenWindow['rows']> = {}): SeenWindow => ({
  content,
  rows: { ...FULL, ...rows },
});

/** Steps through windows that are complete at the first look. */
function promptly(pace: ScrollPace, from: number, to: number): void {
  for (let at = from; at < to; at += 1) {
    expect(pace.leave(window(`${at}`))).toBe(true);
    pace.answer(window(`${at + 1}`));
  }
}

it('the pace of a list that holds only the rows in view watches the first windows, and then trusts those that look like them', () => {
  const pace = new ScrollPace();
  promptly(pace, 0, 3);
  expect(pace.looksToRest(window('3'))).toBeGreaterThanOrEqual(20);
  promptly(pace, 3, 4);
  expect(pace.isComplete(window('4'))).toBe(true);
  expect(pace.looksToRest(window('4'))).toBe(0);
});

it.each([
  ['has not changed', window('3')],
  ['shows fewer rows', window('new', { filled: 0.3 })],
  ['shows the same text in each row', window('new', { distinct: 0.1 })],
])('the pace of a list that holds only the rows in view watches a window that %s', (_, seen) => {
  const pace = new ScrollPace();
  promptly(pace, 0, 3);
  pace.leave(window('3'));
  expect(pace.isComplete(seen)).toBe(false);
  expect(pace.looksToRest(seen)).toBeGreaterThanOrEqual(20);
});

it.each([
  ['at the same pace', 'was requested', true],
  ['slowly', 'came by itself', false],
])(
  'the pace of a list that holds only the rows in view continues %s where late content %s',
  (_, _why, isRequested) => {
    const pace = new ScrollPace();
    promptly(pace, 0, 4);
    if (isRequested) pace.wait();
    const arrived = window('arrived');
    expect(pace.leave(arrived)).toBe(false);
    pace.answer(arrived);
    expect(pace.leave(arrived)).toBe(true);
    expect(pace.isComplete(window('next'))).toBe(isRequested);
  },
);
