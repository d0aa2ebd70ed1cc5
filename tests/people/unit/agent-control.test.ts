import { openPolicy } from '../../support/open-policy.ts';
import { beforeEach, expect, it, vi } from 'vitest';
import { AgentControl, createAgentGuard } from '../../../extension/people/worker/agent-control.ts';
import { defer } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { installBrowser, storageOf } from '../../support/browser-api.ts';
import { codeOf } from '../../support/code-of.ts';
import { TEST_SCOPE } from '../../support/session.ts';

const CLAUDE = { session: 's1', name: 'claude-code' };
const ONE = [CLAUDE];
const OTHER = [{ session: 's2', name: 'claude-code' }];
const CODEX = [{ session: 's3', name: 'codex' }];
const ALL_CLAUDES = { name: 'claude-code', session: null };
const EVERYONE = { name: null, session: null };
const never = new AbortController().signal;
const done = () => Promise.resolve('done');
const nothing = (): void => undefined;

let kept: Record<string, unknown>;
let control: AgentControl;
const called = (requesters: Parameters<AgentControl['run']>[0], by = control): Promise<string> =>
  codeOf(by.run(requesters, never, done));

/** A request of a call. */
function requested(callId: string, run: () => Promise<unknown> = done): Promise<unknown> {
  const scope = { caller: CLAUDE, call: { ...TEST_SCOPE.call, call_id: callId } };
  const guard = createAgentGuard({ control, clients: () => [], next: (call) => call.run(never) });
  return guard({
    ...{ scope, method: 'tabs.list', params: {}, signal: never },
    server: 's',
    policy: openPolicy,
    run,
  });
}

beforeEach(() => {
  kept = {};
  installBrowser({ storage: { local: storageOf(kept) } });
  control = new AgentControl(nothing, nothing);
});

async function running(requesters: Parameters<AgentControl['run']>[0], signal = never) {
  const begun = defer<void>();
  const ended = defer<unknown>();
  const work = (limited: AbortSignal): Promise<never> => {
    begun.resolve();
    return new Promise((_resolve, reject) => {
      limited.addEventListener('abort', () => {
        ended.resolve(limited.reason);
        reject(new Error('What it says is of no interest.'));
      });
    });
  };
  const active = codeOf(control.run(requesters, signal, work));
  await begun.promise;
  return { active, ended: ended.promise };
}

it('an agent that a person stops has its active calls ended and its later ones refused, until it is resumed', async () => {
  const { active, ended } = await running(ONE);
  await control.set(CLAUDE, 'stopped');
  expect(await active).toBe('agent_stopped');
  expect(await ended).toMatchObject({ code: 'agent_stopped' });
  const work = vi.fn(done);
  const later = control.run(ONE, never, work);
  await expect(later).rejects.toMatchObject({ code: 'agent_stopped', retryable: false });
  expect(work).not.toHaveBeenCalled();
  await control.set(CLAUDE, 'on');
  expect(await control.run(ONE, never, done)).toBe('done');
});

it('an agent that a person stops is one session, and no other of the same name', async () => {
  const cancel = new AbortController();
  const { active, ended } = await running(OTHER, cancel.signal);
  await control.set(CLAUDE, 'stopped');
  expect(await called(OTHER)).toBe('no error');
  cancel.abort(new SpillwayError('cancelled', 'Enough.'));
  expect(await ended).toMatchObject({ code: 'cancelled' });
  await active;
});

it('an agent that a person stops is every session of its name, as people see it, where the person said so', async () => {
  await control.set(ALL_CLAUDES, 'stopped');
  const hidden = [{ session: 's9', name: 'claude\u200b-code\u202e' }];
  for (const caller of [ONE, OTHER, hidden]) expect(await called(caller)).toBe('agent_stopped');
  expect(await called(CODEX)).toBe('no error');
  await control.set({ name: 'claude-code\u2066', session: null }, 'on');
  expect(await called(ONE)).toBe('no error');
});

it('an agent that a person stops is stopped for the next worker, too', async () => {
  await control.set(CLAUDE, 'stopped');
  const next = new AgentControl(nothing, nothing);
  expect(await called(ONE, next)).toBe('agent_stopped');
  expect((await next.list()).controls).toMatchObject([{ ...CLAUDE, state: 'stopped' }]);
});

it('an agent that a person pauses has its active calls go to their end, and its later ones wait until it is resumed', async () => {
  const gate = defer<string>();
  const active = requested('crawl', () => gate.promise);
  await control.set(CLAUDE, 'paused');
  gate.resolve('to its end');
  expect(await active).toBe('to its end');
  expect(await requested('crawl')).toBe('done');
  const work = vi.fn(done);
  const waiting = requested('next', work);
  await new Promise(setImmediate);
  expect(work).not.toHaveBeenCalled();
  await control.set(CLAUDE, 'on');
  expect(await waiting).toBe('done');
  await control.set(CLAUDE, 'stopped');
  expect(await codeOf(requested('crawl'))).toBe('agent_stopped');
});

it('an agent that a person pauses stops waiting when it is stopped, and when its call is cancelled', async () => {
  await control.set(CLAUDE, 'paused');
  const cancel = new AbortController();
  const cancelled = codeOf(control.run(ONE, cancel.signal, done));
  cancel.abort(new SpillwayError('cancelled', 'Enough.'));
  expect(await cancelled).toBe('cancelled');
  const stopped = called(ONE);
  await control.set(CLAUDE, 'stopped');
  expect(await stopped).toBe('agent_stopped');
});

it('everyone can be stopped and resumed at once, requests without a call included', async () => {
  const { active } = await running([]);
  await control.set(EVERYONE, 'stopped');
  expect(await active).toBe('agent_stopped');
  for (const requesters of [[], ONE, [...ONE, ...OTHER]])
    expect(await called(requesters)).toBe('agent_stopped');
  await control.set(EVERYONE, 'on');
  expect(await called([])).toBe('no error');
});

it('a request that belongs to no call is held up by a stop of all of a name, and by none of one session', async () => {
  const codexes = { name: 'codex', session: null };
  await control.set(CLAUDE, 'stopped');
  expect(await called([codexes, ALL_CLAUDES])).toBe('no error');
  await control.set(ALL_CLAUDES, 'stopped');
  expect(await called([codexes, ALL_CLAUDES])).toBe('agent_stopped');
  expect(await called([codexes])).toBe('no error');
});

const good = { ...CLAUDE, state: 'stopped', at: 1 };

it.each([
  ['an entry without a name', [good, { state: 'frozen' }]],
  ['something that is not a list', 'stopped'],
])('a stored list that cannot be read stops everyone until a person decides: %s', async (_what, value) => {
  kept['agent_controls'] = value;
  control = new AgentControl(nothing, nothing);
  for (const caller of [ONE, CODEX]) expect(await called(caller)).toBe('agent_stopped');
  expect((await control.list()).isDamaged).toBe(true);
  await control.set(EVERYONE, 'on');
  expect((await new AgentControl(nothing, nothing).list()).isDamaged).toBe(false);
  expect(await called(CODEX, new AgentControl(nothing, nothing))).toBe('no error');
});

it('an unreadable list stops all agents whose names an entry still contains', async () => {
  kept['agent_controls'] = [{ ...good, session: 7, state: 'frozen' }];
  control = new AgentControl(nothing, nothing);
  expect(await called(OTHER)).toBe('agent_stopped');
  expect(await called(CODEX)).toBe('no error');
});
