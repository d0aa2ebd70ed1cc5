import {
  childrenOf,
  isFolded,
  isElement,
  isImage,
  isInput,
  labelsOf,
  isOption,
  isSelect,
  isSlot,
  isSvg,
  isText,
  isTextarea,
  labelIdsOf,
  lookUp,
  treeOf,
  squash,
  summaryOf,
} from '../elements.ts';
import { flatChildren } from '../trees.ts';
import { isPlaceholderSeen } from '../contrast.ts';
import { transformText, generatedText } from '../generated-text.ts';
import { mayGenerate } from '../tree-styles.ts';
import { buttonFace, controlKind, isSecret, shownValue } from '../controls.ts';
import { RENDERING, isLeftOut, renderingOf, shownText } from '../visible.ts';
import { isPresentational, ariaValue, NAMELESS, roleOf } from './role.ts';

function isHiddenRoot(el: Element): boolean {
  if (el.closest('[aria-hidden="true"]') !== null) return true;
  if (el.ownerDocument.defaultView !== null) return renderingOf(el) !== RENDERING.whole;
  for (let up: Element | null = el; up !== null; up = up.parentElement)
    if (renderingOf(up) === RENDERING.none) return true;
  return false;
}

const RANGES = new Set('slider spinbutton scrollbar progressbar meter'.split(' '));

/**
 * A control inside a name contributes its value (accname 1.2, 2C). Null for any other element.
 * @param textOf the text inside an element
 */
function embeddedValue(el: Element, textOf: (part: Element) => string): string | null {
  switch (controlKind(el)) {
    case 'text':
    case 'choice':
      return isSecret(el) ? '' : fieldText(el);
    case 'meter':
      return ariaValue(el) || shownValue(el);
    case 'hidden':
      return '';
    case 'check':
    case 'radio':
    case 'button':
      return null;
    case null:
      // A slot has no name of its own.
      if (isSlot(el)) return textOf(el);
      return el.hasAttributes() ? valueByRole(el, textOf) : null;
  }
}

/** An empty field says what it is for. */
function fieldText(el: Element): string {
  if (isSelect(el)) return [...el.selectedOptions].map(({ label }) => label).join(' ');
  return shownValue(el) || el.getAttribute('aria-label') || hintOf(el);
}

function valueByRole(el: Element, textOf: (part: Element) => string): string | null {
  const role = el.getAttribute('role');
  if (role === null) return null;
  if (RANGES.has(role)) return ariaValue(el) || null;
  if (role === 'textbox' || role === 'searchbox') return textOf(el);
  if (role !== 'combobox' && role !== 'listbox') return null;
  const chosen = [...el.querySelectorAll('[role="option"][aria-selected="true"]')];
  return chosen.length > 0 || role === 'listbox' ? chosen.map(textOf).join(' ') : textOf(el);
}

/** Roles named from content (accname 1.2, 2F). */
const FROM_CONTENT = new Set(
  (
    'button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio ' +
    'rowheader switch tab term tooltip treeitem summary clickable draggable'
  ).split(' '),
);

/** Tables that the keyboard moves through; Chromium names the rows of no other. */
const GRIDS = '[role="grid"],[role="treegrid"]';
const TABLES = `table,[role="table"],${GRIDS}`;

const isFromContent = (el: Element, role: string): boolean =>
  FROM_CONTENT.has(role) || (role === 'row' && el.closest(TABLES)?.matches(GRIDS) === true);

/** No name needs more depth. */
const MAX_DEPTH = 40;

interface Visit {
  /** The element whose name this is: as a part of it, it counts by its label and not by its value. */
  readonly root: Element;
  /** Elements already counted: prevents loops and repetition. */
  readonly seen: Set<Element>;
  /** Inside an `aria-labelledby` target, whose own reference is not followed. */
  readonly isReferenced: boolean;
  /** Inside a label or reference that is hidden as a whole: its hidden parts count too. */
  readonly isHidden: boolean;
  /** A text as a part of the name. The name of an element that is hidden as a whole has its hidden texts. */
  readonly say: (node: Text) => string;
  readonly depth: number;
  /** Elements that the whole name may still visit: references count again. */
  readonly budget: { left: number };
}

/** No name needs more elements. */
const MAX_ELEMENTS = 10_000;

const startVisit = (root: Element): Visit => ({
  root,
  seen: new Set(),
  isReferenced: false,
  isHidden: false,
  say: isLeftOut(root) ? ({ data }) => data : shownText,
  depth: 0,
  budget: { left: MAX_ELEMENTS },
});
const deeper = (visit: Visit): Visit => ({ ...visit, depth: visit.depth + 1 });

/**
 * The accessible name of an element: aria-labelledby, aria-label, the host language's label (label, alt, caption,
 * legend, value), content, title, placeholder. Follows Accessible Name and Description Computation 1.2.
 */
