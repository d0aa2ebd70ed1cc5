import { z } from 'zod';
import { RISKS } from './names.ts';

export const Risk = z.enum(RISKS);
export type Risk = z.infer<typeof Risk>;

/**
 * Each method declares its policy.
 * - `nothing`: it neither reads a page nor changes anything of a person's.
 * - `tab`: the page of `tab_id` is judged before the handler runs, and the handler has each further document
 *   judged.
 * - `page`: the same, once the first page of a new tab has arrived.
 * - `handler`: only the handler knows which documents its params concern.
 */
export type MethodPolicy =
  | { readonly judged: 'nothing' }
  | { readonly judged: 'tab' | 'page' | 'handler'; readonly risks: readonly Risk[] };

const NOTHING_TO_JUDGE = { judged: 'nothing' } as const satisfies MethodPolicy;

/** The page of `tab_id` is read. */
export const READS_PAGE = { judged: 'page', risks: ['read'] } as const satisfies MethodPolicy;
/** The same, or events of the tab: it need not have a page yet. */
export const READS_TAB = { judged: 'tab', risks: ['read'] } as const satisfies MethodPolicy;

/** A method that no rule covers. */
export const unjudged = <Params, Result>(params: Params, result: Result) =>
  ({ policy: NOTHING_TO_JUDGE, params, result }) as const;
