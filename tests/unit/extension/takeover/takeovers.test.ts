import { PATIENCE } from '../../../support/patience.ts';
import { expect, it, vi } from 'vitest';
import { TakeoverDecisions } from '../../../../extension/background/takeover/decisions.ts';
import { createTakeoverGuard } from '../../../../extension/background/takeover/guard.ts';
import { endOf } from '../../../../extension/background/takeover/takeovers.ts';
import { codeOf } from '../../../support/code-of.ts';
import { AGENT, asked, ORIGIN, takeoverRig } from './takeover-rig.ts';

const call = (method: string, tabId: number, run: () => Promise<unknown> = async () => 'read') => ({
  method: method as 'page.find',
  params: { tab_id: tabId },
  scope: null,
  signal: new AbortController().signal,
  run,
});

it('refuses calls on the tab, and ends those that are active when the person gets it', async () => {
  const { takeovers, tabs } = takeoverRig();
  const guard = createTakeoverGuard(tabs, ({ run, signal }) => run(signal));
  let isReading = false;
  let answer: (read: string) => void = () => undefined;
  const read = (): Promise<string> => {
    isReading = true;
    return new Promise((resolve) => (answer = resolve));
  };
  const reading = guard(call('page.find', 7, read));
  const code = codeOf(reading);
  await vi.waitFor(() => expect(isReading).toBe(true), PATIENCE);
  const { id } = await takeovers.begin(asked(), AGENT, ORIGIN);
  // What it has read comes too late.
  answer('what was typed');
  expect(await code).toBe('person_has_tab');
  expect(await codeOf(guard(call('page.find', 7)))).toBe('person_has_tab');
  expect(await guard(call('network.mark', 7))).toBe('read');
  expect(await guard(call('page.find', 8))).toBe('read');
  await takeovers.end(id, endOf('done', { by: 'page' }));
  expect(await guard(call('page.find', 7))).toBe('read');
});

it('nobody is there after two minutes in which nobody turned to it', async () => {
  const { takeovers, clock } = takeoverRig();
  const { id } = await takeovers.begin(asked(), AGENT, ORIGIN);
  clock.now += 119_000;
  await takeovers.tick();
  expect(takeovers.find(id)).not.toBeNull();
  clock.now += 1_000;
  await takeovers.tick();
  const ended = await takeovers.wait(id, AGENT.server, new AbortController().signal);
  expect(ended?.ending).toMatchObject({ outcome: 'nobody_there', from: 1_000_000, to: 1_120_000 });
});

it.each(['seen', 'watched'])('one whose tab was %s has the whole time', async (how) => {
  const { takeovers, clock, watched } = takeoverRig();
  const { id } = await takeovers.begin(asked(), AGENT, ORIGIN);
  if (how === 'seen') await takeovers.see(id);
  else watched.add(7);
  clock.now += 599_000;
  await takeovers.tick();
  expect(takeovers.find(id)).not.toBeNull();
  clock.now += 1_000;
  await takeovers.tick();
  const ended = await takeovers.wait(id, AGENT.server, new AbortController().signal);
  expect(ended?.ending.outcome).toBe('timeout');
});

it('the limits of one begin when its card comes', async () => {
  const { takeovers, clock } = takeoverRig();
  const first = await takeovers.begin(asked(7), AGENT, ORIGIN);
  const second = await takeovers.begin(asked(8), AGENT, ORIGIN);
  await takeovers.see(first.id);
  clock.now += 300_000;
  await takeovers.end(first.id, endOf('done', { by: 'person' }));
  clock.now += 100_000;
  await takeovers.tick();
  expect(takeovers.front?.id).toBe(second.id);
});

it('is asked once a tab, a few times an agent, and not without end', async () => {
  const { takeovers } = takeoverRig();
  await takeovers.begin(asked(1), AGENT, ORIGIN);
  expect(await codeOf(takeovers.begin(asked(1), AGENT, ORIGIN))).toBe('person_has_tab');
  await takeovers.begin(asked(2), AGENT, ORIGIN);
  const third = await takeovers.begin(asked(3), AGENT, ORIGIN);
  expect(await codeOf(takeovers.begin(asked(4), AGENT, ORIGIN))).toBe('too_many_pending');
  await takeovers.end(third.id, endOf('declined'));
  for (let count = 3; count < 10; count += 1) {
    const { id } = await takeovers.begin(asked(4), AGENT, ORIGIN);
    await takeovers.end(id, endOf('declined'));
  }
  expect(await codeOf(takeovers.begin(asked(4), AGENT, ORIGIN))).toBe('too_many_pending');
});

