import { expect, it } from 'vitest';
import { ResultsStore } from '../../../extension/panel/feed/results-store.ts';

const ANSWER = { ok: true, value: 'tea', picture: null, state: {}, error: null, stored: null, notes: [] };

it('what a call answered is read once, when it is looked at', async () => {
  const asked: string[] = [];
  const store = new ResultsStore(async ({ home, call }) => {
    asked.push(`${home}/${call}`);
    await Promise.resolve();
    return { answer: ANSWER };
  });
  const answer = store.of('home', 'c1');
  expect(answer.value).toBe('reading');
  await expect.poll(() => answer.value).toMatchObject({ ok: true, value: 'tea' });
  expect(store.of('home', 'c1')).toBe(answer);
  expect(asked).toEqual(['home/c1']);
});
