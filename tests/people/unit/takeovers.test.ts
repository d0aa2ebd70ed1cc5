import { expect, it, vi } from 'vitest';
import type { Ledger, LedgerEntry } from '../../../server/ledger/face.ts';
import { FollowedTakeovers } from '../../../server/people/takeovers.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { codeOf } from '../../support/code-of.ts';
import { defer } from '../../../shared/base/async.ts';
import { PATIENCE } from '../../support/patience.ts';
import { createPeople } from '../../../server/people/people.ts';
import { DecisionRecord } from '../../../server/people/act-record.ts';
import { silentLogger as logger } from '../../support/app-options.ts';
import { FakeBridge } from '../../support/fake-bridge.ts';

type Parts = ConstructorParameters<typeof FollowedTakeovers>[0];
type Asked = Parameters<FollowedTakeovers['takeOver']>[0];

const gone = new SpillwayError('browser_disconnected', 'The browser has disconnected.');
const ended = (more: object = {}) => ({
  ...{ outcome: 'done', by: 'person', where: 'window', reason: null },
  ...{ from: 1, to: 2, origin: 'https://a.test', ...more },
});

/** A browser with scripted answers, and a ledger that can fail. */
function rig() {
  const called: string[] = [];
  const lines: LedgerEntry[] = [];
  const waiting: ReturnType<typeof defer<object>>[] = [];
  const answers: Record<string, (() => Promise<object>)[]> = {};
  const ledger = { fails: false };
  const parts = {
    bridge: {
      request: (_browser: string, method: string): Promise<object> => {
        called.push(method);
        const scripted = answers[method]?.shift();
        if (scripted !== undefined) return scripted();
        if (method === 'takeover.begin') return Promise.resolve({ id: 't_1', origin: 'https://a.test' });
        if (method !== 'takeover.wait') return Promise.resolve({});
        const wait = defer<object>();
        waiting.push(wait);
        return wait.promise;
      },
    },
    ledger: {
      append: (line: LedgerEntry) => {
        if (ledger.fails) return Promise.reject(new SpillwayError('ledger_unavailable', 'Full.'));
        lines.push(line);
        return Promise.resolve({});
      },
    },
    ...{ redactor: createRedactor({ enabled: true }), logger, server: 'server-one' },
  } as unknown as Parts;
  const takeovers = new FollowedTakeovers(parts);
  const session = new AbortController();
  const asked = (more: Partial<Asked> = {}): Asked =>
    ({
      ...{ target: { browser: 'b1', tabId: 7 }, message: 'Please log in.' },
      ...{ ask: null, until: null, limitMs: 600_000 },
      call: {
        caller: { session: 's1', name: 'Claude Code' },
        call: { call_id: 'c1', tool: 'request_human_input', args_hash: 'a'.repeat(64) },
      },
      sessionSignal: session.signal,
      ...more,
    }) as Asked;
  const take = (more: Partial<Asked> = {}, signal = new AbortController().signal) =>
    takeovers.takeOver(asked(more), { timeoutMs: 60_000, signal });
  const end = async (count: number, how: object): Promise<void> => {
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThanOrEqual(count), PATIENCE);
    const wait = waiting[count - 1];
    if (how instanceof Error) wait?.reject(how);
    else wait?.resolve(how);
  };
  const outcomes = (): unknown[] => lines.map(({ kind, outcome }) => [kind, outcome ?? []].flat().join(' '));
  return { takeovers, take, end, called, lines, answers, ledger, session, outcomes };
}

it('a browser that goes away and comes back is asked again, for the beginning and for the end', async () => {
  const { take, end, called, answers, lines } = rig();
  answers['takeover.begin'] = [() => Promise.reject(gone)];
  const taking = take();
  await end(1, gone);
  await end(2, ended({ by: 'page', where: null }));
  expect(await taking).toMatchObject({ outcome: 'done', by: 'page' });
  const [begin, echo, wait] = ['takeover.begin', 'bridge.echo', 'takeover.wait'];
  expect(called).toEqual([begin, echo, begin, wait, echo, wait]);
  expect(lines[1]).toMatchObject({ kind: 'takeover_end', site: 'https://a.test', tab: 'b1:7' });
});

