import { cutUrl, cut } from '../../../../shared/base/cut.ts';
import { attributesOf, isInput, isOption } from '../../../dom/elements.ts';
import { isSecret } from '../../../dom/controls.ts';
import { isAttributeShown } from '../../../dom/visible.ts';
import { isScriptUrl } from '../../../dom/media.ts';

const ADDRESS_LOOKED_AT = 1_024;
/** Nested addresses too, except percent-encoded ones. */
const USERINFO = /(:[\\/]{2})[^\s\\/?#]*@/g;
const AT_IN_AUTHORITY = /[\\/]{2}[^]*@/;
/** Replaces the page's own address; no page has its scheme, so `https:user@host` is not relative. */
const SOME_BASE = 'ftp://page.invalid';

/** Removes name and password from an address; others are returned unchanged. */
function withoutUserinfo(address: string): string {
  if (!address.includes('@')) return address;
  if (!URL.canParse(address, SOME_BASE)) return AT_IN_AUTHORITY.test(address) ? '…' : address;
  const url = new URL(address, SOME_BASE);
  if (url.username === '' && url.password === '') return address.replace(USERINFO, '$1');
  url.username = '';
  url.password = '';
  return url.href.replace(/^ftp:/, '').replace(USERINFO, '$1');
}

/** Shortens an address of a page's source, never keeping a name or password, even in a short one. */
export function cutAddress(value: string, maxUnits: number): string {
  // Inline content may be megabytes long, and would be cut anyway.
  const address = withoutUserinfo(value.slice(0, ADDRESS_LOOKED_AT));
  return cutUrl(address, maxUnits, value.length > ADDRESS_LOOKED_AT);
}

/** Two signatures that identify similar siblings. */
export interface Shape {
  /** Name, classes, ids without their numbers, and kinds of children. */
  readonly fine: string;
  /** Only name and classes: equal for siblings that differ in their ids. */
  readonly coarse: string;
}

const IDENTITY = ['id', 'name', 'role', 'type', 'for', 'data-testid', 'data-test', 'data-cy', 'data-qa'];
/** Children that count for a shape: enough to tell a heading row from a row of cells. */
const CHILDREN = 8;
const SHAPE_LOOKED_AT = 1_000;

/** Numbers and long hexadecimal words differ from sibling to sibling without meaning. */
function withoutNumbers(text: string): string {
  return text
    .slice(0, SHAPE_LOOKED_AT)
    .replace(/[\da-f]{8,}(?:-[\da-f]{4,})*/gi, '0')
    .replace(/\d+/g, '0');
}

/** Computed only from the element and its children, so that a walk stays linear. */
export function shapeOf(el: Element): Shape {
  const coarse = getAttributeKind(el);
  let fine = coarse;
  if (el.hasAttributes())
    for (const name of IDENTITY) {
      const value = el.getAttribute(name);
      if (value !== null) fine += `[${name}=${withoutNumbers(value)}]`;
    }
  let last = '';
  let count = 0;
  for (
    let child = el.firstElementChild;
    child !== null && count < CHILDREN;
    child = child.nextElementSibling
  ) {
    const kind = getAttributeKind(child);
    if (kind === last) continue;
    fine += `>${kind}`;
    last = kind;
    count += 1;
  }
  return { fine, coarse };
}

function getAttributeKind(el: Element): string {
  const classes = el.getAttribute('class');
  if (classes === null) return el.localName;
  const sorted = withoutNumbers(classes).match(/\S+/g)?.toSorted() ?? [];
  return `${el.localName}.${sorted.join('.')}`;
}

/** Attributes that identify elements; selectors are made of them. */
const NAMES = words('id class name role for slot part itemprop');
/** Attributes that tell what an element is or does. */
const FACTS = words(
  'type aria-label aria-labelledby aria-expanded aria-selected aria-current aria-controls aria-haspopup ' +
    'aria-level aria-modal aria-live aria-hidden aria-disabled aria-checked aria-pressed hidden open disabled ' +
    'required readonly multiple contenteditable title alt placeholder colspan rowspan scope method autocomplete ' +
    'datetime itemtype itemscope lang tabindex rel',
);
const ADDRESSES = words('href src action formaction data xlink:href');
/** Ids that teams add for tests. */
const TEST_IDS =
  /^data-(?:test(?:id)?|cy|qa(?:id)?|e2e|automation|pw|hook|marker|component|role|name|id|type)\b/;
const TRACKING =
  /track|analytic|metric|gtm|^data-ga|^data-gtag|beacon|impression|telemetry|pixel|hotjar|^data-heap|segment|clarity|optimizely|^data-ved|hveid|jslog|jsaction|jsname|jscontroller|jsmodel|jsdata|reactid|reactroot|^data-v-|^data-s-|styled|emotion|hydrat|^data-n-|^data-csrf|nonce|token|^data-ad-|^data-ads|ad-slot|^data-log|click-?id|session/i;

/** Character limits of values, by purpose. */
const NAME_CHARACTERS = 120;
const VALUE_CHARACTERS = 60;
const DATA_CHARACTERS = 40;
const LOOKED_AT = 8 * NAME_CHARACTERS;
/** More of a class list or of data attributes is useless to a selector. */
const MAX_DATA = 5;

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Classes up to a limit, only whole ones, so that each works in a selector. */
function cutClasses(value: string): string {
  const classes: string[] = value.slice(0, LOOKED_AT).match(/\S+/g) ?? [];
  // The last one may be incomplete.
  if (value.length > LOOKED_AT) classes.splice(-1, 1, '…');
  let kept = '';
  for (const name of classes) {
    if (kept !== '' && kept.length + name.length >= NAME_CHARACTERS) return `${kept} …`;
    kept = kept === '' ? cut(name, NAME_CHARACTERS) : `${kept} ${name}`;
  }
  return kept;
}

/** Addresses unchanged, since selectors match the source; never a script or inline data. */
export function keepAddress(value: string): string | null {
  if (isScriptUrl(value)) return null;
  const inline = /^\s*(data|blob):/i.exec(value)?.[1];
  return inline === undefined ? cutAddress(value, VALUE_CHARACTERS) : `${inline}:…`;
}

export function keepAttribute(name: string, value: string): string | null {
  if (name === 'class') return value.trim() === '' ? null : cutClasses(value);
  if (NAMES.has(name)) return cut(value, NAME_CHARACTERS);
  if (ADDRESSES.has(name)) return keepAddress(value);
  if (FACTS.has(name)) return cut(value, VALUE_CHARACTERS);
  if (!/^data-[a-z\d_.-]{1,40}$/.test(name)) return null;
  if (TEST_IDS.test(name)) return cut(value, NAME_CHARACTERS);
  return TRACKING.test(name) || value.length > DATA_CHARACTERS ? null : value;
}

const CHOICES = words('checkbox radio');
const BUTTONS = words('submit button reset');

/** Values that the page's author offers as choices, never what a person entered. */
function hasAuthorsValue(el: Element, isHidden: boolean): boolean {
  if (isOption(el)) return true;
  // The value of a button is its text.
  return isInput(el) && (CHOICES.has(el.type) || (!isHidden && BUTTONS.has(el.type)));
}

/** Text that people read or assistive technology announces; empty if the element is hidden. */
const TEXTS = words('title alt aria-label placeholder');

/** The attributes that a skeleton shows, in order. */
export function keptAttributes(el: Element, isHidden: boolean): [string, string][] {
  const kept: [string, string][] = [];
  if (!el.hasAttributes()) return kept;
  const secret = isSecret(el);
  let data = 0;
  for (const [name, value] of attributesOf(el)) {
    const isData = name.startsWith('data-');
    if (isData && (secret || (data >= MAX_DATA && !TEST_IDS.test(name)))) continue;
    if ((isHidden && TEXTS.has(name)) || !isAttributeShown(el, name)) continue;
    const shown = keepAttribute(name, value);
    if (shown === null) continue;
    if (isData) data += 1;
    kept.push([name, shown]);
  }
  if (secret || !hasAuthorsValue(el, isHidden)) return kept;
  const value = el.getAttribute('value');
  if (value !== null) kept.push(['value', cut(value, VALUE_CHARACTERS)]);
  return kept;
}
