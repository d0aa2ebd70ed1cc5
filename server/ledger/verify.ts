import { existsSync } from 'node:fs';
import { SpillwayError } from '../../shared/base/errors.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import type { ChainEnd } from '../../shared/ledger/report.ts';
import { undefinedIfMissing } from '../core/machine/errno.ts';
import {
  type Head,
  readHead,
  keyIdOf,
  type Line,
  type Opening,
  openingOf,
  chainPath,
  headPath,
  listChains,
  listHeads,
  placesOf,
  type Places,
  type FoundHead,
  isSameMac,
  macOf,
  NO_HASH,
  readLine,
  readOpening,
  readLines,
  type FoundLine,
} from './lines.ts';
import { readKey } from '../core/machine/files.ts';

export interface LedgerReport {
  readonly ok: boolean;
  readonly folder: string;
  /** Sound lines of all chains. */
  readonly lines: number;
  readonly chains: readonly ChainReport[];
  readonly problems: readonly LedgerProblem[];
}

/** Called with each sound line, chain by chain. */
type OnLine = (line: Line, text: string, chain: string) => void;

/**
 * Reads the whole ledger of a home and checks it. Servers may be writing to it.
 * @param remembered ends of chains as browsers remember them
 * @throws SpillwayError `store_read_failed`
 */
export async function readLedger(
  home: string,
  onLine: OnLine = () => undefined,
  remembered: readonly ChainEnd[] = [],
): Promise<LedgerReport> {
  const places = placesOf(home);
  try {
    return await check(places, onLine, remembered);
  } catch (thrown) {
    throw unreadable(`The ledger ${places.chains}`, thrown);
  }
}

export const unreadable = (what: string, cause: unknown): SpillwayError =>
  new SpillwayError('store_read_failed', `${what} cannot be read (${messageOf(cause)}).`, {
    hint: 'Check that ledger and ledger-heads in --home are readable.',
    cause,
  });

async function check(places: Places, onLine: OnLine, remembered: readonly ChainEnd[]): Promise<LedgerReport> {
  // Heads first: a chain that begins meanwhile then has no head to miss.
  const heads = await listHeads(places);
  const listed = await listChains(places);
  const key = await readKey(places.heads);
  const openings = new Map<string, Opening | null>();
  for (const chain of listed) {
    // A server that cannot begin a chain removes its file again.
    const opening = await openingOf(places, chain).catch(undefinedIfMissing);
    if (opening !== undefined) openings.set(chain, opening);
  }
  const pins = pinsOf(openings);
  const problems: LedgerProblem[] = [];
  const chains: ChainReport[] = [];
  for (const [chain, opening] of openings) {
    const isKnown = key !== null && (opening === null || opening.key === keyIdOf(key));
    if (!isKnown) problems.push({ damage: 'key_missing', chain, line: null, message: KEY_MISSING });
    const report = await checkChain({
      places,
      chain,
      key: isKnown ? key : null,
      pins: pins.get(chain) ?? [],
      onLine: (line, text) => onLine(line, text, chain),
    });
    chains.push(report);
    problems.push(...report.problems);
  }
  problems.push(...(await findRemoved({ places, key, heads, openings, pins })));
  problems.push(...findShorter(remembered, chains, problems));
  const lines = chains.reduce((sum, { sound }) => sum + sound, 0);
  return { ok: problems.length === 0, folder: places.chains, lines, chains, problems };
}

/** Chain → its lines that other chains name. */
function pinsOf(openings: ReadonlyMap<string, Opening | null>): Map<string, Pin[]> {
  const pins = new Map<string, Pin[]>();
  for (const [by, opening] of openings)
    for (const { chain, seq, hash } of opening?.continues ?? [])
      pins.set(chain, [...(pins.get(chain) ?? []), { by, seq, hash }]);
  return pins;
}

const KEY_MISSING =
  'the key of its MACs is gone: a line that was replaced along with all after it cannot be seen';

interface Known {
  readonly places: Places;
  readonly key: Buffer | null;
  readonly heads: readonly string[];
  readonly openings: ReadonlyMap<string, Opening | null>;
  readonly pins: ReadonlyMap<string, readonly Pin[]>;
}

