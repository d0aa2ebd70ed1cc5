import {
  isDocument,
  isShadowRoot,
  isImage,
  isInput,
  isLabelable,
  isSlot,
  isText,
  isElement,
  shadowRootOf,
  squash,
} from '../dom.ts';
import { isHiddenBySource } from '../walk/source-eyes.ts';
import { buttonFace, controlKind, isSecret, shownValue } from '../write/controls.ts';

/** Roles that are named by what they hold (accname 1.2, 2F). */
const FROM_CONTENT = new Set(
  (
    'button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row ' +
    'rowheader switch tab tooltip treeitem summary clickable caption'
  ).split(' '),
);

/** Nothing needs to look deeper for a name. */
const MAX_DEPTH = 40;

interface Visit {
  /** Elements that have been counted already: no loops, nothing twice. */
  readonly seen: Set<Element>;
  /** Inside a label or a reference: controls answer their value. */
  readonly embedded: boolean;
  readonly depth: number;
}

/**
 * The accessible name of an element, for the cases that pages use: aria-labelledby, aria-label, the
 * host language's label (label, alt, caption, legend, value), content, title, placeholder.
 * Follows Accessible Name and Description Computation 1.2.
 */
export function nameOf(el: Element, role: string): string {
  return squash(compute(el, role, { seen: new Set(), embedded: false, depth: 0 }, false));
}

function compute(el: Element, role: string, visit: Visit, isReferenced: boolean): string {
  if (!isReferenced) {
    const referenced = labelledBy(el, visit);
    if (referenced !== '') return referenced;
  }
  if (visit.embedded) {
    const value = embeddedValue(el);
    if (value !== null) return value;
  }
  const label = el.getAttribute('aria-label');
  if (label !== null && label.trim() !== '') return label;
  const native = nativeName(el, visit);
  if (native !== '') return native;
  if (FROM_CONTENT.has(role) || visit.depth > 0) {
    const content = contentName(el, visit);
    if (content.trim() !== '') return content;
  }
  return (
    el.getAttribute('title') ?? el.getAttribute('placeholder') ?? el.getAttribute('aria-placeholder') ?? ''
  );
}

function labelledBy(el: Element, visit: Visit): string {
  const ids = el.getAttribute('aria-labelledby');
  if (ids === null || visit.depth > 0) return '';
  const root = el.getRootNode();
  const names: string[] = [];
  for (const id of ids.trim().split(/\s+/)) {
    const target = byId(root, id);
    if (target !== null) names.push(compute(target, '', deeper(visit, true), true));
  }
  return squash(names.join(' '));
}

function byId(root: Node, id: string): Element | null {
  return isDocument(root) || isShadowRoot(root)
    ? root.getElementById(id)
    : (root.ownerDocument?.getElementById(id) ?? null);
}

function deeper(visit: Visit, embedded: boolean): Visit {
  return { seen: visit.seen, embedded: visit.embedded || embedded, depth: visit.depth + 1 };
}

function embeddedValue(el: Element): string | null {
  const kind = controlKind(el);
  if (kind === 'text' || kind === 'choice' || kind === 'meter') return isSecret(el) ? '' : shownValue(el);
  return kind === 'check' || kind === 'radio' || kind === 'hidden' ? '' : null;
}

function nativeName(el: Element, visit: Visit): string {
  if (isImage(el) || el.localName === 'area') return el.getAttribute('alt') ?? '';
  if (isInput(el) && controlKind(el) === 'button') return buttonFace(el);
  if (isLabelable(el) && visit.depth === 0) {
    // A control inside its own label is no part of its name.
    visit.seen.add(el);
    const names = [...(el.labels ?? [])].map((label) => compute(label, '', deeper(visit, true), true));
    const name = squash(names.join(' '));
    if (name !== '') return name;
    visit.seen.delete(el);
  }
  const part = PARTS[el.localName];
  if (part === undefined) return '';
  for (let child = el.firstElementChild; child !== null; child = child.nextElementSibling)
    if (child.localName === part) return contentName(child, deeper(visit, false));
  return '';
}

/** The child that names its parent. */
const PARTS: Readonly<Record<string, string>> = {
  fieldset: 'legend',
  figure: 'figcaption',
  table: 'caption',
  svg: 'title',
};

const BLOCKS = new Set(
  'address article aside blockquote br dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul'.split(
    ' ',
  ),
);

const UNNAMED = new Set('script style template noscript head datalist textarea select'.split(' '));

/** The text of an element's flattened children, those that assistive technology does not see left out. */
export function contentName(
  el: Element,
  visit: Visit = { seen: new Set(), embedded: false, depth: 0 },
): string {
  if (visit.depth > MAX_DEPTH || visit.seen.has(el)) return '';
  visit.seen.add(el);
  const only = el.firstChild;
  if (only !== null && only.nextSibling === null && isText(only) && el.shadowRoot === null) return only.data;
  let name = '';
  for (const child of childrenOf(el)) {
    if (isText(child)) name += child.data;
    else if (isElement(child)) name += childName(child, visit);
  }
  return name;
}

function childrenOf(el: Element): Iterable<Node> {
  const root = shadowRootOf(el, true);
  if (root !== null) return root.childNodes;
  if (isSlot(el)) {
    const assigned = el.assignedNodes();
    if (assigned.length > 0) return assigned;
  }
  return el.childNodes;
}

function childName(el: Element, visit: Visit): string {
  if (visit.seen.has(el) || el.getAttribute('aria-hidden') === 'true' || isUnrendered(el)) return '';
  if (UNNAMED.has(el.localName) && !visit.embedded) return '';
  const name = compute(el, '', deeper(visit, false), false);
  const isApart = BLOCKS.has(el.localName) || el.localName === 'img' || el.localName === 'svg';
  return isApart ? ` ${name} ` : name;
}

function isUnrendered(el: Element): boolean {
  // A document that was only parsed has no style to ask for.
  if (el.ownerDocument.defaultView === null) return isHiddenBySource(el);
  if (el.checkVisibility({ visibilityProperty: true })) return false;
  const style = getComputedStyle(el);
  return style.display === 'none' || (style.display !== 'contents' && style.visibility === 'hidden');
}
