import {
  childrenOf,
  holds,
  isCheckable,
  isHtml,
  isInput,
  isSelect,
  closestOf,
  isMatch,
  isSvg,
  labelIdsOf,
  isButton,
  isDetails,
  isOption,
  isTextarea,
  textIn,
  treeOf,
} from '../elements.ts';
import { flatParent, lineageOf } from '../trees.ts';

/** The roles of names; of the names in `same`, each is its own role. */
const rolesOf = (
  names: Readonly<Record<string, string>>,
  same: readonly string[] = [],
): ReadonlyMap<string, string> =>
  new Map([
    ...same.map((name) => [name, name] as const),
    ...Object.entries(names).flatMap(([role, each]) => each.split(' ').map((name) => [name, role] as const)),
  ]);

const INPUT_ROLES = rolesOf(
  {
    button: 'button submit reset image',
    slider: 'range',
    spinbutton: 'number',
    searchbox: 'search',
    datetime: 'datetime-local',
    '': 'hidden',
  },
  'checkbox radio password file color date time month week'.split(' '),
);

const TAG_ROLES = rolesOf(
  {
    group: 'address details fieldset hgroup optgroup',
    definition: 'dd',
    deletion: 'del s',
    term: 'dfn dt',
    emphasis: 'em',
    heading: 'h1 h2 h3 h4 h5 h6',
    separator: 'hr',
    insertion: 'ins',
    list: 'menu ol ul',
    navigation: 'nav',
    status: 'output',
    paragraph: 'p',
    progressbar: 'progress',
    subscript: 'sub',
    superscript: 'sup',
    img: 'svg',
    textbox: 'textarea',
  },
  (
    'article blockquote button caption code dialog figure form iframe main mark math meter option search strong ' +
    'table time'
  ).split(' '),
);

/** A header or footer inside one of these is not a landmark of the page (HTML-AAM). */
const SECTIONING =
  'article,aside,main,nav,section,[role="article"],[role="complementary"],[role="main"],[role="navigation"],[role="region"]';
/** Inside one of these, an aside is a landmark only if it has a name. */
const SECTIONING_CONTENT = 'article,aside,nav,section';

const KNOWN_ROLES = new Set(
  (
    'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox ' +
    'comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic ' +
    'graphics-document graphics-object graphics-symbol grid gridcell group heading img image insertion link list listbox listitem log main mark marquee math menu menubar ' +
    'menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar ' +
    'radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status ' +
    'strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree ' +
    'treegrid treeitem'
  ).split(' '),
);

/** Roles that people interact with. */
export const WIDGET_ROLES = new Set(
  (
    'button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox ' +
    'slider spinbutton switch tab textbox treeitem summary password file color date time datetime month week'
  ).split(' '),
);

export const isPresentational = (role: string): boolean => role === 'none' || role === 'presentation';

/** The first known role of the `role` attribute, else the one from HTML; empty if there is neither. */
export function roleOf(el: Element, tag: string, isAttributed = el.hasAttributes()): string {
  const given = isAttributed ? knownRole(el) : null;
  if (given === null) return implicitRole(el, tag);
  return isPresentational(given) ? (keptRole(el, tag) ?? given) : given;
}

function knownRole(el: Element): string | null {
  const given = el.getAttribute('role')?.trim().toLowerCase().split(/\s+/) ?? [];
  for (const role of given)
    // An unnamed region or form is not a landmark (ARIA 1.3).
    if (KNOWN_ROLES.has(role) && ((role !== 'region' && role !== 'form') || isNamed(el))) return role;
  return null;
}

/** Focusable elements: people reach them whatever their role. */
const FOCUSABLE =
  ':is(a[href],area[href],button,input:not([type="hidden" i]),select,textarea,iframe,summary,[tabindex],' +
  '[contenteditable]:not([contenteditable="false" i])):not(:disabled)';
