import { DEV_DETAILS } from './dev-details.ts';
import { DEV_KINDS } from './dev-kinds.ts';
import { DEV_KINDS_DETAILS } from './dev-kinds-details.ts';
import { DEV_KINDS_MORE } from './dev-kinds-more.ts';
import { DEV_LISTS } from './dev-lists.ts';
import { HELD_DETAILS } from './held-details.ts';
import { HELD_LISTS } from './held-lists.ts';
import { loadPublicPage, type LoadedCase, type PublicCase } from './public-case.ts';
import { PUBLIC_DEV } from './public-dev.ts';
import { PUBLIC_HELD } from './public-held.ts';

/** Our own pages. Rules may be written for those of `dev`, and never for those of `held`. */
export const OWN: Readonly<Record<'dev' | 'held', readonly LoadedCase[]>> = {
  dev: [...DEV_DETAILS, ...DEV_LISTS, ...DEV_KINDS, ...DEV_KINDS_DETAILS, ...DEV_KINDS_MORE],
  held: [...HELD_DETAILS, ...HELD_LISTS],
};

/** Pages of public repositories, from a folder of clones; see `loadPublicPage`. */
export function loadPublic(folder: string): Readonly<Record<'dev' | 'held', readonly LoadedCase[]>> {
  const load = (cases: readonly PublicCase[]): LoadedCase[] =>
    cases.map((one) => ({ ...one, html: loadPublicPage(one, folder) }));
  return { dev: load(PUBLIC_DEV), held: load(PUBLIC_HELD) };
}
