import { expect, it } from 'vitest';
import { ScrollTurns } from '../../../../extension/core/pages/tab-turns.ts';

const TAB = 7;

function caller(turns: ScrollTurns) {
  const closing = new AbortController();
  const take = (call: string, { waitMs = 0, signal = new AbortController().signal, tab = TAB } = {}) =>
    turns.take(tab, { call, waitMs, signal, closed: closing.signal });
  return { take, close: () => closing.abort() };
}

it('the calls that scroll one tab take turns, in the order in which they came', async () => {
  const turns = new ScrollTurns();
  const { take } = caller(turns);
  const order: string[] = [];
  const run = async (call: string): Promise<void> => {
    await take(call, { waitMs: 60_000 });
    order.push(`${call} begins`);
    await take(call);
    order.push(`${call} ends`);
    turns.release(TAB, call);
  };
  await Promise.all(['one', 'two', 'three'].map(run));
  expect(order.join()).toBe('one begins,one ends,two begins,two ends,three begins,three ends');
});

it('the calls that scroll one tab are refused with a code when their time is over, and a refused one ends nobody else’s turn', async () => {
  const turns = new ScrollTurns();
  const { take } = caller(turns);
  await take('one');
  await expect(take('two')).rejects.toMatchObject({ code: 'tab_busy' });
  turns.release(TAB, 'two');
  await expect(take('three')).rejects.toMatchObject({ code: 'tab_busy' });
});
