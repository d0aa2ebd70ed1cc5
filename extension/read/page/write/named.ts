import { computeName } from '../../../dom/names/name.ts';
import { ariaValue } from '../../../dom/names/role.ts';
import { isMatch, isSvg, labelIdsOf, squash, textsIn, withoutIcons } from '../../../dom/elements.ts';
import { titleIn } from '../../../dom/media.ts';
import { hasBox } from './snapshot-words.ts';
import type { WriterTools } from './out.ts';

/** A label that adds to its element's content. */
export interface AddedLabel {
  readonly kind: 'picture' | 'meter' | 'state';
  readonly text: string;
  /** The value of a meter; empty for all other elements. */
  readonly value: string;
  /** The label covers the content, which is skipped. */
  readonly isWhole: boolean;
}

const PICTURE_ROLES = new Set('img image graphics-document graphics-symbol graphics-object'.split(' '));
const METER_ROLES = new Set(['meter', 'progressbar']);
/** Their labels name a part of the page, and are not content. */
const PARTS = new Set(
  (
    'html body main nav header footer section aside form table thead tbody tfoot tr ul ol dl dialog fieldset details ' +
    'iframe frame object embed video audio canvas img input select textarea meter progress math svg label option slot area'
  ).split(' '),
);
const PART_ROLES = new Set(
  (
    'main navigation search form region complementary banner contentinfo dialog alertdialog tablist tabpanel menu menubar ' +
    'toolbar group radiogroup tree listbox grid treegrid table list rowgroup feed application log textbox combobox ' +
    'searchbox slider spinbutton scrollbar separator'
  ).split(' '),
);
const ACTIONS = 'a,button,summary,[role="button"],[role="link"],[role="tab"],[role="menuitem"]';
/** Parts that are visible without being text. */
const SHOWING =
  'img:not([alt=""]),svg>title,[aria-label],[title],input,select,textarea,iframe,video,audio,canvas,object,math';
const TALKING = 'img[alt]:not([alt=""]),svg>title,[aria-label],[title],input,select,textarea';

const WORDS = /[\p{L}\p{Nd}]/u;
const EMOJI = /\p{Emoji_Presentation}/u;
const MAX_CONTENT_UNITS = 2_000;
/** States that may occur in a label alone. */
const STATES =
  /^(?:un)?read$|^(?:new|unseen|starred|flagged|important|pinned|muted|online|offline|away|busy|idle|active|inactive|selected|current|completed|done|pending|overdue|failed|error|warning|verified|locked|sold out|unavailable|favou?rited?)(?:$|[\s,:;.])/i;

/** A label's own words if an element's content does not show them; null for any other element. */
export function namedOf(el: Element, tag: string, tools: WriterTools): AddedLabel | null {
  const state = tag === 'td' || tag === 'th' ? rowState(el) : null;
  return state ?? (tools.view.isAttributed ? labelled(el, tag, tools) : null);
}

function labelled(el: Element, tag: string, tools: WriterTools): AddedLabel | null {
  if (isSvg(el) && tag !== 'svg') return drawnPart(el);
  const role = el.getAttribute('role') ?? '';
  if (METER_ROLES.has(role) && tag !== 'meter' && tag !== 'progress') return meterOf(el, role, tools);
  const isNamed = isMatch(el, '[aria-label],[aria-labelledby],[aria-labeledby],[title]');
  if (!isNamed) return CELL_ROLES.has(role) ? rowState(el) : null;
  if (PARTS.has(tag) || PART_ROLES.has(role)) return null;
  const content = squash(withoutIcons(leadingText(el)));
  if (PICTURE_ROLES.has(role) || !WORDS.test(content)) return pictureOf(el, role, content, tools);
  return splitState(el.getAttribute('aria-label') ?? '', content);
}

/** The beginning of an element's text; texts of neighbours are separated. */
function leadingText(el: Element): string {
  let text = '';
  for (const node of textsIn(el)) {
    if (text.length >= MAX_CONTENT_UNITS) break;
    if (node.parentElement?.localName !== 'title') text += ` ${node.data}`;
  }
  return text;
}