/** Chains without a file that a head or another chain names. */
async function findRemoved({ places, key, heads, openings, pins }: Known): Promise<LedgerProblem[]> {
  const problems: LedgerProblem[] = [];
  for (const chain of new Set([...heads, ...pins.keys()])) {
    // A file list may miss a file created meanwhile.
    if (openings.has(chain) || existsSync(chainPath(places, chain))) continue;
    const found = await readHead(headPath(places, chain), chain, key);
    const seqs = [found?.head?.seq ?? 0, ...(pins.get(chain) ?? []).map(({ seq }) => seq)];
    const known = Math.max(...seqs);
    // A server killed while it began a chain leaves a head without a line.
    if (known === 0 && found?.isDamaged !== true) continue;
    const lines =
      known === 0 ? 'an unknown number of lines' : `${known} ${known === 1 ? 'line' : 'lines'} at least`;
    const message = `its file, with ${lines}, was removed`;
    problems.push({ damage: 'file_removed', chain, line: null, message });
  }
  return problems;
}

/** Chains that are shorter than browsers remember, unless another problem says so. */
function findShorter(
  remembered: readonly ChainEnd[],
  chains: readonly ChainReport[],
  problems: readonly LedgerProblem[],
): LedgerProblem[] {
  const longest = new Map<string, number>();
  for (const { chain, seq } of remembered) longest.set(chain, Math.max(seq, longest.get(chain) ?? 0));
  return [...longest].flatMap(([chain, seq]): LedgerProblem[] => {
    const known = problems.some(
      (one) => one.chain === chain && (one.line !== null || one.damage === 'file_removed'),
    );
    const sound = chains.find((one) => one.chain === chain)?.sound ?? null;
    if (known || (sound !== null && sound >= seq)) return [];
    const there = sound === null ? 'its file was removed' : `the file ends after line ${sound}`;
    const message = `it is shorter than the browser remembers: ${there}, and line ${seq} was written`;
    return [{ damage: 'shorter_than_remembered', chain, line: null, message }];
  });
}

type Damage =
  | 'altered'
  | 'inserted'
  | 'removed'
  | 'reordered'
  | 'truncated'
  | 'file_removed'
  | 'file_replaced'
  | 'head_removed'
  | 'head_damaged'
  | 'key_missing'
  | 'shorter_than_remembered';

export interface LedgerProblem {
  readonly damage: Damage;
  readonly chain: string;
  /** Line of the chain's file, from 1; null if the problem is not about a line. */
  readonly line: number | null;
  readonly message: string;
}

export interface ChainReport {
  readonly chain: string;
  /** Unaltered lines from the first on. */
  readonly sound: number;
  /** The last acknowledged line, by the head; null without a head. */
  readonly acknowledged: number | null;
  /** Time of the first and of the last sound line. */
  readonly first: string | null;
  readonly last: string | null;
  /** Bytes of a torn line, from a kill or a full disk. It was never acknowledged. */
  readonly torn_bytes: number;
  /** Lines at which the clock was set, or the machine slept. */
  readonly clock_steps: readonly { readonly line: number; readonly by_ms: number }[];
  readonly problems: readonly LedgerProblem[];
}

interface ChainCheck {
  readonly places: Places;
  readonly chain: string;
  /** Without it MACs are not checked. */
  readonly key: Buffer | null;
  /** Lines that later chains name. */
  readonly pins?: readonly Pin[];
  /** Called with each sound line, in order. */
  readonly onLine?: (line: Line, text: string) => void;
}

/** A line of this chain that another names. */
interface Pin extends Head {
  readonly by: string;
}

/** A clock that moved more than this between two lines was set, or the machine slept. */
const CLOCK_STEP_MS = 2_000;
const CLOCK_STEPS_MAX = 100;

/**
 * Reads one chain up to the first altered line. The head is read first, since its server may be writing: the
 * chain is never behind it.
 * @throws the disk's error
 */
async function checkChain(check: ChainCheck): Promise<ChainReport> {
  const { places, chain, key } = check;
  const head = await readHead(headPath(places, chain), chain, key);
  const reading = new LineChecks(check, head);
  for await (const line of readLines(chainPath(places, chain))) reading.take(line);
  return reading.end();
}

type Verdict = Pick<LedgerProblem, 'damage' | 'message'>;

class LineChecks {
  readonly #problems: LedgerProblem[] = [];
  readonly #steps: { line: number; by_ms: number }[] = [];
  #last: Line | null = null;
  #first: Line | null = null;
  #torn = 0;
  /** The line expected in place of the first one that does not fit. */
  #stop: { readonly at: number; verdict: Verdict } | null = null;

  constructor(
    private readonly check: ChainCheck,
    private readonly found: FoundHead | null,
  ) {}

  get #next(): number {
    return (this.#last?.seq ?? 0) + 1;
  }

