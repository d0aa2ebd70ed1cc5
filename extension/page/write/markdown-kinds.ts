import { escapeMarkdown, linkDestination } from './escape.ts';
import type { Mark } from './inline.ts';
import type { End } from './writer.ts';

/** Kinds that are written between two marks. */
export const MARKS: ReadonlyMap<string, string> = new Map([
  ['b', '**'],
  ['strong', '**'],
  ['i', '*'],
  ['em', '*'],
  ['cite', '*'],
  ['dfn', '*'],
  ['var', '*'],
  ['del', '~~'],
  ['s', '~~'],
  ['strike', '~~'],
]);

/** Kinds of blocks whose white space counts. */
export const PREFORMATTED = new Set(['pre', 'listing', 'xmp', 'plaintext']);

export const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

/** Kinds that are part of a line unless style makes blocks of them. */
export const INLINE_KINDS = new Set(
  (
    'b strong i em cite dfn var del s strike code kbd samp tt a q sup sub rt rp img canvas video audio svg math input ' +
    'select textarea meter progress button'
  ).split(' '),
);

/** A link or a button around text; its label may not end early. */
export const linkMark = (url: string): Mark => ({
  kind: 'link',
  open: '[',
  close: `](${linkDestination(url)})`,
});

/** Text inside square brackets. */
export function escapeLabel(text: string): string {
  return escapeMarkdown(text.trim().replace(/\s+/g, ' '), ' ', ']', true);
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
