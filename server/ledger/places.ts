import { join } from 'node:path';
import { namesIn } from '../machine/names-in.ts';

/** Where the ledger of a home is. */
export interface Places {
  /** One file a chain. */
  readonly chains: string;
  /** Ends of the chains and the key, apart from them: what is done to one folder shows in the other. */
  readonly heads: string;
}

const CHAIN_ENDING = '.jsonl';
const HEAD_ENDING = '.head';

export const placesOf = (home: string): Places => ({
  chains: join(home, 'ledger'),
  heads: join(home, 'ledger-heads'),
});

export const chainPath = ({ chains }: Places, chain: string): string =>
  join(chains, `${chain}${CHAIN_ENDING}`);
export const headPath = ({ heads }: Places, chain: string): string => join(heads, `${chain}${HEAD_ENDING}`);

/** Names of the chains that have a file, oldest first as far as their clock was right. */
export const listChains = ({ chains }: Places): Promise<string[]> => listNames(chains, CHAIN_ENDING);
/** Names of the chains that have a head. */
export const listHeads = ({ heads }: Places): Promise<string[]> => listNames(heads, HEAD_ENDING);

async function listNames(folder: string, ending: string): Promise<string[]> {
  const files = await namesIn(folder);
  return files
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();
}
