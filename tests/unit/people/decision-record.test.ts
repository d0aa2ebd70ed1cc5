import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DecisionRecord } from '../../../server/people/decision-record.ts';
import { createRedactor } from '../../../server/redact/index.ts';
import type { Ledger } from '../../../server/core/ledger.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { LedgerReport } from '../../../shared/policy/ledger-report.ts';
import { actOf, openLedger } from '../../support/ledger.ts';

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

/** Servers of one home, each with a ledger of its own. */
function home() {
  const path = mkdtempSync(join(tmpdir(), 'spillway-record-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const start = (server: string, ledger: Ledger = openLedger(path)) => {
    onTestFinished(() => ledger.close());
    const redactor = createRedactor({ enabled: true, secrets: [] });
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

it('what an earlier server of the home wrote is not written again, and what it did not is', async () => {
  const { start, lines } = home();
  const first = start('server-1');
  await first.record.report([report()]);
  const next = start('server-2');
  await next.record.report([
    report({ is_again: true }),
    // The same id, of something else.
    report({ kind: 'grant_revoked', is_again: true }),
    report({ id: 'r_1', kind: 'refused', refusal: 'wrong_token', outcome: null, where: null }),
  ]);
  const written = lines();
  expect(written.map(({ kind }) => kind).sort()).toEqual(['decision', 'grant_revoked', 'refused']);
  expect(written.find(({ kind }) => kind === 'refused')).toMatchObject({ refusal: 'wrong_token' });
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

it('a decision that a server before wrote is not written again by who has adopted the question', async () => {
  const { start, lines } = home();
  await start('server-1').record.report([report()]);
  const next = start('server-2').record;
  const line = actOf('c1', { kind: 'decision', report: 'q_1' });
  await next.once('decision', 'q_1', line, { mayBeThere: true });
  expect(lines()).toHaveLength(1);
  await next.once('decision', 'q_2', actOf('c1', { kind: 'decision', report: 'q_2' }), { mayBeThere: true });
  expect(lines()).toHaveLength(2);
});
