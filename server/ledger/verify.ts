import { existsSync } from 'node:fs';
import { SpillwayError } from '../../shared/errors.ts';
import type { ChainEnd } from '../../shared/policy/question-methods.ts';
import { messageOf } from '../../shared/message-of.ts';
import { isMissing } from '../machine/errno.ts';
import { checkChain, type ChainReport, type LedgerProblem, type Pin } from './check-chain.ts';
import { readHead } from './head.ts';
import { readKey } from '../machine/key-file.ts';
import {
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
} from './lines.ts';

export interface LedgerReport {
  readonly ok: boolean;
  readonly folder: string;
  /** Sound lines of all chains. */
  readonly lines: number;
  readonly chains: readonly ChainReport[];
  readonly problems: readonly LedgerProblem[];
}

/** Called with each sound line, chain by chain. */
export type OnLine = (line: Line, text: string, chain: string) => void;

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
    throw new SpillwayError(
      'store_read_failed',
      `The ledger ${places.chains} cannot be read (${messageOf(thrown)}).`,
      { hint: 'Check that ledger and ledger-heads in --home are readable.', cause: thrown },
    );
  }
}

async function check(places: Places, onLine: OnLine, remembered: readonly ChainEnd[]): Promise<LedgerReport> {
  // Heads first: a chain that begins meanwhile then has no head that is looked for.
  const heads = await listHeads(places);
  const listed = await listChains(places);
  const key = await readKey(places.heads);
  const openings = new Map<string, Opening | null>();
  for (const chain of listed) {
    // A server that cannot begin a chain removes its file again.
    const opening = await openingOf(places, chain).catch(undefinedIfMissing);
    if (opening !== undefined) openings.set(chain, opening);
  }
  const names = new Set(openings.keys());
  const pins = pinsOf(openings);
  const problems: LedgerProblem[] = [];
  const chains: ChainReport[] = [];
  for (const chain of names) {
    const opening = openings.get(chain) ?? null;
    const isKnown = key !== null && (opening === null || opening.key === keyIdOf(key));
    if (!isKnown) problems.push(keyMissing(chain));
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
  problems.push(...(await findRemoved({ places, key, heads, names, pins })));
  problems.push(...findShorter(remembered, chains, problems));
  const lines = chains.reduce((sum, { sound }) => sum + sound, 0);
  return { ok: problems.length === 0, folder: places.chains, lines, chains, problems };
}

function undefinedIfMissing(thrown: unknown): undefined {
  if (!isMissing(thrown)) throw thrown;
}

/** Chain → the lines of it that other chains name. */
function pinsOf(openings: ReadonlyMap<string, Opening | null>): Map<string, Pin[]> {
  const pins = new Map<string, Pin[]>();
  for (const [by, opening] of openings)
    for (const { chain, seq, hash } of opening?.continues ?? [])
      pins.set(chain, [...(pins.get(chain) ?? []), { by, seq, hash }]);
  return pins;
}

const keyMissing = (chain: string): LedgerProblem => ({
  damage: 'key_missing',
  chain,
  line: null,
  message: 'the key of its MACs is gone: a line that was replaced along with all after it cannot be seen',
});

interface Known {
  readonly places: Places;
  readonly key: Buffer | null;
  readonly heads: readonly string[];
  readonly names: ReadonlySet<string>;
  readonly pins: ReadonlyMap<string, readonly Pin[]>;
}

/** Chains of which a head or another chain tells, and that have no file. */
async function findRemoved({ places, key, heads, names, pins }: Known): Promise<LedgerProblem[]> {
  const problems: LedgerProblem[] = [];
  for (const chain of new Set([...heads, ...pins.keys()])) {
    // A list of files may miss one that is made meanwhile.
    if (names.has(chain) || existsSync(chainPath(places, chain))) continue;
    const found = await readHead(headPath(places, chain), chain, key);
    const seqs = [found?.head?.seq ?? 0, ...(pins.get(chain) ?? []).map(({ seq }) => seq)];
    const known = Math.max(...seqs);
    // A server that was killed as it began a chain leaves the head of one that has no line.
    if (known === 0 && found?.isDamaged !== true) continue;
    const lines =
      known === 0 ? 'an unknown number of lines' : `${known} ${known === 1 ? 'line' : 'lines'} at least`;
    problems.push({
      damage: 'file_removed',
      chain,
      line: null,
      message: `its file, with ${lines}, was removed`,
    });
  }
  return problems;
}

/** Chains that browsers remember longer than they are, unless another problem says so. */
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
