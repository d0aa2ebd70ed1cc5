import { stat } from 'node:fs/promises';
import { waitAtMost } from '../../shared/async/wait.ts';
import type { ChainEnd } from '../../shared/policy/chain-ends.ts';
import type { LedgerPage } from '../core/ledger.ts';
import { chainPath, headPath, listChains, listHeads, placesOf } from './places.ts';
import { readLedger, type LedgerReport } from './verify.ts';

/** How long a page waits for the check. */
const WAIT_MS = 2_000;
/** A check that took long is made again only after so many times as long. */
const REST = 10;
/** Problems that a page names; `spillway ledger verify` names all. */
const PROBLEMS_MAX = 20;

type Verdict = Pick<LedgerPage, 'is_intact' | 'is_shorter' | 'problems'>;

const UNKNOWN: Verdict = { is_intact: null, is_shorter: false, problems: [] };

/** Checks the whole ledger in the background, once for each state that it is in. */
export class LedgerCheck {
  readonly #home: string;
  #working: Promise<void> | null = null;
  #verdict: Verdict = UNKNOWN;
  /** What the files were like when they were checked. */
  #checked: string | null = null;
  #restsUntil = 0;
  /** What the browser remembered that asked last. */
  #asked = '';

  constructor(home: string) {
    this.#home = home;
  }

  /** @param remembered what the browser remembers that asks */
  start(remembered: readonly ChainEnd[]): void {
    this.#working ??= this.#work(remembered).finally(() => {
      this.#working = null;
    });
  }

  /** What is known; nothing while it is being checked for longer than a page can wait. */
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

  async #work(remembered: readonly ChainEnd[]): Promise<void> {
    const asked = JSON.stringify(remembered);
    if (performance.now() < this.#restsUntil && asked === this.#asked) return;
    const startedAt = performance.now();
    this.#asked = asked;
    try {
      const state = `${asked}\n${await this.#state()}`;
      if (state === this.#checked) return;
      this.#verdict = verdictOf(await readLedger(this.#home, undefined, remembered));
      this.#checked = state;
    } catch {
      // The page says what cannot be read.
      this.#verdict = UNKNOWN;
    }
    const endedAt = performance.now();
    this.#restsUntil = endedAt + (endedAt - startedAt) * REST;
  }

  /** Names, sizes and times of all files. */
  async #state(): Promise<string> {
    const places = placesOf(this.#home);
    const paths = [
      ...(await listChains(places)).map((chain) => chainPath(places, chain)),
      ...(await listHeads(places)).map((chain) => headPath(places, chain)),
    ];
    const facts = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
    return paths.map((path, at) => `${path} ${facts[at]?.size} ${facts[at]?.mtimeMs}`).join('\n');
  }
}

function verdictOf({ ok, problems }: LedgerReport): Verdict {
  return {
    is_intact: ok,
    is_shorter: problems.some(({ damage }) => damage === 'shorter_than_remembered'),
    problems: problems.slice(0, PROBLEMS_MAX).map(({ chain, line, message }) => {
      const where = [chain === null ? [] : [chain], line === null ? [] : [`line ${line}`]].flat().join(', ');
      return where === '' ? message : `${where}: ${message}`;
    }),
  };
}
