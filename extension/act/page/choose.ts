import { delay } from '../../../shared/base/async.ts';
import { PageError } from '../../dom/doorway.ts';
import { checkedOf, resolveControlKind } from './controls.ts';
import { describeElement, unsuitable } from './hit.ts';
import { whenDrawn } from './motion.ts';
import { described, hasTaken, listed, offersOf, othersIn, type Looking, type Offers } from './offers.ts';
import { quote, type FieldState } from './notes.ts';
import type { Other } from './popup.ts';
import { NOT_CHOSEN, SEARCH, TYPED_VALUE, type Choosing } from './protocol.ts';
import { press } from './point.ts';
import { codeOf, focus, insert, notTaken, type StepParts } from './step.ts';
import { openerOf } from './surroundings.ts';

const LOOK_MS = 30;
/** How long a popup takes to open. A searchable one may wait for typing. */
const OPEN_MS = { typed: 250, pressed: 2_000, offered: 1_000 };
/** A popup whose options have not changed for this long has no more for now. */
const SETTLED_MS = { opened: 200, typed: 700, filtered: 400 };
const OFFERS_MS = 5_000;
/** A list that draws late, behind the front tab, is not searched for longer. */
const SEARCH_MS = 30_000;
const CLOSED_MS = 300;
/** A page that draws slowly gets this many drawings to close a popup. */
const CLOSED_DRAWINGS = 5;
/** Maximum scrolls of a list that is drawn in parts. */
const PARTS_MAX = 60;
const TRIES_MAX = 3;
const FLAT_PX = 2;

/** A list that is closing offers its options for a moment longer. */
const CLOSING = new Set(['target_hidden', 'target_moving', 'target_covered', 'stale_ref']);

const notShown = (text: string): string =>
  `chosen, and does not show ${quote(text)}; if its popup has a button that confirms, click the option, then that`;

interface Choice {
  readonly value: string;
  /** A text without a matching option may stay as typed; a note reports that. */
  readonly mayStay: boolean;
  /** If the control shows the value, it has had it since before. */
  readonly mayHave: boolean;
}

/**
 * Chooses values one after another from a control's offers: a group, a list, or a popup that it opens.
 * @throws PageError `option_not_found` with the offers, `value_not_taken`
 */
export const choose = (el: Element, step: Choosing, parts: StepParts): Promise<string> =>
  new Chooser(el, step, parts).run();

class Chooser {
  readonly #kind;
  readonly #hands;
  readonly #popup;
  readonly #typing;
  readonly #values: readonly string[];
  /** A control may take several values and not say so. */
  #isMultiple: boolean;

