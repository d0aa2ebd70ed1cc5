import { expect, it } from 'vitest';
import { stepIn } from '../../../extension/act/worker/step-in-page.ts';
import { Want } from '../../../extension/core/ports/page-answers.ts';

interface Help {
  give(want: object): Promise<unknown>;
}
const CHANGES = { changes: true };
const AIMED = { aim: { point: { x: 9, y: 9 }, view: { x: 0, y: 0 }, isOwn: true, path: [] }, at: null };

it('what a step in the page changes has begun when a dialog ends it, and its presses pass the gate', async () => {
  const seen: unknown[] = [];
  const page = {
    frameId: 0,
    step: async (_ask: object, { give }: Help) => [await give(CHANGES), await give(AIMED)],
  };
  const send = async (_to: object, how: object | null, work: () => unknown): Promise<unknown> => {
    if (how === null) return work();
    seen.push(gate.hasBegun, how);
    throw new Error('A dialog is open.');
  };
  const gate = { hasBegun: false, send };
  const { signal } = new AbortController();
  const acting = { attached: null, gate, waitMs: 5_000, shower: {}, use: {}, signal };
  const held = { page, facts: { held: 1, line: 'checkbox News' } };
  const doing = stepIn(acting as never, held as never, { kind: 'check', value: true });
  await expect(doing).rejects.toThrow('A dialog is open.');
  expect(seen).toEqual([true, { what: 'The press on checkbox News', isWitnessed: true, within: page }]);
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
