import { cut } from '../../../shared/cut.ts';
import { PageError } from '../page-error.ts';
import { REF, type Refs } from '../refs.ts';
import { selectRoots } from '../select.ts';

/** An element that a target names. */
export interface LocatedElement {
  readonly el: Element;
  /** How it was found again after the page had replaced it, for the receipt; null for the very element. */
  readonly note: string | null;
}

/** Who asks, and what the document remembers of what it was shown. */
export interface Locating {
  readonly refs: Refs;
  /** `Caller.session` */
  readonly viewer: string;
}

/**
 * The elements of this document, its shadow trees and its frames of the same origin that a selector names, in
 * document order: `css=`.
 *
 * @throws PageError `selector_invalid`
 */
export function locateAll(document: Document, selector: string): Element[] {
  const css = /^css=(.+)$/s.exec(selector)?.[1];
  if (css === undefined)
    throw new PageError(
      'selector_invalid',
      `target: ${JSON.stringify(selector)} has no engine, such as css=.`,
    );
  try {
    return selectRoots(document, css);
  } catch (thrown) {
    if (thrown instanceof PageError && thrown.code === 'selector_not_found') return [];
    throw thrown;
  }
}

/**
 * The element of a ref that this session was shown.
 *
 * @throws PageError `ref_not_found` for one that it was never shown, `stale_ref` when the element is gone and
 * nothing can be taken for it without doubt
 */
export function locateRef(ref: string, { refs, viewer }: Locating): LocatedElement {
  if (!REF.test(ref) || !refs.wasShown(ref, viewer))
    throw new PageError('ref_not_found', `Ref ${cut(ref, 40)} was never shown to you.`);
  const el = refs.resolve(ref);
  if (el === null)
    throw new PageError('stale_ref', `${document.URL} no longer has the element of ref ${ref}.`);
  return { el, note: null };
}
