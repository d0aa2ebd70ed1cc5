import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SpillwayError } from '../../../shared/errors.ts';
import { coded } from '../../support/bridge-rig.ts';
import { deferred } from '../../support/deferred.ts';

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

const ONE = { session: 's1', name: 'claude-code' };
const OTHER = { session: 's2', name: 'claude-code' };
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
    await control.set(ONE, 'stopped');
    expect(await active).toMatchObject({ code: 'agent_stopped' });
    expect(await call.ended).toMatchObject({ code: 'agent_stopped' });
    let runs = 0;
    const later = control.run(ONE, never, async () => void (runs += 1));
    expect(await coded(later)).toMatchObject({ code: 'agent_stopped', retryable: false });
    expect(runs).toBe(0);
    await control.set(ONE, 'on');
    expect(await control.run(ONE, never, done)).toBe('done');
  });

  it('is one session, and no other of the same name', async () => {
    const control = new AgentControl(nothing);
    const call = working();
    const cancel = new AbortController();
    const other = coded(control.run(OTHER, cancel.signal, call.work));
    await call.begun;
    await control.set(ONE, 'stopped');
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
    expect(await control.run({ session: 's3', name: 'codex' }, never, done)).toBe('done');
  });

  it('is stopped for the next worker, too', async () => {
    await new AgentControl(nothing).set(ONE, 'stopped');
    const next = new AgentControl(nothing);
    expect(await coded(next.run(ONE, never, done))).toMatchObject({ code: 'agent_stopped' });
    expect(await next.list()).toMatchObject([{ ...ONE, state: 'stopped' }]);
  });
});

describe('an agent that a person pauses', () => {
  it('has its active calls go to their end, and its later ones wait until it is let on', async () => {
    const control = new AgentControl(nothing);
    const gate = deferred<string>();
    const active = control.run(ONE, never, () => gate.promise);
    await control.set(ONE, 'paused');
    gate.resolve('to its end');
    expect(await active).toBe('to its end');
    let hasRun = false;
    const waiting = control.run(ONE, never, async () => (hasRun = true));
    await new Promise(setImmediate);
    expect(hasRun).toBe(false);
    await control.set(ONE, 'on');
    expect(await waiting).toBe(true);
  });

  it('is refused what it waits for when it is stopped', async () => {
    const control = new AgentControl(nothing);
    await control.set(ONE, 'paused');
    const waiting = coded(control.run(ONE, never, done));
    await control.set(ONE, 'stopped');
    expect(await waiting).toMatchObject({ code: 'agent_stopped' });
  });

  it('stops waiting when its call is cancelled', async () => {
    const control = new AgentControl(nothing);
    await control.set(ONE, 'paused');
    const cancel = new AbortController();
    const waiting = coded(control.run(ONE, cancel.signal, done));
    cancel.abort(new SpillwayError('cancelled', 'Enough.'));
    expect(await waiting).toMatchObject({ code: 'cancelled' });
  });

  it('learns after a while that it is paused, and may call again', async () => {
    vi.useFakeTimers();
    try {
      const control = new AgentControl(nothing);
      await control.set(ONE, 'paused');
      const waiting = coded(control.run(ONE, never, done));
      await vi.advanceTimersByTimeAsync(25_001);
      expect(await waiting).toMatchObject({ code: 'agent_paused', retryable: true });
    } finally {
      vi.useRealTimers();
    }
  });
});

it('what cannot be read keeps nobody from working, and each change is announced', async () => {
  stored.value = { agent_controls: [{ state: 'frozen' }] };
  let changes = 0;
  const control = new AgentControl(() => (changes += 1));
  expect(await control.run(ONE, never, done)).toBe('done');
  await control.set(ONE, 'stopped');
  await control.set(ONE, 'paused');
  expect(await control.list()).toMatchObject([{ state: 'paused' }]);
  expect(changes).toBe(2);
});
