import { delay } from '../../../shared/async/wait.ts';
import { cut } from '../../../shared/cut.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { ActAnswers, FieldState } from '../../page/act/protocol.ts';
import type { Held } from './act-page.ts';
import type { Hands } from './hands.ts';

const VALUE_UNITS = 80;
const LOOK_MS = 30;
/** How long a popup takes to open. One that is typed into may wait for the typing. */
const OPEN_MS = { typed: 250, pressed: 2_000, offered: 1_000 } as const;
/** A popup whose options have not changed for this long has no more for now. */
const SETTLED_MS = { opened: 200, typed: 1_000 } as const;
const OFFERS_MS = 5_000;
/** How long a popup takes to close by itself. */
const CLOSED_MS = 300;
/** How long a control takes to show what was chosen. */
const TAKEN_MS = 1_000;
/** A list that is drawn part by part is scrolled so often at most. */
const PARTS_MAX = 60;
const OFFERS_NAMED = 12;
const TRIES_MAX = 3;

type Offers = ActAnswers['offers'];

/** Puts a text in place of what a combobox holds, and returns what it holds then. */
type Type = (held: Held, text: string) => Promise<FieldState>;

/** Chooses values from what a control offers: a group, a list, or a popup that it opens. */
export class Choosing {
  readonly #hands: Hands;
  readonly #type: Type;

  constructor(hands: Hands, type: Type) {
    this.#hands = hands;
    this.#type = type;
  }

  /**
   * Chooses one value after the other.
   *
   * @param isFree a text that is not offered may stay as it was typed; a note says so
   * @throws SpillwayError `option_not_found` with what there is, `value_not_taken`
   */
  async choose(held: Held, values: readonly string[], { isFree = false } = {}): Promise<string> {
    const taken: string[] = [];
    let isMultiple = held.facts.isMultiple || values.length > 1;
    for (const value of values) {
      const one = { ...held, facts: { ...held.facts, isMultiple } };
      const offers = await this.#chooseOne(one, value, isFree && values.length === 1);
      const isHeld = isMultiple && offers.isHeld;
      if (offers.option === null && !isHeld) return `typed, not chosen: ${described(offers)}`;
      isMultiple ||= offers.isMultiple;
      taken.push(isHeld ? value : offers.name);
    }
    if (isMultiple && held.facts.kind !== 'other') return this.#finish(held, taken);
    await this.#leave(held);
    return `= ${listed(taken)}`;
  }

