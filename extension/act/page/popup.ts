import { comparable } from '../../../shared/base/comparable.ts';
import { computeName } from '../../dom/names/name.ts';
import { roleOf } from '../../dom/names/role.ts';
import { isHtml, isInput, squash, treeOf } from '../../dom/elements.ts';
import { flatParent, lineageOf, elementsIn } from '../../dom/trees.ts';
import { mayBeShown, shownTextIn } from '../../dom/visible.ts';
import { beginsWord } from './notes.ts';
import { isWithinReach } from './aim.ts';
import { readValue } from './controls.ts';
import { tellScroll } from './motion.ts';
import { whenFaded } from './quiet.ts';
import { drawnIn, isDrawnIn, isLayer, ownText, surroundingsOf } from './surroundings.ts';

export const OPTIONS =
  '[role=option],[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox],[role=treeitem]';
/** Maximum rows examined in a popup without roles. */
const ROWS_MAX = 500;

interface PopupRow {
  readonly el: Element;
  readonly name: string;
}

export interface Offer extends PopupRow {
  /** The name without what style adds, such as a hint at the option under the arrow keys. */
  readonly text: string;
}

export interface Offers {
  /** Whether the control's list or popup is visible. */
  readonly isOpen: boolean;
  readonly canClose: boolean;
  readonly isMultiple: boolean;
  readonly offers: readonly Offer[];
}

/** The popup that a control opens: the one the page connects with it, else whatever came into view since. */
export class Popup {
  #control: Element | null = null;
  #shownBefore: ReadonlySet<Element> = new Set();

  /** Records what is visible before a control is operated. @param opened layers that it has opened by then */
  watch(control: Element, opened: readonly Element[] = []): void {
    // The next value may be in the popup that the last one left open.
    if (this.#control === control && this.#opened(control).length > 0) return;
    this.#control = control;
    const isBefore = (el: Element): boolean => isSeen(el) && !opened.some((on) => isDrawnIn(el, on));
    this.#shownBefore = new Set(elementsIn(control.ownerDocument, '*').filter(isBefore));
  }

  /** A fading popup of the previous control would count as visible before. */
  async whenClosed(control: Element): Promise<void> {
    await whenFaded(control.ownerDocument, (el) => el !== control && isPopup(el) && !isDrawnIn(control, el));
  }

  async watchFor(control: Element): Promise<void> {
    await this.whenClosed(control);
    this.watch(control);
  }

  forget(): void {
    this.#control = null;
    this.#shownBefore = new Set();
  }

  offersOf(control: Element): Offers {
    const popups = this.#popupsOf(control);
    const named = popups.flatMap((popup) => optionsIn(popup));
    const offers = named.length > 0 ? named : popups.flatMap((popup) => rowsIn(popup));
    const canClose = popups.some((popup) => popup !== control);
    const isMultiple = popups.some((popup) => popup.matches(MULTIPLE) || drawnIn(popup, MULTIPLE).length > 0);
    return { isOpen: popups.length > 0, canClose, isMultiple, offers };
  }

  /** Scrolls the visible choices on, or back to the first. `from`: where they were before. */
  scroll(control: Element, isFirst: boolean): { readonly moved: boolean; readonly from: number } {
    const around = this.#popupsOf(control).flatMap((popup) => [popup, ...drawnIn(popup, '*')]);
    let from = 0;
    for (const el of around) {
      if (el.scrollHeight <= el.clientHeight + 1 || el.clientHeight < 20) continue;
      const before = el.scrollTop;
      from = Math.max(from, before);
      el.scrollTop = isFirst ? 0 : before + el.clientHeight * 0.8;
      if (Math.abs(el.scrollTop - before) <= 1) continue;
      tellScroll(el);
      return { moved: true, from };
    }
    return { moved: false, from };
  }

  /** The field in a control's open popup by which its choices are searched. */
  searchField(control: Element): Element | null {
    const fields = this.#popupsOf(control).flatMap((popup) => drawnIn(popup, 'input'));
    return fields.find((el) => isInput(el) && SEARCHES.has(el.type) && !el.readOnly && isSeen(el)) ?? null;
  }

  /**
   * Whether an offer is chosen. Many lists mark the option under the arrow keys as selected: such a mark counts if the
   * list takes several, or the control shows the option or a number of them.
   */
  isChosen(control: Element, { el, text }: Offer): boolean {
    const option = el.closest(MARKED);
    if (option === null || !isChosen(el)) return false;
    if (option.matches('[aria-checked]') || option.closest(MULTIPLE) !== null) return true;
    return this.holds(control, text) || this.#around(control).rows.some(({ name }) => /\d/.test(name));
  }

  /** Whether a control shows exactly this text outside its popup; the popup may omit chosen options. */
  holds(control: Element, text: string): boolean {
    return this.#around(control).rows.some(({ name }) =>
      [name, ...name.split(/\s*,\s*/)].some((part) => isSameName(part, text)),
    );
  }