it('withdraws the question if the ledger cannot have its line, and answers an end that it cannot have', async () => {
  const full = rig();
  full.ledger.fails = true;
  expect(await codeOf(full.take())).toBe('ledger_unavailable');
  expect(full.called).toEqual(['takeover.begin', 'takeover.cancel']);
  const { take, end, called, ledger } = rig();
  const taking = take();
  await vi.waitFor(() => expect(called).toContain('takeover.wait'), PATIENCE);
  ledger.fails = true;
  await end(1, ended());
  expect(await taking).toMatchObject({ outcome: 'done' });
});

it('is taken back when the last call that waits is cancelled, and not before', async () => {
  const { take, end, called } = rig();
  const [one, two] = [new AbortController(), new AbortController()];
  const codes = [codeOf(take({}, one.signal)), codeOf(take({}, two.signal))];
  await vi.waitFor(() => expect(called).toContain('takeover.wait'), PATIENCE);
  const cancelled = new SpillwayError('cancelled', 'The client cancelled.');
  one.abort(cancelled);
  expect(await codes[0]).toBe('cancelled');
  expect(called).not.toContain('takeover.cancel');
  two.abort(cancelled);
  expect(await codes[1]).toBe('cancelled');
  await vi.waitFor(() => expect(called).toContain('takeover.cancel'), PATIENCE);
  await end(1, ended({ outcome: 'withdrawn' }));
});

it('other words about the same tab are refused, and of another session they are the browser’s to judge', async () => {
  const { take, end, called } = rig();
  const first = take();
  expect(await codeOf(take({ message: 'Something else.' }))).toBe('person_has_tab');
  const other = { caller: { session: 's2', name: 'B' }, call: { call_id: 'c2' } } as unknown as Asked['call'];
  const second = take({ call: other });
  await end(2, ended());
  await end(1, ended());
  await Promise.all([first, second]);
  expect(called.filter((method) => method === 'takeover.begin')).toHaveLength(2);
});

it.each([
  ['the ledger could not take', 'ledger_unavailable'],
  ['nobody waits for the answer of', 'timeout'],
] as const)('a question that %s is withdrawn', async (_what, code) => {
  const withdrawn: string[] = [];
  const bridge = new FakeBridge({
    'question.wait': () => Promise.reject(new SpillwayError('timeout', 'The browser was silent.')),
    'question.cancel': async ({ id }) => {
      withdrawn.push(id);
      // It was sent over the connection that its browser had before.
      if (withdrawn.length === 1) throw gone;
      return { was_open: true };
    },
  });
  bridge.addBrowser();
  const ledger: Ledger = {
    append: async (entry) => {
      if (code === 'ledger_unavailable') throw new SpillwayError(code, 'The disk is full.');
      return { chain: 'c', seq: 1, hash: 'h', entry };
    },
    finish: async () => undefined,
    has: async () => false,
    close: async () => undefined,
  };
  const redactor = createRedactor({ enabled: true, secrets: [] });
  const people = createPeople({
    ...{ bridge, ledger, redactor, logger, mode: 'panel', home: 'a'.repeat(64), server: 'server-1' },
    record: new DecisionRecord({ ledger, redactor, server: 'server-1' }),
    kept: { staysOpen: () => false },
    clock: { monotonic: () => 0 },
  });
  const call = { call_id: 'c1', tool: 'interact', title: 'Interact', args: {}, is_editable: true };
  const scope = { caller: { session: 's1', name: 'codex' }, call: { ...call, args_hash: 'a'.repeat(64) } };
  expect(await codeOf(people.decision({ id: 'b1:q_1', scope }, new AbortController().signal))).toBe(code);
  await vi.waitFor(() => expect(withdrawn).toEqual(['q_1', 'q_1']), PATIENCE);
});