export function computeName(el: Element, role: string): string {
  return isPresentational(role) ? '' : squash(compute(el, role, startVisit(el)));
}

function compute(el: Element, role: string, visit: Visit): string {
  const hasReferences = !visit.isReferenced && labelIdsOf(el) !== null;
  const referenced = hasReferences ? referencedText(referencesOf(el, 'labelledby'), visit) : '';
  if (referenced !== '') return referenced;
  if (el !== visit.root) {
    const value = embeddedValue(el, (part) => contentName(part, deeper(visit)));
    if (value !== null) return value;
  }
  const label = el.getAttribute('aria-label');
  if (label !== null && label.trim() !== '') return label;
  const native = nativeName(el, visit);
  if (native.trim() !== '') return native;
  const content = isFromContent(el, role) || visit.depth > 0 ? contentName(el, visit) : '';
  if (content.trim() !== '') return content;
  // White space alone parts words.
  return (NAMELESS.has(role) && !isInput(el) ? '' : hintOf(el)) || content;
}

/** The text of referenced elements; it counts here even if it was counted elsewhere. */
function referencedText(targets: readonly Element[], visit: Visit): string {
  const names = targets.map((target) => {
    const inner = { ...deeper(visit), seen: new Set<Element>(), isReferenced: true };
    const name = compute(target, '', { ...inner, isHidden: isHiddenRoot(target) });
    // The content after it must not repeat it.
    visit.seen.add(target);
    return name;
  });
  return squash(names.join(' '));
}

const SET_BY_SCRIPT = {
  labelledby: 'ariaLabelledByElements',
  describedby: 'ariaDescribedByElements',
  owns: 'ariaOwnsElements',
} as const;

/** The targets of `aria-labelledby`, `aria-describedby` or `aria-owns`: by id, or set by script. */
export function referencesOf(el: Element, kind: keyof typeof SET_BY_SCRIPT): Element[] {
  const given = kind === 'labelledby' ? labelIdsOf(el) : el.getAttribute(`aria-${kind}`);
  const ids = given?.trim() ?? '';
  if (ids === '') return [...(el[SET_BY_SCRIPT[kind]] ?? [])];
  const root = treeOf(el);
  return ids
    .split(/\s+/)
    .map((id) => root.getElementById(id))
    .filter((target) => target !== null);
}

/** The accessible description: `aria-describedby`, `aria-description`, or a tooltip that is not the name. */
export function descriptionOf(el: Element, name: string): string {
  if (!el.hasAttributes()) return '';
  const referenced = el.hasAttribute('aria-describedby')
    ? referencedText(referencesOf(el, 'describedby'), startVisit(el))
    : '';
  if (referenced !== '') return referenced;
  const own = squash(el.getAttribute('aria-description') ?? '');
  if (own !== '') return own;
  const title = squash(el.getAttribute('title') ?? '');
  return title === name ? '' : title;
}

function nativeName(el: Element, visit: Visit): string {
  if (isImage(el) || el.localName === 'area') return el.getAttribute('alt') ?? '';
  if (isOption(el)) return el.label;
  if (el.localName === 'optgroup') return el.getAttribute('label') ?? '';
  if (el === visit.root) {
    const name = labelNames(el, visit);
    if (name !== '') return name;
  }
  if (isInput(el) && controlKind(el) === 'button') return buttonName(el);
  const part = partName(el, visit);
  return part.trim() === '' && el.localName === 'table' ? (el.getAttribute('summary') ?? '') : part;
}

function labelNames(el: Element, visit: Visit): string {
  const labels = labelsOf(el);
  if (labels.length === 0) return '';
  // A control inside its own label is not part of its name.
  visit.seen.add(el);
  // A hidden label tells people nothing; a label hidden only from assistive technology does.
  const names = labels
    .filter((label) => renderingOf(label) === RENDERING.whole)
    .map((label) => compute(label, '', { ...deeper(visit), isHidden: isHiddenRoot(label) }));
  visit.seen.delete(el);
  return squash(names.join(' '));
}

/** The text of a control's labels, without that of the control in them. */
export const labelTextOf = (el: Element): string => labelNames(el, startVisit(el));

function buttonName(el: HTMLInputElement): string {
  const face = buttonFace(el);
  return face === '' && el.type === 'image' ? (el.getAttribute('title') ?? 'Submit') : face;
}

/** The child that names its parent; in SVG any element may have a title. */
const PARTS: Readonly<Record<string, string>> = {
  fieldset: 'legend',
  figure: 'figcaption',
  table: 'caption',
};