  /** Whether a control shows exactly this text, or offers it as chosen. */
  has(control: Element, text: string): boolean {
    const isThis = (offer: Offer): boolean => isSameName(offer.text, text) && this.isChosen(control, offer);
    return this.holds(control, text) || this.offersOf(control).offers.some(isThis);
  }

  /** Like {@link holds}, or as the text of a field. A field that was typed into shows what was typed. */
  isValue(control: Element, text: string): boolean {
    const { values } = this.#around(control);
    return values.some((value) => isSameName(value, text)) || this.holds(control, text);
  }

  /** Whether a control shows a text outside its popup: as its value, or next to it as a chip. */
  shows(control: Element, text: string): boolean {
    return this.shownBy(control).some((part) => part.includes(comparable(text)));
  }

  /** The texts that a control shows outside its popup. */
  shownBy(control: Element): readonly string[] {
    const { rows, values } = this.#around(control);
    return [...values, ...rows.map(({ name }) => name)].map(comparable);
  }

  /**
   * The chosen options that these texts do not name: from the open popup, else from chips next to the control that look
   * like those of the texts. Clicking `press` removes one.
   */
  othersOf(control: Element, texts: readonly string[]): readonly Other[] {
    const isAsked = (name: string): boolean => texts.some((text) => isSameName(text, name));
    const { offers } = this.offersOf(control);
    const chosen = offers.filter((offer) => !isAsked(offer.text) && this.isChosen(control, offer));
    if (chosen.length > 0) return chosen.map(({ el, text }) => ({ name: text, press: el, chip: null }));
    const { rows } = this.#around(control);
    const asked = rows.filter(({ name }) => isAsked(name));
    const chips = rows.filter(
      ({ el, name }) => !isAsked(name) && asked.some((other) => isAlike(el, other.el)),
    );
    const listed = rows.flatMap(({ name }) => {
      const parts = name.split(/\s*,\s*/);
      return parts.some(isAsked) ? parts.filter((part) => !isAsked(part)) : [];
    });
    const values = [control, ...[...asked, ...chips].map(({ el }) => el)];
    return [
      ...chips.map(({ el, name }) => ({ name, press: removerOf(el, values), chip: el })),
      ...listed.map((name) => ({ name, press: null, chip: null })),
    ];
  }

  /** Texts that a control shows outside its popup, and the values of its fields. */
  #around(control: Element): { readonly rows: readonly PopupRow[]; readonly values: readonly string[] } {
    const own = surroundingsOf(control);
    const popups = this.#popupsOf(control);
    const isOutside = (el: Element): boolean => !popups.some((popup) => isDrawnIn(el, popup));
    const rows = rowsIn(own).filter(({ el }) => isOutside(el));
    const inputs = elementsIn(own, 'input').filter(isInput).filter(isOutside);
    return {
      // Commas separate values in a row.
      rows: rows
        .map(({ el }) => ({ el, name: ownText(el).replace(/[\s,;]+$/, '') }))
        // A typed text is not a value yet.
        .filter(({ el, name }) => name !== '' && !(el === control && isHtml(el) && el.isContentEditable)),
      values: [readValue(control), ...inputs.map(({ value }) => value)],
    };
  }

  #popupsOf(control: Element): readonly Element[] {
    // A list's box may appear before its options, and show its value while they are hidden.
    const hasOptions = (el: Element): boolean => el === control && el.querySelector(OPTIONS) !== null;
    const owned = ownedBy(control).filter(
      (el) => isSeen(el) && (optionsIn(el).length > 0 || (!hasOptions(el) && rowsIn(el).length > 0)),
    );
    const opened = this.#control === control ? this.#opened(control) : [];
    return topmost([...owned, ...opened]);
  }

  /** Layers and lists that have appeared. Text that a page adds to a field is not one, nor are chosen values before it. */
  #opened(control: Element): readonly Element[] {
    return elementsIn(control.ownerDocument, '*').filter(
      (el) =>
        !this.#shownBefore.has(el) &&
        isSeen(el) &&
        !isDrawnIn(control, el) &&
        isPopup(el) &&
        !isBefore(el, control),
    );
  }
}

/** Whether an element comes before a control, in no layer of its own. */
const isBefore = (el: Element, control: Element): boolean =>
  el.compareDocumentPosition(control) === Node.DOCUMENT_POSITION_FOLLOWING &&
  !lineageOf(el).some((up) => isLayer(up) && !isDrawnIn(control, up));

const MULTIPLE = '[aria-multiselectable=true]';
const SEARCHES: ReadonlySet<string> = new Set(['text', 'search']);

/** A chosen value, the element that removes it when pressed, and its chip; null if unknown. */
export interface Other {
  readonly name: string;
  readonly press: Element | null;
  readonly chip: Element | null;
}

const isSameName = (a: string, b: string): boolean => comparable(a) === comparable(b);

function isAlike(a: Element, b: Element): boolean {
  const look = (el: Element | null): string => `${el?.localName} ${el?.getAttribute('class')}`;
  return look(a) === look(b) && look(flatParent(a)) === look(flatParent(b));
}

