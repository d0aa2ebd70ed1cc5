let isHiddenBySource: (el: Element) => boolean = () => false;

/**
 * Sets how documents that were only parsed are judged. A content script never sees one, and does
 * without the rules for them.
 */
export function judgeParsedBy(isHidden: (el: Element) => boolean): void {
  isHiddenBySource = isHidden;
}

/** How an element takes part in a name: not at all, or only through what is visible in it. */
export const VISIBILITY = { shown: 0, invisible: 1, gone: 2 } as const;
type Visibility = (typeof VISIBILITY)[keyof typeof VISIBILITY];

/** Judges an element whose parent is rendered. */
export function visibilityOf(el: Element): Visibility {
  // A document that was only parsed has no style to ask for.
  if (el.ownerDocument.defaultView === null) return isHiddenBySource(el) ? VISIBILITY.gone : VISIBILITY.shown;
  if (el.checkVisibility({ visibilityProperty: true })) return VISIBILITY.shown;
  const { display, visibility } = getComputedStyle(el);
  // `display: contents` has no box, and what is in it has.
  if (display === 'contents') return VISIBILITY.shown;
  return visibility !== 'visible' && el.checkVisibility() ? VISIBILITY.invisible : VISIBILITY.gone;
}

/** Whether a label or a referenced element is hidden, directly or by an ancestor. */
export function isHiddenRoot(el: Element): boolean {
  if (el.closest('[aria-hidden="true"]') !== null) return true;
  if (el.ownerDocument.defaultView !== null) return visibilityOf(el) !== VISIBILITY.shown;
  for (let up: Element | null = el; up !== null; up = up.parentElement) if (isHiddenBySource(up)) return true;
  return false;
}
