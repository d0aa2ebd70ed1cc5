import { headPath, listChains, type Places } from './places.ts';
import { readHead } from './head.ts';
import type { Link } from './lines.ts';
import { openingOf } from './opening.ts';

/** Chains that are looked at: enough for servers that start at the same time. */
const NEWEST = 16;

/**
 * The ends of the newest chains that no other chain names yet. A new chain names them in its first line: from then
 * on they cannot be removed, or cut before that end, without that line telling.
 */
export async function findPredecessors(places: Places, key: Buffer): Promise<Link[]> {
  const chains = (await listChains(places)).slice(-NEWEST);
  // What cannot be read is for `verify` to say.
  const openings = await Promise.all(chains.map((chain) => openingOf(places, chain).catch(() => null)));
  const named = new Set(openings.flatMap((opening) => opening?.continues.map(({ chain }) => chain) ?? []));
  const links = chains
    .filter((chain) => !named.has(chain))
    .map(async (chain): Promise<Link[]> => {
      const head = (await readHead(headPath(places, chain), chain, key))?.head ?? null;
      return head === null || head.seq === 0 ? [] : [{ chain, ...head }];
    });
  return (await Promise.all(links)).flat();
}
