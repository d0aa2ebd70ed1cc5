import { expect, it } from 'vitest';
import { AGENT, asked, ORIGIN, takeoverRig } from './takeover-rig.ts';

it('begins with nothing where what was kept cannot be read', async () => {
  for (const kept of [{ open: 'half' }, null, 7]) {
    const { takeovers } = takeoverRig({ state: kept });
    await takeovers.loaded;
    expect(takeovers.front).toBeNull();
    await takeovers.begin(asked(), AGENT, ORIGIN);
  }
});

it('a clock that is set back changes neither the limit nor what is left out of records', async () => {
  const { takeovers, clock, tabs } = takeoverRig();
  const { id, begun_at: begun } = await takeovers.begin(asked(), AGENT, ORIGIN);
  await takeovers.see(id);
  clock.now += 300_000;
  await takeovers.tick();
  const before = clock.now;
  clock.now -= 3_600_000;
  await takeovers.tick();
  expect(takeovers.find(id)).toMatchObject({ begun_at: begun - 3_600_000 });
  clock.now += 299_999;
  await takeovers.tick();
  expect(takeovers.find(id)).not.toBeNull();
  expect([before, clock.now].map((at) => tabs.hadAt(7, at))).toEqual([true, true]);
  clock.now += 1;
  await takeovers.tick();
  expect(takeovers.find(id)).toBeNull();
  expect([before, clock.now].map((at) => tabs.hadAt(7, at))).toEqual([true, true]);
  expect(tabs.hadAt(7, clock.now + 1)).toBe(false);
});

it('the same request of the same session is known, and no other', async () => {
  const { takeovers } = takeoverRig();
  const { id } = await takeovers.begin(asked(), AGENT, ORIGIN);
  expect(takeovers.asked(asked(), AGENT)?.id).toBe(id);
  expect(takeovers.asked(asked(8), AGENT)).toBeNull();
  expect(takeovers.asked({ ...asked(), message: 'Something else.' }, AGENT)).toBeNull();
  expect(takeovers.asked(asked(), { ...AGENT, server: 'server-two' })).toBeNull();
  expect(takeovers.asked(asked(), { ...AGENT, caller: { ...AGENT.caller, session: 's2' } })).toBeNull();
  await takeovers.opened(7, 9);
  expect(takeovers.asked(asked(9), AGENT)).toBeNull();
});

it('another server can neither wait for it nor end it', async () => {
  const { takeovers } = takeoverRig();
  const { id } = await takeovers.begin(asked(), AGENT, ORIGIN);
  expect(await takeovers.cancel(id, 'server-two')).toBe(false);
  expect(await takeovers.wait(id, 'server-two', new AbortController().signal)).toBeNull();
  expect(takeovers.find(id)).not.toBeNull();
  expect(await takeovers.cancel(id, AGENT.server)).toBe(true);
});
