import { expect, it, vi } from 'vitest';
import { createActRecord } from '../../../server/people/act-record.ts';
import { createRedactor } from '../../../server/redact/index.ts';
import { failureResult, pendingResult } from '../../../server/core/calls/call-results.ts';
import type { Ledger, LedgerEnd } from '../../../server/core/ledger.ts';
import { deferred } from '../../../shared/async/deferred.ts';
import { SpillwayError, type ErrorCode } from '../../../shared/errors.ts';

const redactor = createRedactor({ enabled: true, secrets: [] });
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const failure = (code: ErrorCode) => failureResult(new SpillwayError(code, 'It failed.'), redactor);
const asked = pendingResult({ callId: 'c1', tool: 'interact', args: {}, interaction: {} }, {}, redactor);

/** A ledger that takes acts, and outcomes as the test says. */
function rig(
  finish: Ledger['finish'] = async () => undefined,
  appended: Promise<unknown> = Promise.resolve(),
) {
  const ends: LedgerEnd[] = [];
  const ledger: Ledger = {
    append: async (entry) => {
      await appended;
      return { chain: 'c', seq: 1, hash: 'h', entry };
    },
    finish: (receipt, end) => {
      ends.push(end);
      return finish(receipt, end);
    },
    has: async () => false,
    close: async () => undefined,
  };
  const acts = createActRecord({ ledger, redactor, logger: quiet, server: 'server-1' });
  const call = { call_id: 'c1', tool: 'interact', title: 'Interact', args: {}, is_editable: true };
  const begin = () =>
    acts.begin({
      scope: { caller: { session: 's1', name: 'codex' }, call: { ...call, args_hash: 'a'.repeat(64) } },
      risks: ['input'],
      site: 'https://shop.example',
      tab_id: 7,
      allowed_by: { kind: 'grant', id: 'g_1' },
    });
  return { acts, begin, ends };
}

const { error: _none, ...done } = { ...failure('cancelled'), ok: true };

it.each([
  ['done', done, { outcome: 'done' }],
  ['failed', failure('tab_not_found'), { outcome: 'failed', code: 'tab_not_found' }],
  ['cancelled', failure('cancelled'), { outcome: 'cancelled' }],
  ['cut off', failure('browser_disconnected'), { outcome: 'unknown', code: 'browser_disconnected' }],
  ['asked about', asked, { outcome: 'failed', code: 'approval_required' }],
])('the outcome of a call that was %s', async (_how, result, end) => {
  const { acts, begin, ends } = rig();
  await begin();
  expect(await acts.end('c1', result)).toBe(true);
  expect(ends).toEqual([end]);
  expect(acts.end('c1', result)).toBeNull();
});

it('a call that ends while its line is being written gives that line its outcome', async () => {
  const { promise, resolve } = deferred<undefined>();
  const { acts, begin, ends } = rig(undefined, promise);
  const begun = begin();
  const recorded = acts.end('c1', asked);
  resolve(undefined);
  await begun;
  expect(await recorded).toBe(true);
  expect(ends).toEqual([{ outcome: 'failed', code: 'approval_required' }]);
  expect(acts.end('c1', done)).toBeNull();
});

it('an act that the ledger refused has no outcome', async () => {
  const full = Promise.reject(new SpillwayError('ledger_unavailable', 'The disk is full.'));
  const { acts, begin, ends } = rig(undefined, full);
  await expect(begin()).rejects.toThrow('full');
  expect(await acts.end('c1', failure('ledger_unavailable'))).toBe(true);
  expect(ends).toEqual([]);
});

it('says that an outcome is not in the ledger', async () => {
  const { acts, begin } = rig(async () => {
    throw new SpillwayError('ledger_unavailable', 'The disk is full.');
  });
  await begin();
  expect(await acts.end('c1', failure('cancelled'))).toBe(false);
});

it('waits for a silent disk for a second', async () => {
  vi.useFakeTimers();
  try {
    const { acts, begin } = rig(() => new Promise(() => undefined));
    await begin();
    const recorded = acts.end('c1', failure('cancelled'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await recorded).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});
