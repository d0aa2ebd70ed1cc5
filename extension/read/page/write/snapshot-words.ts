import { cut, cutUrl } from '../../../../shared/base/cut.ts';
import type { ReadPageOptions } from '../../../../shared/read/read_page.methods.ts';
import { contentName, descriptionOf, computeName, placeholderOf } from '../../../dom/names/name.ts';
import { roleOf, statesOf, WIDGET_ROLES } from '../../../dom/names/role.ts';
import { isLabel, isLabelable, isSelect, labelIdsOf, squash, withoutIcons } from '../../../dom/elements.ts';
import type { Refs } from '../../../dom/refs.ts';
import { RENDERING, renderingOf, shownTextIn } from '../../../dom/visible.ts';
import { isDrawnOtherwise } from '../../../dom/stand-ins.ts';
import { controlKind, isFilled, isSecret, optionsOf, shownValue } from '../../../dom/controls.ts';
import { linkTarget } from '../../../dom/media.ts';
import { quoteName } from './snapshot-line.ts';
import type { WalkView, WriterTools } from './out.ts';

export const COMPLEX =
  'a,button,input,select,textarea,p,ul,ol,table,section,article,h1,h2,h3,h4,h5,h6,iframe,[role],[tabindex]';

/** Regions with a line of their own; groups only if they have a name. */
export const REGIONS = new Set(
  (
    'navigation main form search dialog alertdialog alert complementary banner contentinfo region tablist tabpanel menu ' +
    'menubar toolbar radiogroup tree listbox grid group feed'
  ).split(' '),
);
/** Widgets whose value is editable text or a number. */
export const EDITABLE = new Set(
  'textbox combobox searchbox slider spinbutton scrollbar separator'.split(' '),
);
const NAMED_ONLY = new Set('group region form complementary tabpanel toolbar radiogroup grid'.split(' '));

/** Whether an element has a line as a region. */
export const isRegion = (el: Element, role: string): boolean =>
  REGIONS.has(role) && (!NAMED_ONLY.has(role) || computeName(el, role) !== '');

/** A focusable separator is a splitter. */
export const isWidget = (el: Element, role: string): boolean =>
  WIDGET_ROLES.has(role) || (role === 'separator' && el.hasAttribute('tabindex'));

/** Items that may hold further items. */
export const BRANCHES = new Set(['treeitem', 'menuitem']);
/** Roles of what an item holds: they end its line. */
export const HELD = new Set([...BRANCHES, 'group', 'tree', 'menu']);

/** The name by `aria-label` or `aria-labelledby`. */
export function authorName(el: Element, role: string): string {
  if (!el.hasAttribute('aria-label') && labelIdsOf(el) === null) return '';
  return computeName(el, role);
}

/** Large enough to be pressed or seen. */
export function hasBox(el: Element): boolean {
  const box = el.getBoundingClientRect();
  return box.width > 2 && box.height > 2;
}

/** The text of an element without a name: all of it is hidden from assistive technology. */
export function faceOf(el: Element): string {
  const face = withoutIcons(shownTextIn(el));
  return /[\p{L}\p{N}]/u.test(face) ? face : '';
}

/** A label's text is its control's name, and is written there. The role of a custom element may not be known, so its label stays. */
function isLabelOfControl(label: HTMLLabelElement, tools: WriterTools): boolean {
  const { control } = label;
  return (
    control !== null &&
    isLabelable(control) &&
    !control.getAttribute('aria-label')?.trim() &&
    labelIdsOf(control) === null &&
    showsName(control) &&
    (tools.options.include_hidden || tools.view.isSeen(control) || isDrawnOtherwise(control))
  );
}

/** Whether a control is written with its name: a button is written with its text, and an output is only text. */
function showsName(control: Element): boolean {
  if (control.localName !== 'button') return control.localName !== 'output';
  return EDITABLE.has(roleOf(control, 'button')) || squash(contentName(control)) === '';
}

/** Whether a caption or legend is the name of its whole, which is written before it. */
export function isNameOf(part: Element, whole: Element): boolean {
  const label = authorName(whole, '');
  return label === '' || label === squash(contentName(part));
}

/** A quoted name after a space, or nothing. */
export const withSpace = (text: string): string => (text === '' ? '' : ` ${quoteName(text)}`);

