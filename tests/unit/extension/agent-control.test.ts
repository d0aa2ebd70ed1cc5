import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SpillwayError } from '../../../shared/errors.ts';
import { coded } from '../../support/bridge-rig.ts';
import { deferred } from '../../../shared/async/deferred.ts';

const stored = vi.hoisted(() => ({ value: {} as Record<string, unknown> }));
vi.mock('webextension-polyfill', () => ({
  default: {
    storage: {
      local: {
        get: (key: string) => Promise.resolve({ [key]: stored.value[key] }),
        set: (values: Record<string, unknown>) => {
          Object.assign(stored.value, structuredClone(values));
          return Promise.resolve();
        },
      },
    },
  },
}));
const { AgentControl } = await import('../../../extension/background/agents/agent-control.ts');

const CLAUDE = { session: 's1', name: 'claude-code' };
const ONE = [CLAUDE];
const OTHER = [{ session: 's2', name: 'claude-code' }];
const never = new AbortController().signal;
const done = () => Promise.resolve('done');
const nothing = (): void => undefined;

beforeEach(() => {
  stored.value = {};
});

/** A call that works until it is ended. */
function working() {
  const begun = deferred<void>();
  const ended = deferred<unknown>();
  const work = (signal: AbortSignal): Promise<never> => {
    begun.resolve();
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        ended.resolve(signal.reason);
        reject(new Error('What it says is of no interest.'));
      });
    });
  };
  return { begun: begun.promise, ended: ended.promise, work };
}

describe('an agent that a person stops', () => {
  it('has its active calls ended and its later ones refused, until it is let on', async () => {
    const control = new AgentControl(nothing);
    const call = working();
    const active = coded(control.run(ONE, never, call.work));
    await call.begun;
    await control.set(CLAUDE, 'stopped');
    expect(await active).toMatchObject({ code: 'agent_stopped' });
    expect(await call.ended).toMatchObject({ code: 'agent_stopped' });
    let runs = 0;
    const later = control.run(ONE, never, async () => void (runs += 1));
    expect(await coded(later)).toMatchObject({ code: 'agent_stopped', retryable: false });
    expect(runs).toBe(0);
    await control.set(CLAUDE, 'on');
    expect(await control.run(ONE, never, done)).toBe('done');
  });

  it('is one session, and no other of the same name', async () => {
    const control = new AgentControl(nothing);
    const call = working();
    const cancel = new AbortController();
    const other = coded(control.run(OTHER, cancel.signal, call.work));
    await call.begun;
    await control.set(CLAUDE, 'stopped');
    expect(await control.run(OTHER, never, done)).toBe('done');
    cancel.abort(new SpillwayError('cancelled', 'Enough.'));
    expect(await call.ended).toMatchObject({ code: 'cancelled' });
    await other.catch(nothing);
  });

  it('is every session of its name, also one that comes later, where the person said so', async () => {
    const control = new AgentControl(nothing);
    await control.set({ name: 'claude-code', session: null }, 'stopped');
    for (const caller of [ONE, OTHER])
      expect(await coded(control.run(caller, never, done))).toMatchObject({ code: 'agent_stopped' });
    expect(await control.run([{ session: 's3', name: 'codex' }], never, done)).toBe('done');
  });

  it('is known by what a person sees of its name', async () => {
    const control = new AgentControl(nothing);
    await control.set({ name: 'claude-code', session: null }, 'stopped');
    const hidden = [{ session: 's9', name: 'claude\u200b-code\u202e' }];
    expect(await coded(control.run(hidden, never, done))).toMatchObject({ code: 'agent_stopped' });
    await control.set({ name: 'claude-code\u2066', session: null }, 'on');
    expect(await control.run(ONE, never, done)).toBe('done');
  });

  it('is stopped for the next worker, too', async () => {
    await new AgentControl(nothing).set(CLAUDE, 'stopped');
    const next = new AgentControl(nothing);
    expect(await coded(next.run(ONE, never, done))).toMatchObject({ code: 'agent_stopped' });
    expect((await next.list()).controls).toMatchObject([{ ...CLAUDE, state: 'stopped' }]);
  });
});

