import { expect, it, vi } from 'vitest';
import { KEPT_MS, MOST_SPANS } from '../../../../extension/background/takeover/bounds.ts';
import { TakeoverMemory } from '../../../../extension/background/takeover/memory.ts';
import { endOf } from '../../../../extension/background/takeover/takeovers.ts';
import { AGENT, asked, ORIGIN, takeoverRig } from './takeover-rig.ts';

it('begins with nothing where what was kept cannot be read', async () => {
  for (const kept of [{ open: 'half' }, null, 7]) {
    const { takeovers } = takeoverRig({ state: kept });
    await takeovers.loaded;
    expect(takeovers.front).toBeNull();
    await takeovers.begin(asked(), AGENT, ORIGIN);
  }
});

it('a storage that fails neither hides a take-over nor stops it', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const failing = {
    load: () => Promise.reject(new Error('No disk.')),
    save: () => Promise.reject(new Error('Full.')),
  };
  const memory = new TakeoverMemory(
    failing,
    () => 1_000,
    () => 0,
  );
  await memory.loaded;
  await memory.save();
  await memory.save();
  expect(warned).toHaveBeenCalledTimes(2);
  warned.mockRestore();
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

it('a worker that follows knows of a clock that was set back while none was there', async () => {
  const { takeovers, clock, kept } = takeoverRig();
  const { id } = await takeovers.begin(asked(), AGENT, ORIGIN);
  await takeovers.see(id);
  clock.now += 590_000;
  await takeovers.tick();
  const next = takeoverRig(kept);
  next.clock.now = clock.now - 3_600_000;
  await next.takeovers.tick();
  expect(next.takeovers.find(id)).not.toBeNull();
  next.clock.now += 10_000;
  await next.takeovers.tick();
  expect(next.takeovers.find(id)).toBeNull();
});

it('forgets outcomes after a while, and the oldest times of many', async () => {
  const { takeovers, clock, kept, tabs } = takeoverRig();
  const first = await takeovers.begin(asked(), AGENT, ORIGIN);
  await takeovers.end(first.id, endOf('done'));
  for (let count = 0; count < MOST_SPANS; count += 1) {
    clock.now += 10;
    const { id } = await takeovers.begin(asked(9), AGENT, ORIGIN);
    await takeovers.end(id, endOf('done'));
  }
  expect(kept.state).toMatchObject({ spans: expect.any(Array) });
  expect((kept.state as { spans: unknown[] }).spans).toHaveLength(MOST_SPANS);
  expect(tabs.hadAt(7, 1_000_000)).toBe(false);
  expect(tabs.hadAt(9, clock.now)).toBe(true);
  clock.now += KEPT_MS;
  const last = await takeovers.begin(asked(), AGENT, ORIGIN);
  expect(kept.state).toMatchObject({ ended: [] });
  expect(last.id).not.toBe(first.id);
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
