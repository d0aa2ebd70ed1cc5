import { LIMITS } from '../../shared/limits.ts';
import type { ChainEnd } from '../../shared/policy/question-methods.ts';
import type { Ledger, LedgerEnd, LedgerEntry, LedgerReceipt } from '../core/ledger.ts';
import type { Clock, Logger } from '../core/services.ts';
import { messageOf } from '../../shared/message-of.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { isMissing } from '../machine/errno.ts';
import { placesOf, chainPath, listChains, type Places, readLine, readLines } from './lines.ts';
import { LedgerWriter } from './writer.ts';

/** Whether any chain of the home has a line of that kind about that report. @throws what the disk refuses */
async function hasReport(places: Places, kind: string, report: string): Promise<boolean> {
  const wanted = JSON.stringify(report);
  // What is looked for was written last.
  for (const chain of (await listChains(places)).reverse()) {
    try {
      for await (const { text } of readLines(chainPath(places, chain))) {
        if (text === null || !text.includes(wanted)) continue;
        const line = readLine(text);
        if (line?.kind === kind && line['report'] === report) return true;
      }
    } catch (thrown) {
      if (!isMissing(thrown)) throw thrown;
    }
  }
  return false;
}

/** Longest text of a line: an address, a name. */
const TEXT_UNITS = 1_000;
/** Longest list of a line. */
const LIST_MAX = 100;

function bounded(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.slice(0, TEXT_UNITS).toWellFormed();
  if (isJsonList(value)) return value.slice(0, LIST_MAX).map(bounded);
  return isObject(value) ? boundedRecord(value) : value;
}

/** The facts of a line, with long texts cut. */
function boundedRecord(value: JsonObject): JsonObject {
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[name, bounded(member)] as const],
  );
  return Object.fromEntries(members);
}

export { tellGrown } from './head.ts';
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