  constructor(
    private readonly el: Element,
    private readonly step: Choosing,
    private readonly parts: StepParts,
  ) {
    this.#kind = resolveControlKind(el);
    ({ hands: this.#hands, popup: this.#popup, typing: this.#typing } = parts);
    const isMultiple = el.getAttribute('aria-multiselectable') === 'true' || el.hasAttribute('multiple');
    this.#isMultiple = isMultiple || typeof step.chosen !== 'string';
    this.#values = [step.chosen].flat();
  }

  async run(): Promise<string> {
    const values = this.#values;
    if (values.length === 0) this.#expectShown();
    const taken: string[] = [];
    const before = this.#shown;
    const mayHave = this.#kind === 'combobox' || this.#kind === 'listbox';
    for (const value of values) {
      const offers = await this.#chooseOne({
        value,
        mayStay: this.step.isFree && values.length === 1,
        mayHave,
      });
      const isHeld = this.#isMultiple && offers.isHeld;
      if (offers.option === null && !isHeld) return `${NOT_CHOSEN}${described(offers)}`;
      this.#isMultiple ||= offers.isMultiple;
      taken.push(offers.option === null ? value : offers.name);
    }
    if (this.#isMultiple && this.#kind !== 'other') return this.#finish(taken, before);
    const [text = ''] = taken;
    if (!(await this.#leave()) || (await this.#hands.until(() => this.#popup.shows(this.el, text))))
      return `= ${listed(taken)}`;
    return notShown(text);
  }

  get #shown(): string {
    return JSON.stringify(this.#popup.shownBy(this.el));
  }

  /** A list may be flat without a value; a text field of that size is a point in its box. */
  #open(): Promise<unknown> {
    return press(openerOf(this.el, this.#takesText ? undefined : FLAT_PX), this.parts);
  }

  /** The chosen values that no text names are known only from a group or an open list. */
  #expectShown(): void {
    if (this.#kind === 'other' || (this.#isMultiple && this.#look('').isOpen)) return;
    throw notTaken(this.el, ' is not emptied by an empty list: click what removes its values');
  }

  /** Leaves a control for several values with only those. Reports differences in its display. */
  async #finish(texts: readonly string[], before: string): Promise<string> {
    let left: readonly string[] = [];
    for (let least = Infinity, until = 0, failed = 0; failed < TRIES_MAX;) {
      const others = othersIn(this.el, texts, this.#popup);
      left = others.map(({ name }) => name);
      const isLess = left.length < least;
      const isAll = others.every(({ press, chip }) => press === null && chip === null);
      if (isAll || (!isLess && performance.now() >= until)) break;
      if (isLess) {
        if (await this.#takeBack(others)) least = left.length;
        else failed += 1;
        until = performance.now() + CLOSED_MS;
      }
      await delay(LOOK_MS, this.#hands.signal);
    }
    const isNew = !(await this.#leave()) || this.#shown !== before;
    // A value that a control does not show is unknown.
    if (!isNew && texts.length > 0 && !texts.some((text) => this.#popup.holds(this.el, text)))
      return notShown(listed(texts));
    const lacks = texts.filter((text) => !this.#popup.has(this.el, text));
    return [
      `= ${listed(texts)}`,
      ...(left.length === 0 ? [] : [`also shows ${quote(listed(left))}`]),
      ...(lacks.length === 0 || lacks.length === texts.length
        ? []
        : [`does not show ${quote(listed(lacks))}`]),
    ].join('; ');
  }

  /** Removes one value: by its button or option, else by pressing its chip and Delete. False if it was already gone. */
  async #takeBack(others: readonly Other[]): Promise<boolean> {
    const button = others.find(({ press }) => press !== null)?.press ?? null;
    const pressed = button ?? others.find(({ chip }) => chip !== null)?.chip ?? null;
    if (pressed === null || (button === null && !this.#takesText)) return true;
    try {
      await press(pressed, this.parts, CLOSED_MS);
    } catch (thrown) {
      if (CLOSING.has(codeOf(thrown))) return false;
      throw thrown;
    }
    if (button !== null) return true;
    await focus(this.el, 'none', { ...this.parts, waitMs: CLOSED_MS });
    await this.#hands.key('Delete');
    return true;
  }

  /** A text field may suggest values though it does not say so. */
  get #takesText(): boolean {
    return this.#kind === 'combobox' || this.#kind === 'text';
  }

  /** Resolves without an option if the typed text was left as it is. */
  async #chooseOne(one: Choice): Promise<Offers> {
    await this.#popup.whenClosed(this.el);
    const first = this.#look(one.value, { isFirst: true });
    if (first.option !== null) return this.#pick(one, first);
    // A list may omit chosen options.
    if (first.isHeld && this.#isMultiple) return first;
    if (!first.isOpen) await this.#open();
    let offers = await this.#awaitOffers(one.value, OPEN_MS.typed);
    // Typing brings an option closer that is drawn out of reach.
    const picked = offers.option !== null && (await this.#pick(one, offers).catch(this.#unlessTyped));
    if (picked) return picked;
    if (this.#takesText) {
      const typed = await this.#chooseTyped(one);
      if (typed !== null) return typed;
    }
    // The popup may take longer to open, or draw its choices in part.
    if (!offers.isOpen) offers = await this.#awaitOffers(one.value, OPEN_MS.pressed);
    if (!offers.isOpen) {
      // The press has closed a popup that was open before.
      await this.#open();
      offers = await this.#awaitOffers(one.value, OPEN_MS.pressed);
    }
    if (offers.option === null) offers = await this.#searchOn(one.value, offers);
    if (offers.option === null) offers = (await this.#searchIn(one.value, offers)) ?? offers;
    if (offers.option !== null) return this.#pick(one, offers);
    await this.#leave();
    throw this.#notOffered(one.value, offers);
  }

  async #typeIn(
    field: Element,
    text: string,
    index: number | null = this.#values.indexOf(text) + (this.step.from ?? 0),
  ): Promise<FieldState> {
    await focus(field, 'all', this.parts);
    return insert(field, { text, index }, this.parts);
  }

  readonly #unlessTyped = (thrown: unknown): null => {
    if (this.#takesText && codeOf(thrown) === 'target_hidden') return null;
    throw thrown;
  };

  /** Types a value, and chooses the matching option. Null if the control does not take the text. */
  async #chooseTyped(one: Choice): Promise<Offers | null> {
    const { value, mayStay } = one;
    const { value: before } = this.#typing.state(this.el, null);
    const { value: typed, isSecret } = await this.#typeIn(this.el, value);
    if (typed === '' && !isSecret) return null;
    const offers = await this.#awaitLast(value, SETTLED_MS.typed);
    if (offers.option !== null) return this.#pick({ ...one, mayHave: false }, offers);
    const entered = await this.#enter(value, offers);
    if (entered !== null) return entered;
    const isRelated = offers.shown.some((name) => name.toLowerCase().includes(value.toLowerCase()));
    const isSearch = this.el.matches(SEARCH) && !this.#isMultiple && !offers.isMultiple;
    if (mayStay && (!offers.isOpen || isRelated || isSearch || TYPED_VALUE.test(value))) return offers;
    await this.#typeIn(this.el, before, null);
    await this.#leave();
    throw this.#notOffered(value, offers);
  }

  /** A control for several values may make one of any text, on Enter, which must not send a form meanwhile. */
  async #enter(value: string, offers: Offers): Promise<Offers | null> {
    if (!this.#isMultiple || offers.count > 0 || !this.#takesText) return null;
    this.#typing.stay(this.el);
    await this.#hands.key('Enter');
    const hasTaken = (): boolean =>
      this.#popup.has(this.el, value) && this.#typing.state(this.el, null).value === '';
    return (await this.#hands.until(hasTaken)) ? { ...offers, isHeld: true } : null;
  }

  /** Lists may draw only the options in view, or load more at their end. */
  async #searchOn(value: string, first: Offers): Promise<Offers> {
    let offers = first;
    const until = performance.now() + SEARCH_MS;
    // A list opens at a chosen option: those above it come after its end.
    for (
      let [part, above, isFirst] = [0, 0, false];
      part < PARTS_MAX && offers.isOpen && performance.now() < until;
      part += 1
    ) {
      const { moved, from } = this.#popup.scroll(this.el, isFirst);
      // A list draws its next options in a scroll listener: the next scroll would skip them.
      if (moved) await whenDrawn(document);
      if (part === 0) above = from;
      if (!moved && above <= 1) break;
      isFirst = !moved;
      if (isFirst) {
        above = 0;
        continue;
      }
      await delay(LOOK_MS, this.#hands.signal);
      offers = this.#hands.isLoading ? await this.#awaitOffers(value, OPEN_MS.typed) : this.#look(value);
      if (offers.option !== null) return offers;
    }
    // A request that the end of the list has led to is known a moment later.
    const isLoading = (): boolean => this.#hands.isLoading;
    if (offers.isOpen && (await this.#hands.until(isLoading, OPEN_MS.typed)))
      await this.#awaitOffers(value, OPEN_MS.typed);
    return this.#look(value, { isLast: true });
  }

  /** Popups with a field that searches may offer the rest only then. Null if they do not offer the value. */
  async #searchIn(value: string, { isOpen }: Offers): Promise<Offers | null> {
    if (this.#kind !== 'listbox' || !isOpen || this.parts.how.isSecret) return null;
    const field = this.#popup.searchField(this.el);
    if (field === null) return null;
    await this.#typeIn(field, value);
    const offers = await this.#awaitLast(value, SETTLED_MS.typed);
    return offers.option === null ? null : offers;
  }

  /** Polls until the value is offered, or nothing more appears. */
  async #awaitOffers(value: string, openMs: number, settledMs = SETTLED_MS.opened): Promise<Offers> {
    const startedAt = performance.now();
    let [last, changedAt, restMs] = ['', startedAt, settledMs];
    for (;;) {
      const offers = this.#look(value);
      const now = performance.now();
      const seen = JSON.stringify(offers.shown);
      // A list that has changed once is filtered by now.
      if (seen !== last && last !== '') restMs = Math.min(restMs, SETTLED_MS.filtered);
      if (seen !== last) [last, changedAt] = [seen, now];
      if (this.#hands.isLoading) changedAt = now;
      const isSettled = now - changedAt >= (offers.isOpen ? restMs : openMs);
      if (offers.option !== null || isSettled || now - startedAt >= OFFERS_MS) return offers;
      await delay(LOOK_MS, this.#hands.signal);
    }
  }

  /** The same for a filtered popup: finally the nearest option is accepted. */
  async #awaitLast(value: string, settledMs: number): Promise<Offers> {
    const offers = await this.#awaitOffers(value, OPEN_MS.offered, settledMs);
    return offers.option === null ? this.#look(value, { isLast: true }) : offers;
  }

  #look(text: string, how: Partial<Looking> = {}): Offers {
    return offersOf(this.el, { text, isFirst: false, isLast: false, ...how }, this.#popup);
  }

  /** Presses an option, and waits until the page has taken it. */
  async #pick(one: Choice, first: Offers): Promise<Offers> {
    const offers = await this.#pressOption(one, first);
    const { option, name } = offers;
    if (option === null) return offers;
    if (!(await this.#hands.until(() => hasTaken(this.el, option, name, this.#popup))))
      throw notTaken(this.el, ` does not show ${quote(name)} after ${describeElement(option)} was pressed`);
    if (!one.mayHave || !offers.isHeld || this.#popup.isValue(this.el, name)) return offers;
    // The control drops a value which is chosen a second time.
    await this.#leave();
    await this.#open();
    const again = await this.#awaitOffers(one.value, OPEN_MS.pressed);
    if (again.option === null) throw this.#notOffered(one.value, again);
    return this.#pick({ ...one, mayHave: false }, again);
  }

  /** Presses an option, unless it is on. Lists that are redrawn while they are filtered offer it again. */
  async #pressOption(one: Choice, first: Offers): Promise<Offers> {
    let offers = first;
    for (let tries = 1; ; tries += 1) {
      const { option } = offers;
      const isKept = this.#isMultiple || offers.isMultiple || (one.mayHave && offers.isHeld);
      if (option === null || checkedOf(option) === true || (offers.isChosen && isKept)) return offers;
      try {
        await press(option, this.parts);
        return offers;
      } catch (thrown) {
        if (codeOf(thrown) !== 'stale_ref' || tries === TRIES_MAX) throw thrown;
        offers = await this.#awaitLast(one.value, SETTLED_MS.opened);
      }
      if (offers.option === null) throw this.#notOffered(one.value, offers);
    }
  }

  #notOffered(value: string, offers: Offers): PageError {
    const line = describeElement(this.el);
    if (this.#kind === 'text' && this.#isMultiple) return unsuitable(this.el, 'takes one value.');
    if (this.#kind === 'text' && offers.count === 0)
      return unsuitable(this.el, 'offers nothing to choose. Use fill.');
    const option = this.parts.how.isSecret ? 'with this text' : quote(value);
    return new PageError('option_not_found', `${line} has no option ${option}; ${described(offers)}.`);
  }

  /**
   * Closes the popup, so that it covers nothing. If it is closing, Escape would close what is below it. True if it did
   * not close by itself: some forget their choice then.
   */
  async #leave(): Promise<boolean> {
    const until = performance.now() + CLOSED_MS;
    for (let drawings = 0; this.#look('').canClose; drawings += 1) {
      if (performance.now() >= until && drawings >= CLOSED_DRAWINGS) {
        await this.#hands.key('Escape');
        return true;
      }
      await whenDrawn(document);
      await delay(LOOK_MS, this.#hands.signal);
    }
    return false;
  }
}
