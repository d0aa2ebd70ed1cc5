import type { LedgerEntry } from '../../server/ledger/face.ts';
import type { Clock } from '../../server/core/services.ts';
import { createLedger } from '../../server/ledger/index.ts';
import { vouchAs } from '../../server/libraries/redaction/mark.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** The facts of one act, told apart by its call. */
export const actOf = (call: string, facts: object = {}): LedgerEntry =>
  vouchAs<object, LedgerEntry>({
    kind: 'act',
    agent: { name: 'claude-code', version: '2.1', client_session: 's1', server: 'server-1' },
    decided: { where: 'window', by: 'person' },
    grant: 'grant_1',
    risks: ['input', 'submit'],
    site: 'https://shop.example',
    tab: 'b1:7',
    tool: 'interact',
    call_id: call,
    args_hash: 'a'.repeat(64),
    ...facts,
  });

/** A clock of which each reading is a millisecond later than the last. */
export function steadyClock(startMs = Date.UTC(2026, 10, 20, 12)): Clock & { step(byMs: number): void } {
  let [wall, monotonic] = [startMs, 1_000];
  return {
    now: () => (wall += 1),
    monotonic: () => (monotonic += 1),
    step: (byMs) => {
      wall += byMs;
    },
  };
}

export const openLedger = (home: string, options: { clock?: Clock; waitMs?: number } = {}) =>
  createLedger({ home, clock: steadyClock(), logger: quiet, ...options });
