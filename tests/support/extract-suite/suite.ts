import { loadPages } from './case.ts';
import { loadPublicPage, readPublic, type LoadedCase } from './public-case.ts';

/** Rules may be written for pages of `dev`, and never for those of `held` and `next`. */
export const SETS = ['dev', 'held', 'next'] as const;
export type SetName = (typeof SETS)[number];

/** Our own pages, of `fixtures/extract`. */
export const loadOwn = (set: SetName): readonly LoadedCase[] => loadPages(set);

/** Pages of public repositories, from a folder of clones; see `loadPublicPage`. */
export const loadPublic = (set: SetName, folder: string): readonly LoadedCase[] =>
  readPublic(`${set}.txt`).map((one) => ({ ...one, html: loadPublicPage(one, folder) }));
