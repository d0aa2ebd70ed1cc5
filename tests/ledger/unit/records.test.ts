import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createActRecord, DecisionRecord } from '../../../server/people/act-record.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { failureResult, buildPendingResult } from '../../../server/core/calls/results.ts';
import type { Ledger, LedgerEnd } from '../../../server/ledger/face.ts';
import { silentLogger as logger } from '../../support/app-options.ts';
import { defer } from '../../../shared/base/async.ts';
import { type ErrorCode, SpillwayError } from '../../../shared/base/errors.ts';
import type { LedgerReport } from '../../../shared/ledger/report.ts';
import { actOf, openLedger } from '../../support/ledger.ts';
import { testFolder } from '../../support/test-folder.ts';

const redactor = createRedactor({ enabled: true, secrets: [] });
const failure = (code: ErrorCode) => failureResult(new SpillwayError(code, 'It failed.'), redactor);
const asked = buildPendingResult({ callId: 'c1', tool: 'interact', args: {}, interaction: {} }, {}, redactor);

function rig(
  finish: Ledger['finish'] = async () => undefined,
  appended: Promise<unknown> = Promise.resolve(),
) {
  const ends: LedgerEnd[] = [];
  const lines: unknown[] = [];
  const ledger: Ledger = {
    append: async (entry) => {
      await appended;
      lines.push(entry);
      return { chain: 'c', seq: 1, hash: 'h', entry };
    },
    finish: (receipt, end) => {
      ends.push(end);
      return finish(receipt, end);
    },
    has: async () => false,
    close: async () => undefined,
  };
  const acts = createActRecord({ ledger, redactor, logger, server: 'server-1' });
  const call = { call_id: 'c1', tool: 'interact', title: 'Interact', args: {}, is_editable: true };
  const begin = (more: object = {}) =>
    acts.begin({
      scope: { caller: { session: 's1', name: 'codex' }, call: { ...call, args_hash: 'a'.repeat(64) } },
      risks: ['input'],
      site: 'https://shop.example',
      tab_id: 7,
      allowed_by: { kind: 'grant', id: 'g_1' },
      ...more,
    });
  return { acts, begin, ends, lines };
}

const { error: _none, ...done } = { ...failure('cancelled'), ok: true };

it.each([
  ['done', done, { outcome: 'done' }],
  ['failed', failure('tab_not_found'), { outcome: 'failed', code: 'tab_not_found' }],
  ['cancelled', failure('cancelled'), { outcome: 'cancelled' }],
  ['cut off', failure('browser_disconnected'), { outcome: 'unknown', code: 'browser_disconnected' }],
  ['lost', failure('outcome_unknown'), { outcome: 'unknown', code: 'outcome_unknown' }],
  ['asked about', asked, { outcome: 'failed', code: 'approval_required' }],
])('the outcome of a call that was %s', async (_how, result, end) => {
  const { acts, begin, ends } = rig();
  await begin();
  expect(await acts.end('c1', result)).toBe(true);
  expect(ends).toEqual([end]);
  expect(acts.end('c1', result)).toBeNull();
});

it('text that a rule keeps where it is has a line of its own, which is over', async () => {
  const { acts, begin, lines } = rig();
  await begin({ risks: ['carry_text'], allowed_by: { kind: 'rule', id: 'mine' }, is_denied: true });
  expect(lines).toMatchObject([{ rule: 'mine', outcome: 'denied', code: 'policy_denied' }]);
  expect(acts.end('c1', failure('policy_denied'))).toBeNull();
});

it('a call that ends while its line is being written gives that line its outcome', async () => {
  const { promise, resolve } = defer<undefined>();
  const { acts, begin, ends } = rig(undefined, promise);
  const begun = begin();
  const recorded = acts.end('c1', asked);
  resolve(undefined);
  await begun;
  expect(await recorded).toBe(true);
  expect(ends).toEqual([{ outcome: 'failed', code: 'approval_required' }]);
  expect(acts.end('c1', done)).toBeNull();
});

const report = (more: Partial<LedgerReport> = {}): LedgerReport => ({
  id: 'q_1',
  kind: 'decision',
  server: 'server-1',
  agent: { name: 'codex', session: 's1' },
  question: 'q_1',
  grant: 'g_1',
  scope: 'once',
  where: 'client',
  outcome: 'approved',
  refusal: null,
  risks: ['submit'],
  site: 'https://shop.example',
  tool: 'interact',
  call_id: 'c1',
  args_hash: 'a'.repeat(64),
  is_again: false,
  ...more,
});

function home() {
  const path = testFolder();
  const start = (server: string, ledger: Ledger = openLedger(path)) => {
    onTestFinished(() => ledger.close());
    return { ledger, record: new DecisionRecord({ ledger, redactor, server }) };
  };
  const lines = (): { kind: string }[] =>
    readdirSync(join(path, 'ledger')).flatMap((name) =>
      readFileSync(join(path, 'ledger', name), 'utf8')
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text) as { kind: string })
        .filter(({ kind }) => kind !== 'opened'),
    );
  return { start, lines };
}

it('a decision that its call and its browser report is one line', async () => {
  const { start, lines } = home();
  const { record } = start('server-1');
  const line = actOf('c1', { kind: 'decision', report: 'q_1' });
  await Promise.all([
    record.report([report()]),
    record.once('decision', 'q_1', line),
    record.report([report({ is_again: true })]),
  ]);
  expect(lines()).toMatchObject([
    {
      kind: 'decision',
      question: 'q_1',
      decided: { where: 'client, unverified' },
      site: 'https://shop.example',
      risks: ['submit'],
      agent: { name: 'codex', server: 'server-1' },
    },
  ]);
});

it('what could not be written is written when it is reported again', async () => {
  const { start, lines } = home();
  const { ledger } = start('server-1');
  let isFull = true;
  const failing: Ledger = {
    ...ledger,
    append: (entry) =>
      isFull
        ? Promise.reject(new SpillwayError('ledger_unavailable', 'The disk is full.'))
        : ledger.append(entry),
  };
  const { record } = start('server-1', failing);
  await expect(record.report([report()])).rejects.toMatchObject({ code: 'ledger_unavailable' });
  isFull = false;
  await record.report([report({ is_again: true })]);
  expect(lines()).toHaveLength(1);
});
