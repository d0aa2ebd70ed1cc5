import { expect, it } from 'vitest';
import { stepIn } from '../../../extension/background/act/step-in-page.ts';
import { Want } from '../../../extension/ports/page-answers.ts';

it('what a step in the page changes has begun when a dialog ends it, and its presses have a time of their own', async () => {
  const seen: unknown[] = [];
  const gate = { hasBegun: false, send: async (_to: object, _how: null, work: () => unknown) => work() };
  const shower = { show: async () => undefined };
  const use = { isSecret: false };
  const acting = { attached: null, gate, waitMs: 5_000, shower, use, signal: new AbortController().signal };
  const change = async ({ waitMs }: { readonly waitMs: number }): Promise<never> => {
    seen.push(gate.hasBegun, waitMs);
    throw new Error('A dialog is open.');
  };
  const step = async (_ask: object, { give }: { give(want: object): Promise<unknown> }): Promise<unknown> => {
    await give({ changes: true });
    return give({ press: { held: 2, kind: 'other' }, waitMs: 300 });
  };
  const held = { page: { change, step }, facts: { held: 1 } };
  const doing = stepIn(acting as never, held as never, { kind: 'check', value: true });
  await expect(doing).rejects.toThrow('A dialog is open.');
  expect([...seen, acting.waitMs]).toEqual([true, 300, 5_000]);
});

it.each([
  ['a character', { key: 'a', count: 1 }],
  ['a chord', { key: 'Control+V', count: 1 }],
  ['more keys than are read in time', { key: 'Home', count: 51 }],
  ['no key', { key: 'Home', count: 0 }],
  ['text of its own', { text: 'rm -rf', by: 'pressed', at: null }],
  ['part with a word', { part: 'rm', at: null }],
])('a step in the page gets no %s', (_what, want) => expect(Want.safeParse(want).success).toBe(false));

it.each([
  ['text', { text: 1, by: 'replacing', at: null }],
  ['keys', { text: -1, by: 'pressed', at: null }],
  ['part of a date', { part: '1234', at: null }],
  ['letter', { part: 'p', at: null }],
])('a step in the page gets no %s that its call has not given for it', async (_what, want) => {
  const { signal } = new AbortController();
  const frames = { forgetAhead: () => undefined };
  const acting = { attached: null, frames, waitMs: 0, shower: {}, use: {}, signal };
  const step = (_ask: object, { give }: { give(want: object): Promise<unknown> }): Promise<unknown> =>
    give(want);
  const held = { page: { step }, facts: { held: 1 } };
  const doing = stepIn(acting as never, held as never, { kind: 'choose', chosen: ['9:30'], isFree: false });
  await expect(doing).rejects.toMatchObject({ code: 'internal_error' });
});
