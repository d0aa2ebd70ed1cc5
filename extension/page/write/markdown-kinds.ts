import { escapeMarkdown } from './escape.ts';

/** What is done when an element is left. */
export type End = (() => void) | null;

/** Kinds that are part of a line unless style makes blocks of them. */
export const INLINE_KINDS = new Set(
  (
    'b strong i em cite dfn var del s strike code kbd samp tt a q sup sub rt rp img canvas video audio svg math input ' +
    'select textarea meter progress button'
  ).split(' '),
);

/** Text inside square brackets. */
export function escapeLabel(text: string): string {
  return escapeMarkdown(text.trim().replace(/\s+/g, ' '), ' ').replace(/\]/g, '\\]');
}

/** Ends what was begun, then sets off what follows; at once where nothing is inside. */
export function endWith(end: End | false, after: () => void): End | false {
  if (end === false) {
    after();
    return false;
  }
  return () => {
    end?.();
    after();
  };
}
