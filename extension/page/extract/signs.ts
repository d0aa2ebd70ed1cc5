import { attrOf, childCount } from '../dom.ts';
import { asLabel, HAS_LETTER, isNumeric, LABEL_UNITS, SURE, type Pair } from './pair.ts';
import type { View } from './view.ts';

/** `<a><svg aria-label="stars"></svg> 3,112</a>`, `<li><i class="icon icon-location"></i>Porto</li>` */
export function iconPair(el: Element, view: View): Pair[] {
  const icon = [el.firstElementChild, el.lastElementChild].find(
    (one) => one !== null && view.text(one) === '',
  );
  if (icon === null || icon === undefined || childCount(el) > 2) return [];
  const text = view.text(el);
  if (text === '' || text.length > LABEL_UNITS * 2) return [];
  const label = attrOf(icon, 'aria-label') ?? attrOf(icon, 'title') ?? '';
  if (HAS_LETTER.test(label)) {
    const isFit = isNumeric(text) ? childCount(el) === 1 : childCount(el) === 2;
    return isFit ? [{ label, value: el, at: el, kind: 'icon', sure: SURE.icon }] : [];
  }
  const name = iconName(icon);
  return name === null ? [] : [{ label: name, value: el, at: el, kind: 'loose', sure: SURE.loose }];
}

/** The last word of the class of an icon: `fa fa-map-marker` shows a place. */
function iconName(icon: Element): string | null {
  const names = (attrOf(icon, 'class') ?? '').split(/\s+/).filter((name) => ICON.test(name));
  const word = (names.at(-1) ?? '').replace(ICON, '').replace(/-(?:o|alt|fill|outline|solid|dot)$/, '');
  return ICON_NAMES.get(word) ?? (/^[a-z]{3,}$/.test(word) ? word : null);
}

const ICON = /^(?:icon|fa|bi|glyphicon|mdi|ti|la|fi|octicon|lucide|material-icons?)-+/;
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

/** `<button aria-label="88 Likes. Like">88</button>`, `<div aria-label="Scored 9.2">9.2</div>` */
export function spokenPair(el: Element, view: View): Pair[] {
  const spoken = attrOf(el, 'aria-label') ?? '';
  if (spoken === '' || spoken.length > LABEL_UNITS * 2) return [];
  const [, number, unit] = /^(\p{N}[\p{N}.,]*\s?[kKmM]?)\s+(\p{L}[\p{L} ]{1,20})/u.exec(spoken) ?? [];
  const text = view.text(el).replace(/^[\p{So}\p{Sk}\s\uFE0F]+/u, '');
  const value = view.inert.createElement('span');
  value.textContent = number ?? text;
  if (number !== undefined && unit !== undefined)
    return text === '' || isNumeric(text)
      ? [{ label: unit, value, at: el, kind: 'unit', sure: SURE.icon }]
      : [];
  const label = spoken.replace(text, '').replace(/[\s:]+$/, '');
  return !isNumeric(text) || asLabel(label) === null || /\p{N}/u.test(label)
    ? []
    : [{ label, value, at: el, kind: 'icon', sure: SURE.icon }];
}

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
