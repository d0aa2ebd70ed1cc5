import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LedgerStore } from '../../../extension/panel/feed/home-lists.ts';
import type { Answer } from '../../../extension/panel/feed-protocol.ts';

/** Ledgers of homes: so many lines each, newest first, a second apart. */
class FakeLedgers {
  readonly homes: Record<string, number>;
  verdict: boolean | null = true;
  problems: string[] = [];
  reads = 0;
  fails = false;
  /** Homes whose ledger is shorter than the browser remembers. */
  readonly shorter = new Set<string>();

  constructor(homes: Record<string, number>) {
    this.homes = homes;
  }

  readonly store = new LedgerStore(
    async ({ home, before, limit = 50 }): Promise<Answer<'ledger'>> => {
      this.reads += 1;
      await Promise.resolve();
      if (this.fails) throw new Error('The ledger cannot be read.');
      const last = before === undefined ? (this.homes[home] ?? 0) : Number(before) - 1;
      const first = Math.max(1, last - limit + 1);
      const lines = [];
      for (let seq = last; seq >= first; seq -= 1)
        lines.push({ chain: home, seq, ts: new Date(seq * 1_000 + home.length).toISOString(), kind: 'act' });
      return {
        lines,
        next: first === 1 ? null : String(first),
        is_intact: before === undefined ? this.verdict : true,
        is_shorter: this.shorter.has(home),
        problems: this.problems,
      };
    },
    (home) => Promise.resolve(this.shorter.delete(home)),
  );
}

const seqs = ({ store }: FakeLedgers): readonly string[] =>
  store.lines.value.map(({ home, line }) => `${home} ${line.seq}`);

describe('the ledger', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
  it('is read while it is shown, of all homes in one list, newest first', async () => {
    const ledgers = new FakeLedgers({ a: 2, bb: 2 });
    ledgers.store.setHomes(['a', 'bb']);
    await settled();
    expect(ledgers.reads).toBe(0);
    ledgers.store.show();
    await settled();
    expect(seqs(ledgers)).toEqual(['bb 2', 'a 2', 'bb 1', 'a 1']);
    expect(ledgers.store.isIntact.value).toBe(true);
    expect(ledgers.store.state.value).toBe('ready');
    ledgers.store.setHomes(['a']);
    await settled();
    expect(seqs(ledgers)).toEqual(['a 2', 'a 1']);
  });
});