/** A value, as JSON if it could be mistaken for more of the line. */
export function quoteValue(value: string): string {
  return /^[\s"]|[\n\r\t]|\s$| \(/.test(value) ? JSON.stringify(value) : value;
}

const HINT_UNITS = 100;

/** A short description of an element, written like a state; without one, a field's placeholder. Tooltips are omitted. */
function hintOf(el: Element, name: string): string[] {
  const isDescribed = el.hasAttribute('aria-describedby') || el.hasAttribute('aria-description');
  const description = isDescribed ? descriptionOf(el, squash(el.getAttribute('title') ?? '')) : '';
  const hint = description || addedPlaceholder(el, name);
  return hint === '' ? [] : [`hint ${JSON.stringify(cut(hint, HINT_UNITS))}`];
}

/** Empty if the name has the words: `Search …` says no more than `Search the shop`. */
function addedPlaceholder(el: Element, name: string): string {
  const placeholder = placeholderOf(el);
  const words = placeholder.toLowerCase().replace(/[^\p{L}\p{N}]+$/u, '');
  return name.toLowerCase().includes(words) ? '' : placeholder;
}

/**
 * A legend or label whose text is written with its control.
 * @param isFlat within a line, where a group has no head
 */
export function isNameOfOther(el: Element, tag: string, tools: WriterTools, isFlat: boolean): boolean {
  if (tag === 'legend')
    return !isFlat && el.parentElement?.localName === 'fieldset' && isNameOf(el, el.parentElement);
  return tag === 'label' && isLabel(el) && isLabelOfControl(el, tools);
}

/** Longer addresses are cut: a link can be clicked by its ref. */
const ADDRESS_UNITS = 500;

/** The address of a link, if the caller wants addresses. */
export function addressAfter(el: Element, role: string, { include_links }: ReadPageOptions): string {
  const target = role === 'link' && include_links ? linkTarget(el) : null;
  return target === null ? '' : ` -> ${cutUrl(target, ADDRESS_UNITS)}`;
}

/** Ref, role and states; `link` is implied. */
export function writeLineHead(
  el: Element,
  role: string,
  refs: Refs,
  more: readonly string[] = [],
  given: string | null = null,
): string {
  const states = [...statesOf(el, role), ...more, ...hintOf(el, given ?? '')];
  const ref = refs.of(el, role, given);
  const shown = role === 'summary' ? 'button' : role;
  if (states.length > 0) return `${ref} ${shown} [${states.join(', ')}]`;
  return role === 'link' ? ref : `${ref} ${shown}`;
}

/** A control with its name, value and options. */
export function controlLine(el: Element, role: string, refs: Refs, isSeen = true): string {
  const kind = controlKind(el);
  const name = computeName(el, role);
  let text = writeLineHead(el, role, refs, isSecret(el) && isFilled(el) ? ['filled'] : [], name);
  text += withSpace(name);
  if (kind === 'text' || kind === 'choice' || kind === 'meter') {
    const value = isSeen ? shownValue(el) : '';
    if (value !== '') text += ` = ${quoteValue(value)}`;
  }
  if (isSelect(el))
    text += ` (${optionsOf(el)
      .map((option) => squash(option.label).replace(/[|)\\]/g, '\\$&'))
      .join('|')})`;
  return text;
}

export const ACTIONABLE = 'a[href],button,input,select,textarea,[role="button"],[role="link"],[tabindex]';

/**
 * Whether an element hidden from assistive technology is omitted. Chromium's names omit it; elsewhere people see it:
 * only signs without letters and digits are omitted.
 */
export function isDecoration(el: Element, isNaming: boolean): boolean {
  if (el.matches(ACTIONABLE) || el.querySelector(ACTIONABLE) !== null) return false;
  return isNaming || !/[\p{L}\p{N}]/u.test(el.textContent ?? '');
}

/** How people use an element without a matching role; null if they do not. */
export function genericAction(
  el: Element,
  role: string,
  tools: WriterTools,
): 'clickable' | 'draggable' | null {
  const action = declaredAction(el, role, tools.view);
  return action !== null && isInvisible(el, tools) ? null : action;
}

/** `visibility: hidden` disables pointer and keyboard, but a part may be visible again. */
export const isInvisible = (el: Element, { options }: WriterTools): boolean =>
  !options.include_hidden && renderingOf(el) === RENDERING.partly;

function declaredAction(el: Element, role: string, view: WalkView): 'clickable' | 'draggable' | null {
  const isHand = view.isClickable();
  if (!isHand && !view.isAttributed) return null;
  if (role === 'dialog' || el.localName === 'body' || el.localName === 'html') return null;
  if (isHand && el.localName !== 'label') return 'clickable';
  if (el.hasAttribute('onclick') || el.hasAttribute('aria-haspopup')) return 'clickable';
  const index = el.getAttribute('tabindex');
  if (index !== null && Number(index) >= 0 && el.localName !== 'pre') return 'clickable';
  return el.getAttribute('draggable') === 'true' ? 'draggable' : null;
}