/** Global attributes, which keep a presentational role from taking effect (ARIA, conflicts of presentational roles). */
const GLOBAL = (
  'atomic braillelabel brailleroledescription busy controls current describedby description details dropeffect flowto ' +
  'grabbed keyshortcuts live owns relevant roledescription'
)
  .split(' ')
  .map((name) => `[aria-${name}]`)
  .join(',');
/** Browsers keep a role for these, even if the name is empty. */
const NAMING = '[aria-label],[aria-labelledby],[aria-labeledby]';
/** Roles without a name, so that a label does not keep them, and a title describes them. */
export const NAMELESS = new Set(
  'caption code definition deletion emphasis insertion mark paragraph strong subscript superscript term time'.split(
    ' ',
  ),
);

/** The role that an element keeps despite `none`, or null if it may lose it. */
function keptRole(el: Element, tag: string): string | null {
  const role = implicitRole(el, tag);
  if (role === '') return null;
  return isMatch(el, FOCUSABLE) || isMatch(el, GLOBAL) || (isMatch(el, NAMING) && !NAMELESS.has(role))
    ? role
    : null;
}

/** Whether a label has text or a reference has a target. */
function hasAriaName(el: Element): boolean {
  const ids = labelIdsOf(el)?.trim() ?? '';
  if (ids === '')
    return (
      (el.getAttribute('aria-label') ?? '').trim() !== '' ||
      (el.hasAttribute('aria-labelledby') && (el.ariaLabelledByElements?.length ?? 0) > 0)
    );
  const root = treeOf(el);
  return ids.split(/\s+/).some((id) => root.getElementById(id) !== null);
}

/** Whether it has a name in addition to its content. */
function isNamed(el: Element): boolean {
  return el.hasAttributes() && (hasAriaName(el) || (el.getAttribute('title') ?? '').trim() !== '');
}

function implicitRole(el: Element, tag: string): string {
  const special = SPECIAL.get(tag);
  if (special !== undefined && isHtml(el)) return special(el);
  if (tag === 'a') return el.hasAttribute('href') || el.hasAttribute('xlink:href') ? 'link' : '';
  if (isHtml(el) || tag === 'svg' || tag === 'math') return TAG_ROLES.get(tag) ?? editableRole(el);
  return isSvg(el) ? drawnRole(el, tag) : '';
}

const DRAWN_ROLES = rolesOf({
  group: 'g',
  img: 'image',
  'graphics-object': 'use',
  'graphics-symbol': 'circle ellipse line path polygon polyline rect',
});

/** A part of an SVG has a role if its author gives one, or if it is focusable (SVG-AAM). */
function drawnRole(el: Element, tag: string): string {
  const role = DRAWN_ROLES.get(tag);
  if (role === undefined) return '';
  const isMeant = isNamed(el) || el.hasAttribute('tabindex') || hasDrawnText(el);
  return isMeant ? role : '';
}

function hasDrawnText(el: Element): boolean {
  return childrenOf(el).some((child) => /^(?:title|desc)$/.test(child.localName) && textIn(child) !== '');
}

const linkRole = (el: Element): string => (el.hasAttribute('href') ? 'link' : '');
const bannerRole = (role: string) => (el: Element) => (isInside(el, SECTIONING) ? '' : role);

/** Elements whose role depends on more than their name. */
const SPECIAL: ReadonlyMap<string, (el: HTMLElement) => string> = new Map(
  Object.entries<(el: HTMLElement) => string>({
    a: linkRole,
    area: linkRole,
    aside: (el) => (isInside(el, SECTIONING_CONTENT) && !isNamed(el) ? '' : 'complementary'),
    footer: bannerRole('contentinfo'),
    header: bannerRole('banner'),
    img: (el) => (el.getAttribute('alt') !== '' || isNamed(el) ? 'img' : ''),
    input: (el) => (isInput(el) ? inputRole(el) : ''),
    li: (el) => (isPresentational(roleOfParent(el)) ? '' : 'listitem'),
    section: (el) => (isNamed(el) ? 'region' : ''),
    select: (el) => (isSelect(el) && (el.multiple || el.size > 1) ? 'listbox' : 'combobox'),
    summary: (el) => (el.parentElement?.localName === 'details' ? 'summary' : ''),
    tbody: (el) => tablePartRole(el, 'rowgroup'),
    td: (el) => tablePartRole(el, 'cell'),
    tfoot: (el) => tablePartRole(el, 'rowgroup'),
    th: (el) => tablePartRole(el, isRowHeader(el) ? 'rowheader' : 'columnheader'),
    thead: (el) => tablePartRole(el, 'rowgroup'),
    tr: (el) => tablePartRole(el, 'row'),
  }),
);

