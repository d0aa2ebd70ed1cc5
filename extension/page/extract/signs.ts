import { asLabel, HAS_LETTER, isNumeric, LABEL_UNITS, SURE, type Pair } from './pair.ts';
import type { View } from './view.ts';

/** `<a><svg aria-label="stars"></svg> 3,112</a>`, `<li><i class="icon icon-location"></i>Porto</li>` */
export function iconPair(el: Element, view: View): Pair[] {
  const icon = el.firstElementChild;
  if (icon === null || el.childElementCount > 2 || view.text(icon) !== '') return [];
  const text = view.text(el);
  if (text === '' || text.length > LABEL_UNITS * 2) return [];
  const label = icon.getAttribute('aria-label') ?? icon.getAttribute('title') ?? '';
  if (HAS_LETTER.test(label)) {
    const isFit = isNumeric(text) ? el.childElementCount === 1 : el.childElementCount === 2;
    return isFit ? [{ label, value: el, at: el, kind: 'icon', sure: SURE.icon }] : [];
  }
  const name = iconName(icon);
  return name === null ? [] : [{ label: name, value: el, at: el, kind: 'loose', sure: SURE.loose }];
}

/** The last word of the class of an icon: `fa fa-map-marker` shows a place. */
function iconName(icon: Element): string | null {
  const names = (icon.getAttribute('class') ?? '').split(/\s+/).filter((name) => ICON.test(name));
  const word = (names.at(-1) ?? '').replace(ICON, '').replace(/-(?:o|alt|fill|outline|solid)$/, '');
  return ICON_NAMES.get(word) ?? (/^[a-z]{3,}$/.test(word) ? word : null);
}

const ICON = /^(?:icon|fa|bi|glyphicon|mdi|ti|la|fi|material-icons?)-+/;
const ICON_NAMES = new Map([
  ['envelope', 'email'],
  ['map-marker', 'location'],
  ['map-pin', 'location'],
  ['geo', 'location'],
  ['pin', 'location'],
  ['calendar', 'date'],
  ['telephone', 'phone'],
  ['clock', 'duration'],
  ['building', 'company'],
]);

/** `<span class="sr-only">Regular price</span><s>$32.00</s>` */
export function hiddenLabel(el: Element, view: View): Pair[] {
  const value = el.nextElementSibling;
  if (!READ_ALOUD.test(el.className) || value === null || READ_ALOUD.test(value.className)) return [];
  const label = asLabel(view.text(el));
  return label === null || view.text(value) === '' || !view.isShown(value)
    ? []
    : [{ label, value, at: value, kind: 'rows', sure: SURE.rows }];
}

const READ_ALOUD =
  /(?:^|\s)(?:sr-only|visually-?hidden|screen-reader(?:-text|-only)?|show-for-sr|a11y-hidden|assistive-text)(?:$|\s)/i;
