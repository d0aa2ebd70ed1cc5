import { openPolicy } from '../../../support/open-policy.ts';
import { expect, it, vi } from 'vitest';
import { defer } from '../../../../shared/base/async.ts';
import { questionsRig } from '../questions/rig.ts';
import { createTakeoverGuard } from '../../../../extension/core/link/call-guards.ts';
import { endOf, NOBODY_MS } from '../../../../extension/people/worker/takeover/takeovers.ts';
import { codeOf } from '../../../support/code-of.ts';
import { AGENT, asked, ORIGIN, takeoverRig } from './takeover-rig.ts';

type Rig = ReturnType<typeof takeoverRig>;
const never = new AbortController().signal;

const call = (method: string, tabId: number, run: () => Promise<unknown> = async () => 'read') => ({
  method: method as 'page.find',
  params: { tab_id: tabId },
  scope: null,
  signal: new AbortController().signal,
  server: 's',
  policy: openPolicy,
  run,
});

it('refuses calls on the tab, and ends those that are active when the person gets it', async () => {
  const { takeovers, tabs } = takeoverRig();
  const guard = createTakeoverGuard(tabs, ({ run, signal }) => run(signal));
  const answer = defer<string>();
  const read = vi.fn(() => answer.promise);
  const code = codeOf(guard(call('page.find', 7, read)));
  await expect.poll(() => read.mock.calls.length).toBe(1);
  const { id } = await takeovers.begin(asked(), AGENT, ORIGIN);
  answer.resolve('what was typed');
  expect(await code).toBe('person_has_tab');
  expect(await codeOf(guard(call('page.find', 7)))).toBe('person_has_tab');
  expect(await guard(call('network.mark', 7))).toBe('read');
  expect(await guard(call('page.find', 8))).toBe('read');
  await takeovers.end(id, endOf('done', { by: 'page' }));
  expect(await guard(call('page.find', 7))).toBe('read');
});

it.each([
  ['nobody turned to', 120_000, 'nobody_there', () => undefined],
  ['a person has seen', 600_000, 'timeout', (rig: Rig, id: string) => rig.takeovers.see(id)],
  ['a person watches', 600_000, 'timeout', (rig: Rig) => rig.watched.add(7)],
])('one that %s ends after its time', async (_what, limitMs, outcome, turn) => {
  const rig = takeoverRig();
  const { takeovers, clock } = rig;
  const { id } = await takeovers.begin(asked(), AGENT, ORIGIN);
  await turn(rig, id);
  clock.now += limitMs - 1_000;
  await takeovers.tick();
  expect(takeovers.find(id)).not.toBeNull();
  clock.now += 1_000;
  await takeovers.tick();
  const ended = await takeovers.wait(id, AGENT.server, never);
  expect(ended?.ending).toMatchObject({ outcome, from: 1_000_000, to: 1_000_000 + limitMs });
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
  // Take-overs that a person finished do not count as a flood.
  for (let count = 0; count < 30; count += 1) {
    const { id } = await takeovers.begin(asked(5), AGENT, ORIGIN);
    await takeovers.end(id, endOf('done', { by: 'person' }));
  }
  for (let count = 3; count < 10; count += 1) {
    const { id } = await takeovers.begin(asked(4), AGENT, ORIGIN);
    await takeovers.end(id, endOf('declined'));
  }
  expect(await codeOf(takeovers.begin(asked(4), AGENT, ORIGIN))).toBe('too_many_pending');
});

it('tabs that the tab opens are the person’s, too, until the end', async () => {
  const { takeovers, tabs, changes, clock } = takeoverRig();
  const { id } = await takeovers.begin(asked(7), AGENT, ORIGIN);
  await takeovers.opened(7, 9);
  expect(tabs.has(9)).toBe(true);
  clock.now += 5_000;
  await takeovers.end(id, endOf('done', { by: 'person' }));
  expect(tabs.has(9)).toBe(false);
  expect(changes.map(String)).toEqual(['7,true', '9,true', '7,false', '9,false']);
  expect(tabs.hadAt(9, 1_002_000)).toBe(true);
  expect(tabs.hadAt(9, 1_006_000)).toBe(false);
});

it('a worker that is started again knows it, and who has ended meanwhile', async () => {
  const first = takeoverRig();
  const { id } = await first.takeovers.begin(asked(), AGENT, ORIGIN);
  const next = takeoverRig(first.kept);
  await next.takeovers.loaded;
  expect(next.tabs.has(7)).toBe(true);
  const waiting = next.takeovers.wait(id, AGENT.server, never);
  expect(await next.takeovers.wait(id, 'another-server', never)).toBeNull();
  await next.takeovers.forgetServers((server) => server === AGENT.server);
  expect((await waiting)?.ending.outcome).toBe('withdrawn');
  const ended = await takeoverRig(first.kept).takeovers.wait(id, AGENT.server, never);
  expect(ended?.ending.outcome).toBe('withdrawn');
});

it('a click about one that has ended is refused and noted, and one on the card ends it', async () => {
  const rig = takeoverRig();
  const { takeovers } = rig;
  const { id } = await takeovers.begin(asked(), AGENT, ORIGIN);
  const { decisions, questions, shown } = questionsRig(undefined, undefined, undefined, rig);
  const where = 'side_panel';
  const click = (takeover: string) =>
    decisions.take({ type: 'takeover', takeover, token: 'token', act: 'done' }, shown(id, { where }));
  expect(await click('t_other')).toBe('already_ended');
  expect(questions.refused).toMatchObject([{ reason: 'already_ended' }]);
  expect(takeovers.find(id)).not.toBeNull();
  expect(await click(id)).toBeNull();
  const ended = await takeovers.wait(id, AGENT.server, never);
  expect(ended?.ending).toMatchObject({ outcome: 'done', by: 'person', where });
});

it('a question has no tab, waits for a person to come, and keeps its answer for who comes back', async () => {
  const { takeovers, clock, changes, kept } = takeoverRig();
  const ask = { type: 'choice' as const, choices: ['Mon', 'Tue'] };
  const question = { message: 'When?', ask, limit_ms: 600_000 };
  const { id } = await takeovers.ask(question, AGENT);
  // Asked again, since the answer to the first request was lost.
  expect((await takeovers.ask(question, AGENT)).id).toBe(id);
  clock.now += NOBODY_MS + 1;
  clock.monotonic += NOBODY_MS + 1;
  await takeovers.tick();
  expect(takeovers.front?.id).toBe(id);
  await takeovers.end(id, endOf('done', { by: 'person', where: 'window', answer: 'Tue' }));
  expect(changes).toEqual([]);
  const { takeovers: next } = takeoverRig(kept);
  const ended = await next.wait(id, AGENT.server, never);
  expect(ended?.ending).toMatchObject({ outcome: 'done', answer: 'Tue' });
});