  /** Leaves a control for several values with those alone. Says where it does not show them so. */
  async #finish(held: Held, taken: readonly string[]): Promise<string> {
    const left = await this.#dropOthers(held, taken);
    await this.#leave(held);
    const lacks = await this.#missing(held, taken);
    return [
      `= ${listed(taken)}`,
      ...(left.length === 0 ? [] : [`also shows ${quote(listed(left))}`]),
      ...(lacks.length === 0 ? [] : [`does not show ${quote(listed(lacks))}`]),
    ].join('; ');
  }

  /** The chosen values that a control does not show, if it shows any. */
  async #missing({ page, facts }: Held, texts: readonly string[]): Promise<readonly string[]> {
    const { signal } = this.#hands.options;
    const { shown } = await page.ask({ do: 'others', held: facts.held, texts }, signal);
    return shown.length === 0 ? [] : texts.filter((text) => !shown.includes(text));
  }

  /** Takes back what is chosen and was not asked for. Returns what stays. */
  async #dropOthers({ page, facts }: Held, texts: readonly string[]): Promise<readonly string[]> {
    const { signal } = this.#hands.options;
    let least = Infinity;
    let until = 0;
    for (;;) {
      const { found, left } = await page.ask({ do: 'others', held: facts.held, texts }, signal);
      const [first] = found;
      const isLess = left.length < least;
      if (first === undefined || (!isLess && performance.now() >= until)) return left;
      if (isLess) {
        await this.#hands.click({ page, facts: first });
        least = left.length;
        until = performance.now() + CLOSED_MS;
      }
      await delay(LOOK_MS, signal);
    }
  }

  /** Resolves without an option where the typed text was left as it is. */
  async #chooseOne(held: Held, value: string, isFree: boolean): Promise<Offers> {
    let offers = await this.#look(held, value, { isFirst: true });
    if (offers.option !== null) return this.#pick(held, value, offers);
    // A list may leave out what is already chosen.
    if (offers.isHeld && held.facts.isMultiple) return offers;
    if (!offers.isOpen) await this.#open(held);
    offers = await this.#await(held, value, { openMs: OPEN_MS.typed, settledMs: SETTLED_MS.opened });
    if (offers.option !== null) return this.#pick(held, value, offers);
    if (held.facts.kind === 'combobox') {
      const typed = await this.#chooseTyped(held, value, isFree);
      if (typed !== null) return typed;
    }
    return this.#chooseOpened(held, value, offers);
  }

  /** Chooses from a popup that takes longer to open, or draws its choices in part. */
  async #chooseOpened(held: Held, value: string, first: Offers): Promise<Offers> {
    const how = { openMs: OPEN_MS.pressed, settledMs: SETTLED_MS.opened };
    let offers = first.isOpen ? first : await this.#await(held, value, how);
    if (!offers.isOpen) {
      // A popup that was open before has been closed by the press.
      await this.#open(held);
      offers = await this.#await(held, value, how);
    }
    if (offers.option === null) offers = await this.#searchOn(held, value, offers);
    if (offers.option !== null) return this.#pick(held, value, offers);
    await this.#leave(held);
    throw this.#notOffered(held, value, offers);
  }

  /** Types a value, and chooses what is offered for it. Null where the control does not take the text. */
  async #chooseTyped(held: Held, value: string, isFree: boolean): Promise<Offers | null> {
    const { value: before } = await this.#hands.value(held, null);
    const { value: typed, isSecret } = await this.#type(held, value);
    if (typed === '' && !isSecret) return null;
    let offers = await this.#await(held, value, { openMs: OPEN_MS.offered, settledMs: SETTLED_MS.typed });
    if (offers.option === null) offers = await this.#look(held, value, { isLast: true });
    if (offers.option !== null) return this.#pick(held, value, offers);
    const isRelated = offers.shown.some((name) => name.toLowerCase().includes(value.toLowerCase()));
    if (isFree && (!offers.isOpen || isRelated)) return offers;
    await this.#type(held, before);
    await this.#leave(held);
    throw this.#notOffered(held, value, offers);
  }

  async #open({ page, facts }: Held): Promise<void> {
    const opener = await page.ask({ do: 'opener', held: facts.held }, this.#hands.options.signal);
    await this.#hands.click({ page, facts: opener });
  }

  /** Lists may draw what is in view alone. */
  async #searchOn(held: Held, value: string, first: Offers): Promise<Offers> {
    let offers = first;
    const ask = { do: 'scroll_offers', held: held.facts.held } as const;
    for (let part = 0; part < PARTS_MAX && offers.isOpen; part += 1) {
      const { moved } = await held.page.ask(ask, this.#hands.options.signal);
      if (!moved) break;
      await delay(LOOK_MS, this.#hands.options.signal);
      offers = await this.#look(held, value, {});
      if (offers.option !== null) return offers;
    }
    return this.#look(held, value, { isLast: true });
  }

  /** Looks until the value is offered, or nothing more comes. */
  async #await(
    held: Held,
    value: string,
    { openMs, settledMs }: { readonly openMs: number; readonly settledMs: number },
  ): Promise<Offers> {
    const { signal, traffic } = this.#hands.options;
    const startedAt = performance.now();
    let last = '';
    let changedAt = startedAt;
    for (;;) {
      const offers = await this.#look(held, value, {});
      const now = performance.now();
      const seen = JSON.stringify(offers.shown);
      if (seen !== last) [last, changedAt] = [seen, now];
      if (traffic.pending.length > 0) changedAt = now;
      const isSettled = now - changedAt >= (offers.isOpen ? settledMs : openMs);
      if (offers.option !== null || isSettled || now - startedAt >= OFFERS_MS) return offers;
      await delay(LOOK_MS, signal);
    }
  }

  #look(held: Held, text: string, { isFirst = false, isLast = false }): Promise<Offers> {
    const ask = { do: 'offers', held: held.facts.held, text, isFirst, isLast } as const;
    return held.page.ask(ask, this.#hands.options.signal);
  }

  /** Presses an option, and waits until the page has taken it. */
  async #pick(held: Held, value: string, first: Offers): Promise<Offers> {
    const offers = await this.#press(held, value, first);
    const { option, name } = offers;
    if (option === null) return offers;
    const { signal } = this.#hands.options;
    const ask = { do: 'chosen', held: held.facts.held, option: option.held, text: name } as const;
    const until = performance.now() + TAKEN_MS;
    for (;;) {
      const taken = await held.page.ask(ask, signal);
      if (!taken.isOpen || taken.isShown || taken.isChosen) break;
      if (performance.now() >= until)
        throw new SpillwayError(
          'value_not_taken',
          `${held.facts.line} does not show ${quote(name)} after ${option.line} was pressed.`,
        );
      await delay(LOOK_MS, signal);
    }
    return offers;
  }

  /** Presses an option, unless it is on. Lists that are drawn again while they are filtered offer it again. */
  async #press(held: Held, value: string, first: Offers): Promise<Offers> {
    let offers = first;
    for (let tries = 1; ; tries += 1) {
      const { option, isChosen } = offers;
      const isMultiple = held.facts.isMultiple || offers.isMultiple;
      if (option === null || option.checked === true || (isChosen && isMultiple)) return offers;
      try {
        await this.#hands.click({ page: held.page, facts: option });
        return offers;
      } catch (thrown) {
        if (toSpillwayError(thrown).code !== 'stale_ref' || tries === TRIES_MAX) throw thrown;
        const settled = { openMs: OPEN_MS.offered, settledMs: SETTLED_MS.opened };
        offers = await this.#await(held, value, settled);
        if (offers.option === null) offers = await this.#look(held, value, { isLast: true });
      }
      if (offers.option === null) throw this.#notOffered(held, value, offers);
    }
  }

  #notOffered({ facts: { line } }: Held, value: string, offers: Offers): SpillwayError {
    const option = this.#hands.isSecret ? 'with this text' : quote(value);
    return new SpillwayError('option_not_found', `${line} has no option ${option}; ${described(offers)}.`);
  }

  /** Closes what was opened, so that it covers nothing. */
  async #leave(held: Held): Promise<void> {
    const until = performance.now() + CLOSED_MS;
    while ((await this.#look(held, '', {})).canClose) {
      if (performance.now() < until) await delay(LOOK_MS, this.#hands.options.signal);
      else if (this.#hands.input.hasKeys) return this.#hands.input.keys(held.page, 'Escape');
      else return;
    }
  }
}

const quote = (value: string): string => JSON.stringify(cut(value, VALUE_UNITS).toWellFormed());

const listed = (names: readonly string[]): string =>
  names.map((name) => cut(name, VALUE_UNITS).toWellFormed()).join(', ');

function described({ shown, count }: Offers): string {
  if (count === 0) return 'nothing is offered for it';
  const named = shown.slice(0, OFFERS_NAMED).map(quote).join(', ');
  return `offered are ${named}${count > OFFERS_NAMED ? ` and ${count - OFFERS_NAMED} more` : ''}`;
}