const TABLE_PART = /^t(?:able|head|body|foot|r)$/;

const isInside = (el: Element, selector: string): boolean =>
  lineageOf(flatParent(el)).some((up) => isMatch(up, selector));

function roleOfParent(el: Element): string {
  const parent = el.parentElement;
  return parent === null ? '' : roleOf(parent, parent.localName);
}

/** Empty for a layout table's parts; a cell of a grid is a gridcell. */
function tablePartRole(el: Element, role: string): string {
  let whole = 'table';
  // A table that loses its role also takes the roles of its parts.
  for (let up = el.parentElement; up !== null && TABLE_PART.test(up.localName); up = up.parentElement) {
    whole = up.hasAttributes() ? roleOf(up, up.localName) : up.localName;
    if (isPresentational(whole)) return '';
    if (up.localName === 'table') break;
  }
  return role === 'cell' && (whole === 'grid' || whole === 'treegrid') ? 'gridcell' : role;
}

/** By its scope; without one, by data cells next to it and near the ends of its row: a corner of the table may be empty. */
function isRowHeader(el: Element): boolean {
  const scope = el.getAttribute('scope')?.toLowerCase() ?? '';
  if (scope.startsWith('row')) return true;
  if (scope.startsWith('col')) return false;
  const { nextSibling: next, previousSibling: before, parentElement: row } = el;
  if (next?.nodeName === 'TH' && before?.nodeName === 'TH') return false;
  const [first, last] = [row?.firstElementChild, row?.lastElementChild];
  const cells = [next, before, first, last, first?.nextElementSibling, last?.previousElementSibling];
  return cells.some((cell) => cell?.nodeName === 'TD' && cell.hasChildNodes());
}

function inputRole(el: HTMLInputElement): string {
  const role = INPUT_ROLES.get(el.type);
  // Suggestions make a text field a combobox.
  if (role !== undefined && role !== 'searchbox') return role;
  return el.list === null ? (role ?? 'textbox') : 'combobox';
}

function editableRole(el: Element): string {
  const editable = el.getAttribute('contenteditable');
  return editable !== null && editable.toLowerCase() !== 'false' ? 'textbox' : '';
}

/** Attributes that give states. */
const STATEFUL =
  /^(?:aria-(?:selected|pressed|checked|busy|expanded|haspopup|disabled|required|readonly|invalid|current|level|sort|multiselectable)|inert|popovertarget|required|readonly|multiple)$/;
/** The rest of what gives states. */
const IN_STATE = ':is([aria-disabled],[inert]) *,:checked,:indeterminate,:disabled,:invalid,summary,:focus';

const FLAGS = ['selected', 'pressed', 'checked', 'busy'] as const;

function ariaFlag(el: Element, name: string): string | null {
  const value = el.getAttribute(`aria-${name}`)?.trim().toLowerCase() ?? '';
  return value === '' || value === 'undefined' ? null : value;
}

/** An ARIA attribute; `false` counts as not set. */
function ariaToken(el: Element, name: string): string | null {
  const value = ariaFlag(el, name);
  return value === 'false' ? null : value;
}

