import { expect, it } from 'vitest';
import { choose } from '../../../extension/background/act/choosing.ts';

it('what takes a value back has begun when a dialog of the page ends it, within a short time of its own', async () => {
  const seen: unknown[] = [];
  const answers = {
    offers: { isOpen: true },
    others: { found: [{ held: 'h2', kind: 'option' }], chips: [], left: ['Tea'] },
  };
  const shower = { show: async () => undefined };
  const { signal } = new AbortController();
  const gate = { hasBegun: false };
  const acting = { attached: null, gate, waitMs: 5_000, shower, signal };
  const ask = async (asked: { do: keyof typeof answers | 'choose' }) => {
    if (asked.do !== 'choose') return answers[asked.do];
    seen.push(gate.hasBegun, acting.waitMs);
    throw new Error('A dialog is open.');
  };
  const held = { page: { ask, change: ask }, facts: { held: 'h1', kind: 'combobox', isMultiple: true } };
  await expect(choose(acting as never, held as never, [], false)).rejects.toThrow('A dialog is open.');
  expect([...seen, acting.waitMs]).toEqual([true, 300, 5_000]);
});
