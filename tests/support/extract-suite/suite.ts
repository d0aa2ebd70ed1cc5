import { BLIND_DETAILS } from './blind-details.ts';
import { BLIND_LISTS } from './blind-lists.ts';
import { DEV_DETAILS } from './dev-details.ts';
import { DEV_KINDS } from './dev-kinds.ts';
import { DEV_KINDS_DETAILS } from './dev-kinds-details.ts';
import { DEV_KINDS_MORE } from './dev-kinds-more.ts';
import { DEV_LISTS } from './dev-lists.ts';
import { DEV_SITES_A } from './dev-sites-a.ts';
import { DEV_SITES_B } from './dev-sites-b.ts';
import { DEV_SITES_C } from './dev-sites-c.ts';
import { FRESH_SITES_A } from './fresh-sites-a.ts';
import { FRESH_SITES_B } from './fresh-sites-b.ts';
import { FRESH_SITES_C } from './fresh-sites-c.ts';
import { HELD_DETAILS } from './held-details.ts';
import { HELD_LISTS } from './held-lists.ts';
import { NEXT_LISTS } from './next-lists.ts';
import { NEXT_PAGES } from './next-pages.ts';
import { loadPublicPage, type LoadedCase, type PublicCase } from './public-case.ts';
import { PUBLIC_BLIND } from './public-blind.ts';
import { PUBLIC_DEV } from './public-dev.ts';
import { PUBLIC_DEV_SNAPSHOTS } from './public-dev-snapshots.ts';
import { PUBLIC_FRESH } from './public-fresh.ts';
import { PUBLIC_HELD } from './public-held.ts';
import { PUBLIC_NEXT } from './public-next.ts';
import { PUBLIC_UNSEEN } from './public-unseen.ts';
import { UNSEEN_DETAILS } from './unseen-details.ts';
import { UNSEEN_LISTS } from './unseen-lists.ts';

/** Rules may be written for pages of `dev`, `fresh`, `blind` and `unseen`, and never for those of `held` and `next`. */
export type SetName = 'dev' | 'held' | 'fresh' | 'blind' | 'unseen' | 'next';
export type Sets = Readonly<Record<SetName, readonly LoadedCase[]>>;

/** Our own pages. Those of `fresh` were drawn at random from the same pages as `DEV_SITES`, and were looked at once since. */
export const OWN: Sets = {
  dev: [
    ...DEV_DETAILS,
    ...DEV_LISTS,
    ...DEV_KINDS,
    ...DEV_KINDS_DETAILS,
    ...DEV_KINDS_MORE,
    ...DEV_SITES_A,
    ...DEV_SITES_B,
    ...DEV_SITES_C,
  ],
  held: [...HELD_DETAILS, ...HELD_LISTS],
  fresh: [...FRESH_SITES_A, ...FRESH_SITES_B, ...FRESH_SITES_C],
  blind: [...BLIND_DETAILS, ...BLIND_LISTS],
  unseen: [...UNSEEN_DETAILS, ...UNSEEN_LISTS],
  next: [...NEXT_LISTS, ...NEXT_PAGES],
};

/** Pages of public repositories, from a folder of clones; see `loadPublicPage`. */
export function loadPublic(folder: string): Sets {
  const load = (cases: readonly PublicCase[]): LoadedCase[] =>
    cases.map((one) => ({ ...one, html: loadPublicPage(one, folder) }));
  return {
    dev: load([...PUBLIC_DEV, ...PUBLIC_DEV_SNAPSHOTS]),
    held: load(PUBLIC_HELD),
    fresh: load(PUBLIC_FRESH),
    blind: load(PUBLIC_BLIND),
    unseen: load(PUBLIC_UNSEEN),
    next: load(PUBLIC_NEXT),
  };
}
