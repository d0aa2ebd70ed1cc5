import { stat } from 'node:fs/promises';
import type { ChainEnd } from '../../shared/ledger/report.ts';
import type { Ledger, LedgerPage, LedgerPageQuery, LedgerPages } from './face.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { isMissing, undefinedIfMissing } from '../core/machine/errno.ts';
import { placesOf, chainPath, listChains, type Places, readLine, readLines, type Line } from './lines.ts';
import { type LedgerOptions, LedgerWriter } from './writer.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import { JsonRecord } from '../../shared/base/json-schema.ts';
import { linesBackwards, openRegular } from '../core/machine/files.ts';
import { waitAtMost } from '../../shared/base/async.ts';
import { readLedger, type LedgerReport, unreadable } from './verify.ts';

export { tellGrown } from './lines.ts';

/** Whether any chain of the home has a line of that kind about that report. @throws the disk's error */
async function hasReport(places: Places, kind: string, report: string): Promise<boolean> {
  const wanted = JSON.stringify(report);
  // The latest lines are searched first.
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

function boundValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.slice(0, TEXT_UNITS).toWellFormed();
  if (isJsonList(value)) return value.slice(0, LIST_MAX).map(boundValue);
  return isObject(value) ? boundRecord(value) : value;
}

/** The facts of a line, with long texts cut. */
function boundRecord(value: JsonObject): JsonObject {
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[name, boundValue(member)] as const],
  );
  return Object.fromEntries(members);
}

/**
 * Makes the ledger: append-only JSON lines, each with the hash of the line before, 0600 in folders 0700. Each
 * server writes its own chain, so that several share a home. Does not touch the disk before the first line.
 */
export function createLedger(options: LedgerOptions): Ledger {
  const writer = new LedgerWriter(options);
  return {
    async append(entry) {
      const { kind, ...facts } = entry;
      return { ...(await writer.append({ ...boundRecord(facts), kind })), entry };
    },
    async finish({ chain, seq, entry }, end) {
      const { agent, risks, site, tab, tool, call_id } = entry;
      const facts = boundRecord({ agent, risks, site, tab, tool, call_id, ...end });
      await writer.append({ ...facts, kind: 'outcome', of: { chain, seq } });
    },
    async has(kind, report) {
      try {
        return await hasReport(placesOf(options.home), kind, report);
      } catch (thrown) {
        const message = `The ledger cannot be read: ${messageOf(thrown)}`;
        throw new SpillwayError('ledger_unavailable', message, { cause: thrown });
      }
    },
    close: () => writer.close(),
  };
}

const WAIT_MS = 2_000;
/** A check is repeated only after this many times its own duration. */
const REST = 10;
/** Problems that a page names; `spillway ledger verify` names all. */
const PROBLEMS_MAX = 20;

type Verdict = Pick<LedgerPage, 'is_intact' | 'is_shorter' | 'problems'>;

const UNKNOWN: Verdict = { is_intact: null, is_shorter: false, problems: [] };

/** Checks the whole ledger in the background. */
class LedgerCheck {
  #working: Promise<void> | null = null;
  #verdict: Verdict = UNKNOWN;
  #restsUntil = 0;
  #asked = '';

  constructor(private readonly home: string) {}

  /** @param remembered what the browser remembers that asks */
  start(remembered: readonly ChainEnd[]): void {
    const asked = JSON.stringify(remembered);
    if (performance.now() < this.#restsUntil && asked === this.#asked) return;
    this.#working ??= this.#work(remembered, asked).finally(() => {
      this.#working = null;
    });
  }

  /** Nothing if the check takes longer than a page can wait. */
  async result(signal: AbortSignal): Promise<Verdict> {
    const working = this.#working;
    if (working === null) return this.#verdict;
    const ended = await waitAtMost(
      working.then(() => true),
      WAIT_MS,
      signal,
    );
    return ended === true ? this.#verdict : UNKNOWN;
  }

  async #work(remembered: readonly ChainEnd[], asked: string): Promise<void> {
    const startedAt = performance.now();
    this.#asked = asked;
    try {
      this.#verdict = verdictOf(await readLedger(this.home, undefined, remembered));
    } catch {
      // The page reports the unreadable part.
      this.#verdict = UNKNOWN;
    }
    const endedAt = performance.now();
    this.#restsUntil = endedAt + (endedAt - startedAt) * REST;
  }
}

function verdictOf({ ok, problems }: LedgerReport): Verdict {
  return {
    is_intact: ok,
    is_shorter: problems.some(({ damage }) => damage === 'shorter_than_remembered'),
    problems: problems.slice(0, PROBLEMS_MAX).map(({ chain, line, message }) => {
      return `${chain}${line === null ? '' : `, line ${line}`}: ${message}`;
    }),
  };
}

/** A page has to fit in a frame of the bridge, where a character may take three bytes. */
const PAGE_UNITS = 120 * 1024;
const SCANNED_BYTES = 8 * 1024 * 1024;
/** A file is written shortly after its line was made, and a clock may be set back a little. */
const SLACK_MS = 5_000;

/** Where a page begins: everything in it is older. */
interface LedgerCursor {
  readonly ts: string;
  readonly chain: string;
  readonly at: number;
}

