import { isElement, isOption, isText, squash } from './elements.ts';
import { parentAcross, flatChildren } from './trees.ts';
import { isEmpty } from './box-area.ts';
import { isPlaceholderSeen } from './contrast.ts';
import { isListed } from './controls.ts';
import { innerBoxes } from './drawn.ts';

export { mayBeShown } from './drawn.ts';
import { LayoutVisibility, type VisibilityChecker } from './layout-visibility.ts';
import { Judge, isLive } from './sight.ts';

/**
 * Whether a person sees a part of a page. Each reader uses one of three levels by its name.
 *
 * - _Rendered_: style gives it a box, or its parts have one. It may be transparent, covered, or cut away.
 * - _Shown_: a person sees it, here or after scrolling. Texts that stand for a visual count; see `stand-ins.ts`.
 * - _Reachable_: it is rendered with a size, so that input can be sent to it. Its paint does not matter: pages put
 *   transparent controls over what they draw.
 */
export const RENDERING = { whole: 0, partly: 1, none: 2 } as const;

/** `partly` means that only its descendants may be visible. */
export type Rendering = (typeof RENDERING)[keyof typeof RENDERING];

interface Parsed {
  readonly create: () => VisibilityChecker;
  readonly isHidden: (el: Element) => boolean;
}

let parsed: Parsed | null = null;

/**
 * Sets how visibility is judged in documents that were only parsed. Content scripts never see one, and omit these
 * rules.
 */
export function judgeParsedBy(judge: Parsed): void {
  parsed = judge;
}

/** How an element itself is rendered; its ancestors' opacity, clips and covers do not count. */
export function renderingOf(el: Element): Rendering {
  if (!isLive(el)) return parsed?.isHidden(el) === true ? RENDERING.none : RENDERING.whole;
  if (el.checkVisibility({ visibilityProperty: true })) return RENDERING.whole;
  const { display, visibility } = getComputedStyle(el);
  // `display: contents` has no box, but its children do.
  if (display === 'contents') return RENDERING.whole;
  return visibility !== 'visible' && el.checkVisibility() ? RENDERING.partly : RENDERING.none;
}

/** Whether an element is rendered. Options of a collapsed list are rendered as the list is. */
export function isRendered(el: Element): boolean {
  for (let at: Element | null = el; at !== null; at = parentAcross(at)) {
    const list: Element | null = isOption(at) && isListed(at) ? at.closest('select') : null;
    if (list !== null) at = list;
    if (renderingOf(at) !== RENDERING.whole) return false;
    // Without a box of its own it is where its parent is.
    if (!isLive(at) || at.checkVisibility()) return true;
  }
  return true;
}

/**
 * Whether input can be sent to an element, here or after scrolling. A hit test decides at a point.
 * @param belongs decides whether a part of it takes input for it
 */
export function isReachable(el: Element, belongs?: (part: Element) => boolean): boolean {
  const isDrawn = el.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false });
  if (isDrawn && !isEmpty(el.getBoundingClientRect())) return true;
  return innerBoxes(el, belongs).next().done !== true;
}

let sight: Judge | null = null;
let parsedSight: Judge | null = null;

/** Style and layout cannot change before this code has returned. */
function sightFor(node: Node): Judge {
  if (!isLive(node)) return (parsedSight ??= forTask(new Judge((parsed?.create ?? createLive)())));
  return (sight ??= forTask(new Judge(createLive())));
}

const createLive = (): VisibilityChecker => new LayoutVisibility(false);

function forTask(made: Judge): Judge {
  queueMicrotask(() => {
    forgetSight();
    parsedSight = null;
  });
  return made;
}

/** Call where the style of the page changes within a task. */
export function forgetSight(): void {
  sight?.end();
  sight = null;
}

/** While `work` runs, hidden parts count as shown, for a caller who asked for them. */
export function seeingAll<T>(work: () => T): T {
  sight = new Judge(new LayoutVisibility(true), true);
  try {
    return work();
  } finally {
    forgetSight();
  }
}

/** Whether a person sees an element or a part of it, here or after scrolling. */
export const isShown = (el: Element): boolean => el.isConnected && sightFor(el).isShown(el);

/** The part of a text that a person sees; empty for none. */
export const shownText = (node: Text): string => sightFor(node).textOf(node);

/** Whether a person sees the text directly in an element, or the value of a field. */
export const isTextShown = (el: Element): boolean => sightFor(el).isTextShown(el);

/** Whether the text directly in an element is shown itself: a text for screen readers alone stands for a visual. */
export const isTextInSight = (el: Element): boolean => sightFor(el).isTextInSight(el);

/** Much of a text is never asked for. */
const MAX_UNITS = 4_000;

/** The text of an element that a person sees, white space collapsed; the beginning of a long one. */
export function shownTextIn(el: Element): string {
  const judge = sightFor(el);
  let text = '';
  const add = (node: Element): void => {
    for (const child of flatChildren(node, true)) {
      if (text.length > MAX_UNITS) return;
      if (isText(child)) text += judge.textOf(child);
      if (!isElement(child) || judge.isLeftOut(child)) continue;
      const isApart = judge.isApart(child);
      if (isApart) text += ' ';
      add(child);
      if (isApart) text += ' ';
    }
  };
  add(el);
  return squash(text);
}

/** Attributes whose text people read, or hear by assistive technology. */
const SAID =
  /^(?:title|alt|placeholder|summary|aria-(?:label|description|placeholder|roledescription|valuetext))$/;

/** Whether an attribute may be said of an element: a text, only if the element is shown. */
export const isAttributeShown = (el: Element, name: string): boolean =>
  !SAID.test(name) || (isShown(el) && (name !== 'placeholder' || isPlaceholderSeen(el)));

/** Whether style around an element, or its own, hides it with all its parts. Nothing in it is shown. */
export const isLeftOut = (el: Element): boolean => sightFor(el).isLeftOut(el);

/** Hidden from assistive technology: not rendered, or hidden by an ancestor. */
export function isHiddenAcross(el: Element): boolean {
  for (let up: Element | null = el; up !== null; up = parentAcross(up))
    if (up.getAttribute('aria-hidden')?.toLowerCase() === 'true') return true;
  return !isRendered(el);
}