describe('an agent that a person pauses', () => {
  it('has its active calls go to their end, and its later ones wait until it is let on', async () => {
    const control = new AgentControl(nothing);
    const gate = deferred<string>();
    const active = control.run(ONE, never, () => gate.promise);
    await control.set(CLAUDE, 'paused');
    gate.resolve('to its end');
    expect(await active).toBe('to its end');
    let hasRun = false;
    const waiting = control.run(ONE, never, async () => (hasRun = true));
    await new Promise(setImmediate);
    expect(hasRun).toBe(false);
    await control.set(CLAUDE, 'on');
    expect(await waiting).toBe(true);
  });

  it('is refused what it waits for when it is stopped', async () => {
    const control = new AgentControl(nothing);
    await control.set(CLAUDE, 'paused');
    const waiting = coded(control.run(ONE, never, done));
    await control.set(CLAUDE, 'stopped');
    expect(await waiting).toMatchObject({ code: 'agent_stopped' });
  });

  it('stops waiting when its call is cancelled', async () => {
    const control = new AgentControl(nothing);
    await control.set(CLAUDE, 'paused');
    const cancel = new AbortController();
    const waiting = coded(control.run(ONE, cancel.signal, done));
    cancel.abort(new SpillwayError('cancelled', 'Enough.'));
    expect(await waiting).toMatchObject({ code: 'cancelled' });
  });

  it('learns after a while that it is paused, and may call again', async () => {
    vi.useFakeTimers();
    try {
      const control = new AgentControl(nothing);
      await control.set(CLAUDE, 'paused');
      const waiting = coded(control.run(ONE, never, done));
      await vi.advanceTimersByTimeAsync(25_001);
      expect(await waiting).toMatchObject({ code: 'agent_paused', retryable: true });
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('everyone', () => {
  it('can be stopped and let on at once, whatever belongs to no call as well', async () => {
    const control = new AgentControl(nothing);
    const call = working();
    const active = coded(control.run([], never, call.work));
    await call.begun;
    await control.set({ name: null, session: null }, 'stopped');
    expect(await active).toMatchObject({ code: 'agent_stopped' });
    for (const requesters of [[], ONE, [...ONE, ...OTHER]])
      expect(await coded(control.run(requesters, never, done))).toMatchObject({ code: 'agent_stopped' });
    await control.set({ name: null, session: null }, 'on');
    expect(await control.run([], never, done)).toBe('done');
  });

  it('is not one agent: who is stopped alone stays so when all are let on', async () => {
    const control = new AgentControl(nothing);
    await control.set(CLAUDE, 'stopped');
    await control.set({ name: null, session: null }, 'paused');
    await control.set({ name: null, session: null }, 'on');
    expect(await coded(control.run(ONE, never, done))).toMatchObject({ code: 'agent_stopped' });
  });
});

describe('a request that belongs to no call', () => {
  const shared = [
    { name: 'codex', session: null },
    { name: 'claude-code', session: null },
  ];

  it('is held up when all of a name are stopped that its server serves', async () => {
    const control = new AgentControl(nothing);
    expect(await control.run(shared, never, done)).toBe('done');
    await control.set({ name: 'claude-code', session: null }, 'stopped');
    expect(await coded(control.run(shared, never, done))).toMatchObject({ code: 'agent_stopped' });
    expect(await control.run([{ name: 'codex', session: null }], never, done)).toBe('done');
  });

  it('is not held up by a stop of one session: nobody knows that it is of that one', async () => {
    const control = new AgentControl(nothing);
    await control.set(CLAUDE, 'stopped');
    expect(await control.run(shared, never, done)).toBe('done');
  });
});

describe('a stored list that cannot be read', () => {
  const stops = async (requesters: typeof ONE): Promise<boolean> => {
    const control = new AgentControl(nothing);
    return (await control.run(requesters, never, done).catch(() => 'stopped')) === 'stopped';
  };
  const codex = [{ session: 's3', name: 'codex' }];
  const good = { ...CLAUDE, state: 'stopped', at: 1 };

  it.each([
    ['an entry without a name', [good, { state: 'frozen' }]],
    ['something that is not a list', 'stopped'],
    ['null', null],
  ])('stops everyone: %s', async (_what, value) => {
    stored.value = { agent_controls: value };
    expect(await stops(ONE)).toBe(true);
    expect(await stops(codex)).toBe(true);
    expect((await new AgentControl(nothing).list()).isDamaged).toBe(true);
  });

  it('stops all of the name that an entry still says', async () => {
    stored.value = { agent_controls: [{ ...good, session: 7, state: 'frozen' }] };
    expect(await stops(OTHER)).toBe(true);
    expect(await stops(codex)).toBe(false);
  });

  it('is whole again once a person has decided', async () => {
    stored.value = { agent_controls: 'stopped' };
    const control = new AgentControl(nothing);
    await control.set({ name: null, session: null }, 'on');
    expect(await control.list()).toEqual({ controls: [], isDamaged: false });
    expect(await stops(ONE)).toBe(false);
  });

  it('does not exist at first, which stops nobody', async () => {
    expect(await stops(ONE)).toBe(false);
    expect((await new AgentControl(nothing).list()).isDamaged).toBe(false);
  });
});

it('each change is announced', async () => {
  let changes = 0;
  const control = new AgentControl(() => (changes += 1));
  await control.set(CLAUDE, 'stopped');
  await control.set(CLAUDE, 'paused');
  expect((await control.list()).controls).toMatchObject([{ state: 'paused' }]);
  expect(changes).toBe(2);
});
