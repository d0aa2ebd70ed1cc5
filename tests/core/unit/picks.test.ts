import { expect, it } from 'vitest';
import { SessionPicks } from '../../../server/core/context.ts';
import { vouch } from '../../support/clean.ts';

const pick = (name: string) => ({
  ...vouch({ url: 'https://mill.test/', title: 'Mill', ref: 'e7', role: 'button', name, said: '' }),
  tab: 'b1:7',
  box: { x: 0, y: 0, width: 10, height: 10 },
  picture: null,
});

it('gives each pick once, newest first, keeps twenty, and waits for a new one', async () => {
  const picks = new SessionPicks();
  const { signal } = new AbortController();
  for (let at = 0; at < 25; at += 1) picks.add(pick(`b${at}`));
  const fresh = await picks.take(0, signal);
  expect(fresh).toHaveLength(20);
  expect(fresh[0]).toMatchObject({ id: 'p25', name: 'b24' });
  expect(await picks.take(1, signal)).toEqual([]);
  const waiting = [picks.take(60_000, signal), picks.take(60_000, signal)];
  for (const name of ['later', 'last']) {
    picks.add(pick(name));
    expect(await waiting.shift()).toMatchObject([{ name }]);
  }
});

it('is mentioned in one answer', () => {
  const picks = new SessionPicks();
  expect(picks.notice()).toBeNull();
  picks.add(pick('a'));
  expect(picks.notice()).toContain('picked');
  expect(picks.notice()).toBeNull();
});
