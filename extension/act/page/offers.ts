import { cut } from '../../../shared/base/cut.ts';
import { PageError } from '../../dom/doorway.ts';
import { checkedOf } from './controls.ts';
import { choiceOf, isGroupOfChoices, othersChecked } from './fields.ts';
import { describeElement } from './hit.ts';
import { quote } from './notes.ts';
import { isChosen, offerOf, OPTIONS, type Offer, type Other, type Popup } from './popup.ts';

const VALUE_UNITS = 80;
const OFFERS_NAMED = 12;
const LABELS_SHOWN = 20;
const LABEL_UNITS = 60;

export const listed = (names: readonly string[]): string =>
  names.map((name) => cut(name, VALUE_UNITS).toWellFormed()).join(', ');

export function described({ shown, count }: Offers): string {
  if (count === 0) return 'nothing is offered for it';
  const more = count > OFFERS_NAMED ? ` and ${count - OFFERS_NAMED} more` : '';
  return `offered are ${shown
    .slice(0, OFFERS_NAMED)
    .map((name) => quote(name))
    .join(', ')}${more}`;
}

/** The offers of a control, and the one with a text. */
export interface Offers {
  readonly option: Element | null;
  readonly name: string;
  readonly isChosen: boolean;
  readonly isOpen: boolean;
  /** A popup of the control is open. */
  readonly canClose: boolean;
  readonly isMultiple: boolean;
  /** The control shows the text already. */
  readonly isHeld: boolean;
  /** The first choices. */
  readonly shown: readonly string[];
  readonly count: number;
}

const NOTHING_OFFERED: Offers = {
  ...{ option: null, name: '', isChosen: false, isOpen: false, canClose: false },
  ...{ isMultiple: false, isHeld: false, shown: [], count: 0 },
};

export interface Looking {
  readonly text: string;
  /** Anything that appears from now on is the control's popup. */
  readonly isFirst: boolean;
  /** No better match will come. */
  readonly isLast: boolean;
}

/**
 * The options that a group, list or popup offers now, and the one with a text.
 * @throws PageError `option_not_found` with the choices of a group
 */
export function offersOf(el: Element, { text, isFirst, isLast }: Looking, popup: Popup): Offers {
  const ofGroup = choiceIn(el, text);
  if (ofGroup !== null) return ofGroup;
  if (isFirst) popup.watch(el);
  const { offers, ...opened } = popup.offersOf(el);
  const found = text === '' ? null : offerOf(offers, text, isLast);
  const name = found === null ? '' : found.text || text;
  const rows = found === null && isMessage(offers) ? [] : offers;
  return {
    ...opened,
    option: found?.el ?? null,
    name,
    isChosen: found !== null && popup.isChosen(el, found),
    isHeld: found === null ? isFirst && text !== '' && popup.holds(el, text) : popup.isValue(el, name),
    shown: rows.slice(0, LABELS_SHOWN).map((offer) => cut(offer.name, LABEL_UNITS)),
    count: rows.length,
  };
}

/** Whether the only text of a list tells that it has no options. */
const isMessage = ([only, second]: readonly Offer[]): boolean =>
  only !== undefined &&
  second === undefined &&
  !only.el.matches(OPTIONS) &&
  only.el.closest('[role=listbox]') !== null;

/** Null without a group. */
function choiceIn(el: Element, text: string): Offers | null {
  const choice = choiceOf(el, text);
  const count = choice.labels.length;
  if (choice.el !== null) return { ...NOTHING_OFFERED, option: choice.el, name: text, isOpen: true, count };
  if (count === 0) return null;
  if (text === '') return NOTHING_OFFERED;
  const shown = choice.labels.slice(0, LABELS_SHOWN).map((label) => JSON.stringify(label));
  const what = `has no choice ${JSON.stringify(text)}; it has ${shown.join(', ')}.`;
  throw new PageError('option_not_found', `${describeElement(el)} ${what}`);
}

/** Whether a control has taken the option with a text. */
export function hasTaken(el: Element, option: Element, text: string, popup: Popup): boolean {
  const { isOpen, offers } = popup.offersOf(el);
  // Pages may redraw a group.
  const choice = choiceOf(el, text).el;
  if ((!isOpen && choice === null) || popup.shows(el, text) || isChosen(option)) return true;
  // Some lists drop what is chosen.
  const isDropped = !option.isConnected && offers.length > 0 && offerOf(offers, text, false) === null;
  return isDropped || checkedOf(choice ?? option) === true;
}

/** The chosen values of a control, or a group of check boxes, that these texts do not name. */
export const othersIn = (el: Element, texts: readonly string[], popup: Popup): readonly Other[] =>
  isGroupOfChoices(el)
    ? othersChecked(el, texts).map((press) => ({ press, chip: null, name: '' }))
    : popup.othersOf(el, texts);