it('those that a person finished do not count as a flood', async () => {
  const { takeovers } = takeoverRig();
  for (let count = 0; count < 30; count += 1) {
    const { id } = await takeovers.begin(asked(), AGENT, ORIGIN);
    await takeovers.end(id, endOf('done', { by: 'person' }));
  }
  expect(takeovers.front).toBeNull();
});

it('tabs that the tab opens are the person’s, too, until the end', async () => {
  const { takeovers, tabs, changes, clock } = takeoverRig();
  const { id } = await takeovers.begin(asked(7), AGENT, ORIGIN);
  await takeovers.opened(7, 9);
  expect(tabs.has(9)).toBe(true);
  clock.now += 5_000;
  await takeovers.end(id, endOf('done', { by: 'person' }));
  expect(tabs.has(9)).toBe(false);
  expect(changes).toEqual([
    [7, true],
    [9, true],
    [7, false],
    [9, false],
  ]);
  expect(tabs.hadAt(9, 1_002_000)).toBe(true);
  expect(tabs.hadAt(9, 1_006_000)).toBe(false);
});

it('a closed tab ends it, and one that it opened does not', async () => {
  const { takeovers } = takeoverRig();
  const { id } = await takeovers.begin(asked(7), AGENT, ORIGIN);
  await takeovers.opened(7, 9);
  await takeovers.closed(9);
  expect(takeovers.find(id)).not.toBeNull();
  await takeovers.closed(7);
  const ended = await takeovers.wait(id, AGENT.server, new AbortController().signal);
  expect(ended?.ending.outcome).toBe('tab_closed');
});

it('a worker that is started again knows it, and who has ended meanwhile', async () => {
  const first = takeoverRig();
  const { id } = await first.takeovers.begin(asked(), AGENT, ORIGIN);
  const next = takeoverRig(first.kept);
  await next.takeovers.loaded;
  expect(next.tabs.has(7)).toBe(true);
  const waiting = next.takeovers.wait(id, AGENT.server, new AbortController().signal);
  expect(await next.takeovers.wait(id, 'another-server', new AbortController().signal)).toBeNull();
  await next.takeovers.forgetServers((server) => server === AGENT.server);
  expect((await waiting)?.ending.outcome).toBe('withdrawn');
  const last = takeoverRig(first.kept);
  const ended = await last.takeovers.wait(id, AGENT.server, new AbortController().signal);
  expect(ended?.ending.outcome).toBe('withdrawn');
});

it.each([
  ['of no window', { shown: null }, 'not_the_window'],
  ['with another token', { token: 'forged' }, 'wrong_token'],
  ['that comes too early', { afterMs: 499 }, 'too_early'],
  ['about one that has ended', { id: 't_other' }, 'already_ended'],
])('a click %s is refused and noted', async (_what, given, reason) => {
  const { takeovers } = takeoverRig();
  const { id } = await takeovers.begin(asked(), AGENT, ORIGIN);
  const refused: string[] = [];
  let now = 0;
  const decisions = new TakeoverDecisions({
    takeovers,
    questions: {
      refuse: (why) => {
        refused.push(why);
        return Promise.resolve();
      },
    },
    monotonicNow: () => now,
  });
  const {
    afterMs = 500,
    token = 'token',
    shown = 'window',
    id: about = id,
  } = { ...given } as {
    afterMs?: number;
    token?: string;
    shown?: null;
    id?: string;
  };
  now = afterMs;
  const card = shown === null ? null : { id, token: 'token', at: 0, where: 'window' as const };
  const request = { type: 'takeover', takeover: about, token, act: 'done' } as const;
  expect(await decisions.take(request, card)).toBe(reason);
  expect(refused).toEqual([reason]);
  expect(takeovers.find(id)).not.toBeNull();
  now = 500;
  const good = { ...request, takeover: id, token: 'token' };
  expect(await decisions.take(good, { id, token: 'token', at: 0, where: 'side_panel' })).toBeNull();
  const ended = await takeovers.wait(id, AGENT.server, new AbortController().signal);
  expect(ended?.ending).toMatchObject({ outcome: 'done', by: 'person', where: 'side_panel' });
});
