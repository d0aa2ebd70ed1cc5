import { REF_RANGE } from '../../../shared/read/page-lines.ts';
import type { ReadPageOptions } from '../../../shared/read/read_page.methods.ts';
import { wayTo } from '../../dom/trees.ts';
import { locateRef } from '../../find/page/locate/locate.ts';
import { PageError } from '../../dom/doorway.ts';
import type { ReadContext } from '../../core/page/protocol.ts';
import type { Refs } from '../../dom/refs.ts';
import { selectRoots } from '../../dom/select.ts';
import type { LinePlace } from './write/out.ts';

export interface Range {
  /** Empty for the whole document. */
  readonly roots: readonly Element[];
  /** Null starts at the beginning. */
  readonly from: LinePlace | null;
  readonly notes: readonly string[];
}

/**
 * The part to read, by the options and the document's place.
 * @throws PageError `selector_invalid`, `selector_not_found`, `invalid_argument`, and those of {@link locateRef}
 */
export function selectRange(
  document: Document,
  { selector, ref }: ReadPageOptions,
  { refs, context, viewer }: { readonly refs: Refs; readonly context: ReadContext; readonly viewer: string },
): Range {
  const roots = selector === null || !context.isTop ? [] : selectRoots(document, selector);
  if (ref == null) return { roots, from: null, notes: [] };
  const found = REF_RANGE.exec(ref);
  if (found === null)
    throw new PageError('invalid_argument', `ref: ${ref} is not a ref; pass e13, or e13.. for the rest.`);
  const notes: string[] = [];
  const locate = (one: string): Element => {
    const { el, note } = locateRef(one, { refs, viewer });
    if (note !== null) notes.push(note);
    return el;
  };
  const [, first = '', lines = '0', rest, last] = found;
  const el = locate(first);
  if (rest === undefined) return { roots: [el], from: null, notes };
  const bounds = last === undefined ? roots : [locate(last)];
  return { roots: bounds.slice(boundAround(el, bounds, ref)), from: { el, lines: Number(lines) }, notes };
}

/** Index of the root around an element. */
function boundAround(el: Element, roots: readonly Element[], ref: string): number {
  if (roots.length === 0) return 0;
  const way = new Set(wayTo(el));
  const at = roots.findIndex((root) => way.has(root));
  if (at !== -1) return at;
  throw new PageError('invalid_argument', `ref: ${ref} begins outside of the part that is read.`);
}