function parsePlace(text: string): LedgerCursor {
  const [ts = '', chain = '', at = '0'] = text.split('/');
  return { ts, chain, at: Number(at) };
}

const placeText = ({ ts, chain, at }: LedgerCursor): string => `${ts}/${chain}/${at}`;

/** Lines of one moment are ordered by their chains' names, so that every reader has the same order. */
const isNewer = (a: Pick<LedgerCursor, 'ts' | 'chain'>, b: Pick<LedgerCursor, 'ts' | 'chain'>): boolean =>
  a.ts === b.ts ? a.chain > b.chain : a.ts > b.ts;

/** A line and its place. */
interface PlacedLine extends LedgerCursor {
  readonly line: Line;
  readonly sizeBytes: number;
}

/** When a chain began, by its name; 0 if the name does not say. */
function beganAt(chain: string): number {
  const [, day, hours, minutes, seconds] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)/.exec(chain) ?? [];
  return day === undefined ? 0 : Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`) || 0;
}

/** The lines of one chain, newest first. None if the chain was removed meanwhile. */
async function* chainLines(
  places: Places,
  chain: string,
  before: LedgerCursor | null,
): AsyncGenerator<PlacedLine, void> {
  const isOwn = before?.chain === chain;
  const file = await openRegular(chainPath(places, chain)).catch(undefinedIfMissing);
  if (file === undefined) return;
  try {
    for await (const { bytes, at } of linesBackwards(file, isOwn ? before.at : Infinity)) {
      // `verify` reports altered lines.
      const line = readLine(Buffer.from(bytes).toString('utf8'));
      if (line === null) continue;
      const place = { ts: line.ts, chain, at };
      if (before === null || isOwn || isNewer(before, place))
        yield { ...place, line, sizeBytes: bytes.length };
    }
  } finally {
    await file.close();
  }
}

/** Chains that may have lines before a place, with the most recently written one last. */
async function findChainsBefore(places: Places, before: LedgerCursor | null) {
  const latest = before === null ? Infinity : Date.parse(before.ts) + SLACK_MS;
  const chains = (await listChains(places)).filter((chain) => beganAt(chain) <= latest);
  const written = await Promise.all(
    chains.map(async (chain) => {
      const facts = await stat(chainPath(places, chain)).catch(() => null);
      return facts === null ? [] : [{ chain, writtenAt: facts.mtimeMs }];
    }),
  );
  return written.flat().sort((a, b) => a.writtenAt - b.writtenAt);
}

interface OpenChain {
  readonly lines: AsyncGenerator<PlacedLine, void>;
  readonly head: PlacedLine;
}

/** The lines of all chains, newest first. A chain is opened only once the open ones can have nothing newer. */
async function* allLines(places: Places, before: LedgerCursor | null): AsyncGenerator<PlacedLine, void> {
  const waiting = await findChainsBefore(places, before);
  let open: OpenChain[] = [];
  const advance = async (lines: OpenChain['lines']): Promise<void> => {
    const { value: head } = await lines.next();
    open = open.filter((each) => each.lines !== lines);
    if (head !== undefined) open.push({ lines, head });
  };
  try {
    for (;;) {
      const best = open.reduce<OpenChain | null>(
        (newest, each) => (newest === null || isNewer(each.head, newest.head) ? each : newest),
        null,
      );
      const next = waiting.at(-1);
      if (next !== undefined && (best === null || next.writtenAt + SLACK_MS >= Date.parse(best.head.ts))) {
        waiting.pop();
        await advance(chainLines(places, next.chain, before));
      } else if (best === null) return;
      else {
        yield best.head;
        await advance(best.lines);
      }
    }
  } finally {
    await Promise.all(open.map(({ lines }) => lines.return()));
  }
}

/** Hashes are only for the check. */
function lineToShow({ chain, line }: PlacedLine): JsonObject {
  const { hash: _hash, mac: _mac, prev: _prev, offset_ms: _offset, ...facts } = line;
  return { ...JsonRecord.parse(facts), chain };
}

/** Pages of a home's ledger, whichever of its servers wrote it. */
export function createLedgerPages(home: string): LedgerPages {
  const places = placesOf(home);
  const check = new LedgerCheck(home);
  return async (query, signal) => {
    // Only the newest page says whether the ledger is whole.
    if (query.before === undefined) check.start(query.remembered ?? []);
    try {
      const page = await readPage(places, query, signal);
      return { ...page, ...(await check.result(signal)) };
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof SpillwayError) throw thrown;
      throw unreadable('The ledger', thrown);
    }
  };
}

async function readPage(
  places: Places,
  { before, limit }: Pick<LedgerPageQuery, 'before' | 'limit'>,
  signal: AbortSignal,
): Promise<Pick<LedgerPage, 'lines' | 'next'>> {
  const lines: JsonObject[] = [];
  let units = 0;
  let scannedBytes = 0;
  for await (const found of allLines(places, before === undefined ? null : parsePlace(before))) {
    signal.throwIfAborted();
    scannedBytes += found.sizeBytes;
    if (found.line.kind !== 'opened') {
      lines.push(lineToShow(found));
      units += found.sizeBytes;
    }
    if (lines.length >= limit || units >= PAGE_UNITS || scannedBytes >= SCANNED_BYTES)
      return { lines, next: placeText(found) };
  }
  return { lines, next: null };
}