function removerOf(chip: Element, others: readonly Element[]): Element | null {
  let box = chip;
  for (let up = flatParent(chip); up !== null; up = flatParent(up)) {
    const outer = up;
    if (others.some((other) => other !== chip && isDrawnIn(other, outer))) break;
    box = up;
  }
  const [only, second] = drawnIn(box, '*').filter(
    (el) => isSeen(el) && !isDrawnIn(chip, el) && isDrawnIn(chip, flatParent(el) ?? box),
  );
  return only !== undefined && second === undefined ? only : null;
}

export const LISTS = 'ul,ol,[role=listbox],[role=menu],[role=tree],[role=grid]';

function isPopup(el: Element): boolean {
  if (el.matches(LISTS) || el.matches(OPTIONS) || el.querySelector(OPTIONS) !== null) return true;
  // A button that clears the field also appears with its text.
  return isLayer(el) && isTall(el) && rowsIn(el).length > 0;
}

/** Whether a popup has a row with this text that leads nowhere else. */
export const hasRow = (popup: Element, text: string): boolean =>
  isPopup(popup) &&
  [...optionsIn(popup), ...rowsIn(popup)].some(
    (row) => isSameName(row.text, text) && row.el.closest('a[href]') === null,
  );

const isTall = (el: Element): boolean => el.getBoundingClientRect().height >= 20;

/** Visible, and not faded out. */
function isSeen(el: Element): boolean {
  return isWithinReach(el) && mayBeShown(el);
}

function topmost(elements: readonly Element[]): readonly Element[] {
  const all = new Set(elements);
  return [...all].filter((el) => !lineageOf(flatParent(el)).some((up) => all.has(up)));
}

/** Lists that the page connects with a control, or with the combobox around it. */
function ownedBy(control: Element): readonly Element[] {
  const around = control.closest('[role=combobox]');
  const scope = treeOf(control);
  const ids = [control, ...(around === null ? [] : [around])].flatMap((el) =>
    ['aria-controls', 'aria-owns'].flatMap((name) => (el.getAttribute(name) ?? '').split(/\s+/)),
  );
  const owned = ids.flatMap((id) => (id === '' ? [] : (scope.getElementById(id) ?? [])));
  return control.matches('[role=listbox],[role=menu],[role=tree]') ? [control, ...owned] : owned;
}

const named = (el: Element): string => {
  const name = squash(computeName(el, roleOf(el, el.localName)));
  return name === '' && isHtml(el) ? shownTextIn(el) : name;
};

/** Some libraries keep options for screen readers in a list without a size. */
function isPainted(el: Element, within: Element): boolean {
  for (let up: Element | null = el; up !== null; up = flatParent(up)) {
    const { width, height } = up.getBoundingClientRect();
    if ((width < 1 || height < 1) && getComputedStyle(up).overflow !== 'visible') return false;
    if (up === within) break;
  }
  return true;
}

const optionsIn = (popup: Element): readonly Offer[] =>
  [...(popup.matches(OPTIONS) ? [popup] : []), ...drawnIn(popup, OPTIONS)]
    .filter((el) => isSeen(el) && isPainted(el, popup))
    .map((el) => {
      const name = named(el);
      const text = isHtml(el) ? shownTextIn(el) : '';
      return { el, name, text: text !== '' && name.includes(text) ? text : name };
    });

/** Rows of a popup without roles: the innermost elements with text of their own. */
function rowsIn(popup: Element): readonly Offer[] {
  const rows: Offer[] = [];
  for (const el of [popup, ...drawnIn(popup, '*')]) {
    if (rows.length >= ROWS_MAX) break;
    // A native list that a library replaced keeps its options.
    if (!isHtml(el) || el.localName === 'option') continue;
    if (ownText(el) === '' || !isSeen(el) || !isPainted(el, popup)) continue;
    const name = shownTextIn(el);
    rows.push({ el, name, text: name });
  }
  return rows;
}

const MARKED = '[aria-selected],[aria-checked]';

/** Whether the page marks an option as chosen. */
export const isChosen = (el: Element): boolean =>
  el.closest(MARKED)?.matches('[aria-selected=true],[aria-checked=true]') === true;

/**
 * The offer with a text: exactly, ignoring case, or by value; with `isLast`, else the only one with a word that begins
 * with the text.
 */
export function offerOf(offers: readonly Offer[], text: string, isLast: boolean): Offer | null {
  const wanted = squash(text);
  const folded = comparable(text);
  const found =
    offers.find(({ name }) => name === wanted) ??
    offers.find(({ name, text }) => [name, text].some((each) => comparable(each) === folded)) ??
    // An option without a name may be one that is still fading in.
    offers.find(
      ({ el, name }) =>
        (isLast || name !== '') && [el.getAttribute('value'), el.getAttribute('data-value')].includes(text),
    );
  if (found !== undefined || !isLast || folded === '') return found ?? null;
  const [only, second] = offers.filter(({ name }) => beginsWord(comparable(name), folded));
  return only !== undefined && second === undefined ? only : null;
}