/** `checked`, `expanded`, … */
export function statesOf(el: Element, role: string): string[] {
  const states: string[] = [];
  // Most elements have no state.
  if (!el.getAttributeNames().some((name) => STATEFUL.test(name)) && !isMatch(el, IN_STATE)) return states;
  nativeStates(el, states);
  ariaStates(el, states);
  const expanded = expandedOf(el);
  if (expanded !== null) states.push(expanded ? 'expanded' : 'collapsed');
  const popup = ariaToken(el, 'haspopup');
  if (popup !== null && role !== 'combobox') states.push(popup === 'true' ? 'menu' : popup);
  inputStates(el, role, states);
  if (isInvalid(el)) states.push('invalid');
  placeStates(el, role, states);
  if (role !== '' && isMatch(el, ':focus')) states.push('focused');
  return states;
}

function ariaStates(el: Element, states: string[]): void {
  for (const name of FLAGS) {
    const value = name === 'checked' && isCheckable(el) ? null : ariaFlag(el, name);
    if (value === 'true' && !states.includes(name)) states.push(name);
    else if (value === 'mixed') states.push(`${name} mixed`);
  }
}

/** `level`, `posinset` and `setsize`. */
function placeStates(el: Element, role: string, states: string[]): void {
  const current = ariaToken(el, 'current');
  if (current !== null) states.push(current === 'true' ? 'current' : `current ${current}`);
  const sort = ariaFlag(el, 'sort');
  if (sort !== null && sort !== 'none') states.push(`sort ${sort}`);
  const level = ariaFlag(el, 'level');
  if (level !== null && role !== 'heading') states.push(`level ${level}`);
}

function inputStates(el: Element, role: string, states: string[]): void {
  if (isDisabled(el, role)) states.push('disabled');
  if (WIDGET_ROLES.has(role) && closestOf(el, '[inert]') !== null) states.push('inert');
  if (ariaFlag(el, 'required') === 'true' || isMatch(el, ':required')) states.push('required');
  if (isReadonly(el)) states.push('readonly');
}

function nativeStates(el: Element, states: string[]): void {
  if (isCheckable(el)) {
    if (el.indeterminate) states.push('checked mixed');
    else if (el.checked) states.push('checked');
  }
  if (isOption(el) && el.selected) states.push('selected');
  if ((isSelect(el) && el.multiple) || ariaFlag(el, 'multiselectable') === 'true') states.push('multiple');
}

function expandedOf(el: Element): boolean | null {
  const popover = isButton(el) || isInput(el) ? el.popoverTargetElement : null;
  // A button inside the popover closes it.
  if (popover !== null && !holds(popover, el)) return isMatch(popover, ':popover-open');
  if (el.localName === 'summary' && el.parentElement !== null && isDetails(el.parentElement))
    return el.parentElement.open;
  const expanded = ariaFlag(el, 'expanded');
  return expanded === 'true' || expanded === 'false' ? expanded === 'true' : null;
}

/** By its own state, or as a widget in a disabled part of the page. */
function isDisabled(el: Element, role: string): boolean {
  if (isMatch(el, ':disabled')) return true;
  const nearest = WIDGET_ROLES.has(role) ? closestOf(el, '[aria-disabled]') : el;
  return nearest !== null && ariaFlag(nearest, 'disabled') === 'true';
}

function isInvalid(el: Element): boolean {
  const declared = ariaFlag(el, 'invalid');
  if (declared !== null) return declared !== 'false';
  if (!isInput(el) && !isTextarea(el) && !isSelect(el) && !isButton(el)) return false;
  const { valueMissing, customError } = el.validity;
  return isMatch(el, ':invalid') && (!valueMissing || customError || isMatch(el, ':user-invalid'));
}

/** Input types that support `readonly` (HTML standard). */
const CAN_BE_READONLY = new Set(
  'text search url tel email password date month week time datetime-local number'.split(' '),
);

function isReadonly(el: Element): boolean {
  if (ariaFlag(el, 'readonly') === 'true') return true;
  return (isTextarea(el) || (isInput(el) && CAN_BE_READONLY.has(el.type))) && el.readOnly;
}

/** `aria-valuetext` or `aria-valuenow` of a widget that is not an HTML control. */
export function ariaValue(el: Element): string {
  return el.getAttribute('aria-valuetext') ?? el.getAttribute('aria-valuenow') ?? '';
}
