import lists from './site-lists.json';

/**
 * The shipped lists, by their name in rules (`@banking`): sites on which a mistake costs more than elsewhere. A
 * host stands for itself and all below it. The lists are a start and not complete: people switch entries off
 * and add their own, see docs/approvals.md.
 */
export const SITE_LISTS: Readonly<Record<SiteListName, readonly string[]>> = lists;
export type SiteListName = keyof typeof lists;
export const SITE_LIST_NAMES = [
  'payment',
  'banking',
  'password_manager',
  'identity',
] as const satisfies readonly SiteListName[];
