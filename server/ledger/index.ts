import { LIMITS } from '../../shared/limits.ts';
import type { ChainEnd } from '../../shared/policy/chain-ends.ts';
import type { Ledger, LedgerEnd, LedgerEntry, LedgerReceipt } from '../core/ledger.ts';
import type { Clock, Logger } from '../core/services.ts';
import { messageOf } from '../../shared/message-of.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { boundedRecord } from './bounds.ts';
import { hasReport } from './find-line.ts';
import { placesOf } from './places.ts';
import { LedgerWriter } from './writer.ts';

export { GrownLedger } from './grown.ts';
export { createLedgerPages } from './pages.ts';

export interface LedgerOptions {
  /** `<home>`: the chains are in `<home>/ledger`, their heads and the key in `<home>/ledger-heads`. */
  readonly home: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Longest wait for the disk. Milliseconds. */
  readonly waitMs?: number;
  /** Called with the end of a chain once its lines are on the disk. */
  readonly onGrown?: (end: ChainEnd) => void;
}

/**
 * Makes the ledger: JSON lines that are only ever appended, each with the hash of the line before, 0600 in folders 0700.
 * Each server writes a chain of its own, so that several share a home. Nothing touches the disk before the first line.
 */
export function createLedger({
  home,
  clock,
  logger,
  waitMs = LIMITS.ledgerWaitMs,
  onGrown = () => undefined,
}: LedgerOptions): Ledger {
  const places = placesOf(home);
  const writer = new LedgerWriter({ places, clock, logger, waitMs, onGrown });

  async function append(entry: LedgerEntry): Promise<LedgerReceipt> {
    const { kind, ...facts } = entry;
    return { ...(await writer.append({ ...boundedRecord(facts), kind })), entry };
  }

  async function finish({ chain, seq, entry }: LedgerReceipt, end: LedgerEnd): Promise<void> {
    const { agent, risks, site, tab, tool, call_id } = entry;
    const facts = boundedRecord({ agent, risks, site, tab, tool, call_id, ...end });
    await writer.append({ ...facts, kind: 'outcome', of: { chain, seq } });
  }

  async function has(kind: string, report: string): Promise<boolean> {
    try {
      return await hasReport(places, kind, report);
    } catch (thrown) {
      throw new SpillwayError('ledger_unavailable', `The ledger cannot be read: ${messageOf(thrown)}`, {
        cause: thrown,
      });
    }
  }

  return { append, finish, has, close: () => writer.close() };
}