function partName(el: Element, visit: Visit): string {
  const part = isSvg(el) ? 'title' : lookUp(PARTS, el.localName);
  // A caption describes a figure; it is not the figure's content.
  if (part === undefined || (part === 'figcaption' && visit.depth > 0)) return '';
  const child = childrenOf(el).find(({ localName }) => localName === part);
  if (child === undefined || (part !== 'title' && renderingOf(child) !== RENDERING.whole)) return '';
  return contentName(child, deeper(visit));
}

/** Fields that show a placeholder while empty. */
const WITH_PLACEHOLDER = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number']);

/** The placeholder of a field, unless nobody can read it. */
export function placeholderOf(el: Element): string {
  const hasPlaceholder = isTextarea(el) || (isInput(el) && WITH_PLACEHOLDER.has(el.type));
  const placeholder = hasPlaceholder ? squash(el.getAttribute('placeholder') ?? '') : '';
  return placeholder !== '' && isPlaceholderSeen(el) ? placeholder : '';
}

function hintOf(el: Element): string {
  const title = el.getAttribute('title') ?? '';
  if (title.trim() !== '') return title;
  return placeholderOf(el) || (el.getAttribute('aria-placeholder') ?? '');
}

/** Separated by spaces in a document that was only parsed, and so has no style. */
const BLOCKS = new Set(
  'address article aside blockquote dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre rt section summary table td th tr ul'.split(
    ' ',
  ),
);

const UNNAMED = new Set('script style template noscript head datalist'.split(' '));

/** The text of an element's flattened children, without those that are hidden from assistive technology. */
export function contentName(el: Element, visit: Visit = startVisit(el)): string {
  if (visit.depth > MAX_DEPTH || visit.seen.has(el) || visit.budget.left <= 0) return '';
  visit.budget.left -= 1;
  visit.seen.add(el);
  if (el.ownerDocument.defaultView === null) return childNames(el, visit);
  const name = childNames(el, visit, getComputedStyle(el).textTransform);
  // Nothing is generated for what is not rendered.
  if (!mayGenerate(el) || (visit.isHidden && renderingOf(el) === RENDERING.none)) return name;
  return generatedText(el, '::before') + name + generatedText(el, '::after');
}

function childNames(el: Element, visit: Visit, transform = 'none'): string {
  const hasOnlySummary = !visit.isHidden && isFolded(el);
  const summary = hasOnlySummary ? summaryOf(el) : null;
  let name = '';
  for (const child of flatChildren(el, true)) {
    if (hasOnlySummary && child !== summary) continue;
    if (isText(child)) name += transformText(visit.isHidden ? child.data : visit.say(child), transform, el);
    else if (isElement(child)) name += childName(child, visit);
  }
  if (el.hasAttribute('aria-owns'))
    for (const owned of referencesOf(el, 'owns')) name += ` ${childName(owned, visit)} `;
  return name;
}

function childName(el: Element, visit: Visit): string {
  if (UNNAMED.has(el.localName) || isOwnedApart(el, visit) || isDecorative(el)) return '';
  if (el.localName === 'br') return ' ';
  const isSeen = visit.seen.has(el);
  if (!visit.isHidden) {
    if (el.getAttribute('aria-hidden') === 'true') return '';
    const visibility = renderingOf(el);
    if (visibility === RENDERING.none || (isSeen && visibility === RENDERING.partly)) return '';
    // Its children may be visible again.
    if (visibility === RENDERING.partly)
      return [...flatChildren(el, true)]
        .map((child) => (isElement(child) ? childName(child, visit) : ''))
        .join('');
  }
  // A control parts the words of its own label.
  const name = isSeen ? '' : compute(el, '', deeper(visit));
  // A decorative image does not separate words.
  if (name === '' && isPicture(el)) return '';
  return isApart(el) ? ` ${name} ` : name;
}

/** A submenu in a menu item and the items below a tree item have names of their own. */
function isOwnedApart(el: Element, { isReferenced }: Visit): boolean {
  const role = el.hasAttributes() ? el.getAttribute('role') : null;
  return (
    (role === 'menu' && !isReferenced) ||
    (role === 'group' && el.parentElement?.getAttribute('role') === 'treeitem')
  );
}

/** A picture without alternative text has no part in a name, even if it has a tooltip. */
const isDecorative = (el: Element): boolean =>
  isImage(el) &&
  (isPresentational(roleOf(el, 'img')) ||
    (el.getAttribute('alt') === '' && !el.hasAttribute('aria-label') && labelIdsOf(el) === null));

const isPicture = (el: Element): boolean => el.localName === 'img' || el.localName === 'svg';

function isApart(el: Element): boolean {
  if (isPicture(el)) return true;
  if (el.ownerDocument.defaultView === null) return BLOCKS.has(el.localName);
  const { display } = getComputedStyle(el);
  return display !== 'inline' && display !== 'contents';
}