  take(found: FoundLine): void {
    const line = found.text === null ? null : readLine(found.text);
    if (this.#stop !== null) return this.#lookFor(line);
    if (!found.hasEnded) return this.#takeTorn(found);
    const verdict = this.#judge(line);
    if (verdict !== null) this.#stop = { at: this.#next, verdict };
    else if (line !== null) this.#accept(line, found.text ?? '');
  }

  /** A missing line may be further down. */
  #lookFor(line: Line | null): void {
    const { at, verdict } = this.#stop ?? { at: 0, verdict: null };
    if (verdict?.damage !== 'removed' || line?.seq !== at || !this.#isOurs(line)) return;
    this.#stop = { at, verdict: { damage: 'reordered', message: `line ${at} is further down` } };
  }

  #takeTorn({ sizeBytes }: FoundLine): void {
    if (this.#next <= (this.found?.head?.seq ?? 0))
      this.#stop = {
        at: this.#next,
        verdict: { damage: 'truncated', message: 'the file ends within this line' },
      };
    else this.#torn = sizeBytes;
  }

  #isOurs({ hash, mac }: Line): boolean {
    const { key } = this.check;
    return key === null || isSameMac(mac, macOf(key, 'line', hash));
  }

  /** Why a line cannot be the next one; null if it can. */
  #judge(line: Line | null): Verdict | null {
    if (line === null) return { damage: 'altered', message: 'it is not as it was written' };
    if (!this.#isOurs(line))
      return {
        damage: 'inserted',
        message: 'no server of this home has written it: it was altered or inserted',
      };
    const next = this.#next;
    if (line.seq < next) return { damage: 'inserted', message: `it is line ${line.seq} again` };
    if (line.seq > next)
      return {
        damage: 'removed',
        message: line.seq === next + 1 ? 'it was removed' : `lines ${next} to ${line.seq - 1} were removed`,
      };
    if (line.prev !== (this.#last?.hash ?? NO_HASH))
      return { damage: 'inserted', message: 'it is a line of another chain' };
    const opening = next === 1 ? readOpening(line) : null;
    if (next === 1 && opening?.chain !== this.check.chain)
      return { damage: 'file_replaced', message: `the file is of the chain ${opening?.chain ?? '?'}` };
    return null;
  }

  #accept(line: Line, text: string): void {
    this.#noteClock(line);
    this.#first ??= line;
    this.#last = line;
    this.#comparePins(line);
    this.check.onLine?.(line, text);
  }

  #noteClock(line: Line): void {
    const before = this.#last;
    if (before === null || this.#steps.length >= CLOCK_STEPS_MAX) return;
    const wall = Date.parse(line.ts) - Date.parse(before.ts);
    const by = Math.round(wall - (line.offset_ms - before.offset_ms));
    if (Math.abs(by) > CLOCK_STEP_MS) this.#steps.push({ line: line.seq, by_ms: by });
  }

  #comparePins({ seq, hash }: Line): void {
    const head = this.found?.head;
    if (head?.seq === seq && head.hash !== hash)
      this.#add('altered', seq, 'its hash is not that of the head');
    for (const pin of this.check.pins ?? [])
      if (pin.seq === seq && pin.hash !== hash)
        this.#add('altered', seq, `its hash is not that which ${pin.by} names`);
  }

  #add(damage: Damage, line: number | null, message: string): void {
    this.#problems.push({ damage, chain: this.check.chain, line, message });
  }

  end(): ChainReport {
    const sound = this.#last?.seq ?? 0;
    if (this.#stop !== null) this.#add(this.#stop.verdict.damage, this.#stop.at, this.#stop.verdict.message);
    else this.#compareEnd(sound);
    if (this.found === null)
      this.#add('head_removed', null, 'its head was removed: a missing end cannot be seen');
    else if (this.found.isDamaged)
      this.#add('head_damaged', null, 'its head is damaged: a missing end may not be seen');
    return {
      chain: this.check.chain,
      sound,
      acknowledged: this.found?.head?.seq ?? null,
      first: this.#first?.ts ?? null,
      last: this.#last?.ts ?? null,
      torn_bytes: this.#torn,
      clock_steps: this.#steps,
      problems: this.#problems,
    };
  }

  /** A file that ends before a line that is known to have been written. */
  #compareEnd(sound: number): void {
    const known = [this.found?.head?.seq ?? 0, ...(this.check.pins ?? []).map(({ seq }) => seq)];
    const end = Math.max(...known);
    if (end > sound)
      this.#add(
        'truncated',
        sound + 1,
        `the file ends after line ${sound}, and line ${end} was acknowledged`,
      );
  }
}
