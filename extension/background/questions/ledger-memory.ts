import browser from 'webextension-polyfill';
import { z } from 'zod';
import { ChainEnds, MOST_ENDS, type ChainEnd } from '../../../shared/policy/question-methods.ts';

/** Key in `storage.local`: homes by name, the one whose ledger grew last at the end. */
const KEY = 'ledger_ends';
const MOST_HOMES = 16;

const Stored = z.array(z.object({ home: z.string(), ends: ChainEnds })).catch([]);
type Stored = z.infer<typeof Stored>;

let writing: Promise<unknown> = Promise.resolve();

async function read(): Promise<Stored> {
  const { [KEY]: stored } = await browser.storage.local.get(KEY);
  return Stored.parse(stored);
}

function change(home: string, changed: (ends: readonly ChainEnd[]) => readonly ChainEnd[]): Promise<void> {
  const written = writing.then(async () => {
    const homes = await read();
    const ends = changed(homes.find((one) => one.home === home)?.ends ?? []);
    const others = homes.filter((one) => one.home !== home);
    const kept = ends.length === 0 ? others : [...others, { home, ends }];
    await browser.storage.local.set({ [KEY]: kept.slice(-MOST_HOMES) });
  });
  writing = written.catch(() => undefined);
  return written;
}

/** Remembers the length of a chain in a home's ledger. A chain never gets shorter. */
export const rememberEnd = (home: string, { chain, seq }: ChainEnd): Promise<void> =>
  change(home, (ends) => {
    const known = ends.find((end) => end.chain === chain)?.seq ?? 0;
    const others = ends.filter((end) => end.chain !== chain);
    return [...others, { chain, seq: Math.max(seq, known) }].slice(-MOST_ENDS);
  });

/** The ends of the newest chains of a home's ledger. */
export async function rememberedEnds(home: string): Promise<readonly ChainEnd[]> {
  await writing;
  return (await read()).find((one) => one.home === home)?.ends ?? [];
}

/** A person has removed a home's ledger. */
export const forgetEnds = (home: string): Promise<void> => change(home, () => []);
