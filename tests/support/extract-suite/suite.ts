import { DEV_DETAILS } from './dev-details.ts';
import { MORE_DEV_DETAILS } from './dev-details-more.ts';
import { DEV_LISTS } from './dev-lists.ts';
import { HELD } from './held.ts';
import { NEXT } from './next.ts';
import { loadPublicPage, type LoadedCase, type PublicCase } from './public-case.ts';
import { MORE_PUBLIC_DEV_SNAPSHOTS } from './public-dev-snapshots-more.ts';
import { PUBLIC_DEV_SNAPSHOTS } from './public-dev-snapshots.ts';
import { PUBLIC_DEV } from './public-dev.ts';
import { PUBLIC_HELD } from './public-held.ts';
import { PUBLIC_NEXT } from './public-next.ts';

/** Rules may be written for pages of `dev`, and never for those of `held` and `next`. */
export type SetName = 'dev' | 'held' | 'next';
export type Sets = Readonly<Record<SetName, readonly LoadedCase[]>>;

/** Our own pages. Each of `dev` finds mistakes of the rules that few others find. */
export const OWN: Sets = { dev: [...DEV_DETAILS, ...MORE_DEV_DETAILS, ...DEV_LISTS], held: HELD, next: NEXT };

/** Pages of public repositories, from a folder of clones; see `loadPublicPage`. */
export function loadPublic(folder: string): Sets {
  const load = (cases: readonly PublicCase[]): LoadedCase[] =>
    cases.map((one) => ({ ...one, html: loadPublicPage(one, folder) }));
  return {
    dev: load([...PUBLIC_DEV, ...PUBLIC_DEV_SNAPSHOTS, ...MORE_PUBLIC_DEV_SNAPSHOTS]),
    held: load(PUBLIC_HELD),
    next: load(PUBLIC_NEXT),
  };
}