const isShownBox = (el: Element, tools: WriterTools): boolean =>
  tools.view.isAtomSeen(el) && (el.ownerDocument.defaultView === null || hasBox(el));

function isNamedInSight(el: Element, tools: WriterTools): boolean {
  const ids = labelIdsOf(el) ?? '';
  return ids.split(/\s+/).some((id) => {
    const target = id === '' ? null : el.ownerDocument.getElementById(id);
    return target !== null && !el.contains(target) && tools.view.isSeen(target);
  });
}

/** A tooltip on a visible sign is not content. */
const isTooltipOfSign = (el: Element, content: string): boolean =>
  content !== '' && !el.hasAttribute('aria-label') && !el.matches(ACTIONS);

function pictureOf(el: Element, role: string, content: string, tools: WriterTools): AddedLabel | null {
  const isPicture = PICTURE_ROLES.has(role);
  const isAction = el.matches(ACTIONS);
  // An action without a label of its own takes that of the SVG inside it.
  if (!isPicture && el.querySelector(isAction ? TALKING : SHOWING) !== null) return null;
  if (!isPicture && isTooltipOfSign(el, content)) return null;
  const text = computeName(el, role === '' || isAction ? '' : role);
  if (text === '' || isNamedInSight(el, tools) || !isShownBox(el, tools)) return null;
  if (EMOJI.test(content) && !/\d/.test(text)) return null;
  const isWhole = !WORDS.test(content) || says(text, content);
  return { kind: 'picture', text, value: '', isWhole: isWhole && el.querySelector('canvas,iframe') === null };
}

function meterOf(el: Element, role: string, tools: WriterTools): AddedLabel | null {
  if (!isShownBox(el, tools)) return null;
  const content = squash(leadingText(el));
  const name = isNamedInSight(el, tools) ? '' : computeName(el, role);
  const value = ariaValue(el);
  const isShown = WORDS.test(content);
  if (name === '' && (value === '' || isShown)) return null;
  return { kind: 'meter', text: name, value: isShown ? '' : value, isWhole: !isShown };
}

/** The title of an SVG part shows only while the pointer is over it. */
function drawnPart(el: Element): AddedLabel | null {
  const text = squash(el.getAttribute('aria-label') ?? titleIn(el));
  if (text === '' || el.localName === 'a' || el.closest('defs,symbol,clipPath,mask,pattern,marker') !== null)
    return null;
  const shown = [...el.querySelectorAll('text')].map((part) => part.textContent).join(' ');
  return says(shown, text) ? null : { kind: 'picture', text, value: '', isWhole: false };
}

/** The state in a row's label is written in its first cell. */
function rowState(el: Element): AddedLabel | null {
  const row = el.previousElementSibling === null ? el.parentElement : null;
  const label = row?.getAttribute('aria-label') ?? '';
  return row === null || label === '' ? null : splitState(label, squash(leadingText(row)));
}

const CELL_ROLES = new Set(['cell', 'gridcell', 'rowheader']);

/**
 * The parts of a label that add to the content it repeats: `Unread` in `Unread, Bob, Lunch?`. A different label names
 * the element, and is left to formats with names.
 */
function splitState(label: string, content: string): AddedLabel | null {
  const parts = label.split(/\s*[,;•·|]\s+|\s+[–—-]\s+/).map(squash);
  const added = parts.filter((part) => part !== '' && !sharesWords(part, content));
  if (label === '') return null;
  const isState = added.length < parts.length ? parts.length > 1 : STATES.test(squash(label));
  if (!isState || added.length === 0) return null;
  return { kind: 'state', text: added.join(', '), value: '', isWhole: false };
}

const lowerWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function sharesWords(part: string, content: string): boolean {
  const shown = new Set(lowerWords(content));
  const words = lowerWords(part);
  return words.length === 0 || words.some((word) => shown.has(word));
}

/** Whether `text` has all words of `other`. */
function says(text: string, other: string): boolean {
  const found = new Set(lowerWords(text));
  return lowerWords(other).every((word) => found.has(word));
}
