import { isAnchor, isArea, isHtml, isInput, isSelect } from '../dom.ts';

const INPUT_ROLES: Readonly<Record<string, string>> = {
  button: 'button',
  submit: 'button',
  reset: 'button',
  image: 'button',
  checkbox: 'checkbox',
  radio: 'radio',
  range: 'slider',
  number: 'spinbutton',
  search: 'searchbox',
  password: 'password',
  file: 'file',
  color: 'color',
  date: 'date',
  time: 'time',
  'datetime-local': 'datetime',
  month: 'month',
  week: 'week',
  hidden: '',
};

const TAG_ROLES: Readonly<Record<string, string>> = {
  address: 'group',
  article: 'article',
  aside: 'complementary',
  blockquote: 'blockquote',
  button: 'button',
  caption: 'caption',
  code: 'code',
  dd: 'definition',
  del: 'deletion',
  details: 'group',
  dfn: 'term',
  dialog: 'dialog',
  dt: 'term',
  em: 'emphasis',
  fieldset: 'group',
  figure: 'figure',
  form: 'form',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  hr: 'separator',
  iframe: 'iframe',
  img: 'img',
  ins: 'insertion',
  li: 'listitem',
  main: 'main',
  math: 'math',
  menu: 'list',
  meter: 'meter',
  nav: 'navigation',
  ol: 'list',
  optgroup: 'group',
  option: 'option',
  output: 'status',
  p: 'paragraph',
  progress: 'progressbar',
  search: 'search',
  strong: 'strong',
  summary: 'summary',
  svg: 'img',
  table: 'table',
  tbody: 'rowgroup',
  td: 'cell',
  textarea: 'textbox',
  tfoot: 'rowgroup',
  th: 'columnheader',
  thead: 'rowgroup',
  time: 'time',
  tr: 'row',
  ul: 'list',
};

/** A header or footer inside one of these is no landmark of the page. */
const SECTIONING = 'article,aside,main,nav,section,[role="article"],[role="main"],[role="region"]';

const KNOWN_ROLES = new Set(
  (
    'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox ' +
    'complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid ' +
    'gridcell group heading img image insertion link list listbox listitem log main mark marquee math menu menubar ' +
    'menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar ' +
    'radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status ' +
    'strong subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree ' +
    'treegrid treeitem'
  ).split(' '),
);

/** Roles that a person acts on. */
export const WIDGET_ROLES = new Set(
  (
    'button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox ' +
    'slider spinbutton switch tab textbox treeitem summary password file color date time datetime month week'
  ).split(' '),
);

/** The role of an element: its own first known one, else what HTML gives it; empty for none. */
export function roleOf(el: Element, tag: string): string {
  const given = el.hasAttributes() ? el.getAttribute('role') : null;
  if (given !== null) {
    for (const role of given.trim().toLowerCase().split(/\s+/)) if (KNOWN_ROLES.has(role)) return role;
  }
  return implicitRole(el, tag);
}

function implicitRole(el: Element, tag: string): string {
  switch (tag) {
    case 'a':
    case 'area':
      if (isAnchor(el) || isArea(el)) return el.hasAttribute('href') ? 'link' : '';
      return el.hasAttribute('href') || el.hasAttribute('xlink:href') ? 'link' : '';
    case 'input':
      return isInput(el) ? inputRole(el) : '';
    case 'select':
      return isSelect(el) && (el.multiple || el.size > 1) ? 'listbox' : 'combobox';
    case 'img':
      return el.getAttribute('alt') === '' ? '' : 'img';
    case 'header':
      return el.closest(SECTIONING) === null ? 'banner' : '';
    case 'footer':
      return el.closest(SECTIONING) === null ? 'contentinfo' : '';
    case 'section':
      return el.hasAttribute('aria-label') || el.hasAttribute('aria-labelledby') ? 'region' : '';
    case 'summary':
      return el.parentElement?.localName === 'details' ? 'summary' : '';
    default:
      if (isHtml(el) || tag === 'svg' || tag === 'math') return TAG_ROLES[tag] ?? editableRole(el);
      return '';
  }
}

function inputRole(el: HTMLInputElement): string {
  const role = INPUT_ROLES[el.type];
  if (role !== undefined) return role;
  return el.hasAttribute('list') ? 'combobox' : 'textbox';
}

function editableRole(el: Element): string {
  const editable = el.getAttribute('contenteditable');
  return editable !== null && editable.toLowerCase() !== 'false' ? 'textbox' : '';
}
