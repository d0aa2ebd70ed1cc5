import { expect, it } from 'vitest';
import { AGENT, asked, ORIGIN, takeoverRig } from './takeover-rig.ts';

it('starts empty if the stored state cannot be read', async () => {
  for (const kept of [{ open: 'half' }, null, 7]) {
    const { takeovers } = takeoverRig({ state: kept });
    await takeovers.loaded;
    expect(takeovers.front).toBeNull();
    await takeovers.begin(asked(), AGENT, ORIGIN);
  }
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
