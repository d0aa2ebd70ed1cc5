import { delay } from '../../../shared/async.ts';
import { cut } from '../../../shared/cut.ts';
import { SpillwayError, toSpillwayError, type ErrorCode } from '../../../shared/errors.ts';
import type { PageAnswers, FieldState } from '../../ports/page-answers.ts';
import { opensList } from './act-frames.ts';
import type { Held } from './act-page.ts';
import { focus, notTaken, quote, takesPress, valueOf, type Acting } from './acting.ts';
import { insert, pressKeys } from './keyboard.ts';
import { click } from './pointer.ts';

const VALUE_UNITS = 80;
const LOOK_MS = 30;
/** How long a popup takes to open. A searchable one may wait for typing. */
const OPEN_MS = { typed: 250, pressed: 2_000, offered: 1_000 };
/** A popup whose options have not changed for this long has no more for now. */
const SETTLED_MS = { opened: 200, typed: 1_000 };
const OFFERS_MS = 5_000;
const CLOSED_MS = 300;
/** A page that draws slowly gets this many drawings to close a popup. */
const CLOSED_DRAWINGS = 5;
/** Maximum scrolls of a list that is drawn in parts. */
const PARTS_MAX = 60;
const OFFERS_NAMED = 12;
const TRIES_MAX = 3;

/** The beginning of the note on a text that matches no option. */
export const NOT_CHOSEN = 'typed, not chosen: ';

/** A number, date or time. Some controls accept one that their list does not offer. */
export const TYPED_VALUE = /^(?=.*\d)[\d\s.,:/+%-]+(?:[ap]\.?m\.?)?$/i;

/** One value, or all that a control is to have. */
export type Chosen = string | readonly string[];

type Offers = PageAnswers['offers'];

/**
 * Chooses values one after another from a control's offers: a group, a list, or a popup that it opens.
 * @throws SpillwayError `option_not_found` with the offers, `value_not_taken`
 */
export async function choose(acting: Acting, held: Held, chosen: Chosen, isFree: boolean): Promise<string> {
  const values = [chosen].flat();
  if (values.length === 0) await expectShown(acting, held);
  const taken: string[] = [];
  // A control may take several values and not say so.
  let isMultiple = held.facts.isMultiple || typeof chosen !== 'string';
  for (const value of values) {
    const mayStay = isFree && values.length === 1;
    const offers = await chooseOne({ acting, held, value, isMultiple, mayStay, mayHave: opensList(held) });
    const isHeld = isMultiple && offers.isHeld;
    if (offers.option === null && !isHeld) return `${NOT_CHOSEN}${described(offers)}`;
    isMultiple ||= offers.isMultiple;
    taken.push(offers.option === null ? value : offers.name);
  }
  if (isMultiple && held.facts.kind !== 'other') return finish(acting, held, taken);
  const [text = ''] = taken;
  const option = held.facts.held;
  const shows = async (): Promise<boolean> =>
    (await held.page.ask({ do: 'chosen', held: option, option, text }, acting.signal)).isShown;
  if (!(await leave(acting, held)) || (await takesPress(acting, shows))) return `= ${listed(taken)}`;
  return `chosen, and does not show ${quote(text)}; if its popup has a button that confirms, click the option, then that`;
}

/** The chosen values that no text names are known only from a group or an open list. */
async function expectShown(acting: Acting, held: Held): Promise<void> {
  const { kind, isMultiple } = held.facts;
  if (kind === 'other' || (isMultiple && (await look({ acting, held, value: '' })).isOpen)) return;
  throw notTaken(held, ' is not emptied by an empty list: click what removes its values');
}

type Others = PageAnswers['others'];

export const othersOf = (
  { signal }: Acting,
  { page, facts }: Held,
  texts: readonly string[],
): Promise<Others> => page.ask({ do: 'others', held: facts.held, texts }, signal);

/** Leaves a control for several values with only those. Reports differences in its display. */
async function finish(acting: Acting, held: Held, texts: readonly string[]): Promise<string> {
  let left: readonly string[] = [];
  for (let least = Infinity, until = 0, failed = 0; failed < TRIES_MAX;) {
    const now = await othersOf(acting, held, texts);
    left = now.left;
    const isLess = left.length < least;
    if (now.found.length + now.chips.length === 0 || (!isLess && performance.now() >= until)) break;
    if (isLess) {
      if (await takeBack(acting, held, now)) least = left.length;
      else failed += 1;
      until = performance.now() + CLOSED_MS;
    }
    await delay(LOOK_MS, acting.signal);
  }
  await leave(acting, held);
  // A value that a control does not show is unknown.
  const { shown } = await othersOf(acting, held, texts);
  const lacks = shown.length === 0 ? [] : texts.filter((text) => !shown.includes(text));
  return [
    `= ${listed(texts)}`,
    ...(left.length === 0 ? [] : [`also shows ${quote(listed(left))}`]),
    ...(lacks.length === 0 ? [] : [`does not show ${quote(listed(lacks))}`]),
  ].join('; ');
}

/** A list that is closing offers its options for a moment longer. */
const CLOSING = new Set<ErrorCode>(['target_hidden', 'target_moving', 'target_covered', 'stale_ref']);

/** Removes one value: by its button or option, else by pressing its chip and Delete. False if it was already gone. */
async function takeBack(acting: Acting, held: Held, others: Others): Promise<boolean> {
  const { page, facts } = held;
  const [button] = others.found;
  const [chip] = others.chips;
  const pressed = button ?? chip;
  if (pressed === undefined || (button === undefined && !takesKeys(acting, held))) return true;
  const { waitMs } = acting;
  // Not in a copy: the act has to know at once what has begun.
  acting.waitMs = CLOSED_MS;
  try {
    await click(acting, { page, facts: pressed });
  } catch (thrown) {
    if (CLOSING.has(toSpillwayError(thrown).code)) return false;
    throw thrown;
  } finally {
    acting.waitMs = waitMs;
  }
  if (button === undefined) {
    const ask = { do: 'focus', held: facts.held, select: 'none', guards: false, waitMs: CLOSED_MS } as const;
    await page.change(ask, acting.signal);
    await pressKeys(acting, page, 'Delete');
  }
  return true;
}

/** A text field may suggest values though it does not say so. */
const takesText = ({ facts: { kind } }: Held): boolean => kind === 'combobox' || kind === 'text';

const takesKeys = ({ attached }: Acting, held: Held): boolean => attached !== null && takesText(held);

interface Choice {
  readonly acting: Acting;
  readonly held: Held;
  readonly value: string;
  readonly isMultiple: boolean;
  /** A text without a matching option may stay as typed; a note reports that. */
  readonly mayStay: boolean;
  /** If the control shows the value, it has had it since before. */
  readonly mayHave: boolean;
}

/** Resolves without an option if the typed text was left as it is. */
async function chooseOne(one: Choice): Promise<Offers> {
  const { acting, held, isMultiple } = one;
  const first = await look(one, { isFirst: true });
  if (first.option !== null) return pick(one, first);
  // A list may omit chosen options.
  if (first.isHeld && isMultiple) return first;
  if (!first.isOpen) await open(acting, held);
  let offers = await awaitOffers(one, OPEN_MS.typed);
  if (offers.option !== null) return pick(one, offers);
  if (takesText(held)) {
    const typed = await chooseTyped(one);
    if (typed !== null) return typed;
  }
  // The popup may take longer to open, or draw its choices in part.
  if (!offers.isOpen) offers = await awaitOffers(one, OPEN_MS.pressed);
  if (!offers.isOpen) {
    // The press has closed a popup that was open before.
    await open(acting, held);
    offers = await awaitOffers(one, OPEN_MS.pressed);
  }
  if (offers.option === null) offers = await searchOn(one, offers);
  if (offers.option === null) offers = (await searchIn(one, offers)) ?? offers;
  if (offers.option !== null) return pick(one, offers);
  await leave(acting, held);
  throw notOffered(one, offers);
}

async function typeIn(acting: Acting, field: Held, text: string): Promise<FieldState> {
  await focus(acting, field, 'all');
  return insert(acting, field, text);
}

/** Types a value, and chooses the matching option. Null if the control does not take the text. */
async function chooseTyped(one: Choice): Promise<Offers | null> {
  const { acting, held, value, mayStay } = one;
  const { value: before } = await valueOf(acting, held);
  const { value: typed, isSecret } = await typeIn(acting, held, value);
  if (typed === '' && !isSecret) return null;
  const offers = await awaitLast(one, SETTLED_MS.typed);
  if (offers.option !== null) return pick({ ...one, mayHave: false }, offers);
  const entered = await enter(one, offers);
  if (entered !== null) return entered;
  const isRelated = offers.shown.some((name) => name.toLowerCase().includes(value.toLowerCase()));
  const isSearch = offers.isSearch && !one.isMultiple && !offers.isMultiple;
  const isValue = TYPED_VALUE.test(value);
  if (mayStay && (!offers.isOpen || isRelated || isSearch || isValue)) return offers;
  await typeIn(acting, held, before);
  await leave(acting, held);
  throw notOffered(one, offers);
}

/** A control for several values may make one of any text, on Enter, which must not send a form meanwhile. */
async function enter(one: Choice, offers: Offers): Promise<Offers | null> {
  const { acting, held, value } = one;
  const { page, facts } = held;
  if (!one.isMultiple || offers.count > 0 || !takesKeys(acting, held)) return null;
  await page.change({ do: 'stay', held: facts.held }, acting.signal);
  await pressKeys(acting, page, 'Enter');
  const hasTaken = async (): Promise<boolean> =>
    (await hasMade(acting, held, value)) && (await valueOf(acting, held)).value === '';
  return (await takesPress(acting, hasTaken)) ? { ...offers, isHeld: true } : null;
}

/** Whether a control shows a text apart from its field: Enter may make a choice of it. */
export const hasMade = async (acting: Acting, held: Held, text: string): Promise<boolean> =>
  (await othersOf(acting, held, [text])).shown.length > 0;

async function open(acting: Acting, { page, facts }: Held): Promise<void> {
  const opener = await page.ask({ do: 'opener', held: facts.held }, acting.signal);
  await click(acting, { page, facts: opener });
}

/** Lists may draw only the options in view, or load more at their end. */
async function searchOn(one: Choice, first: Offers): Promise<Offers> {
  const { acting, held } = one;
  let offers = first;
  // A list opens at a chosen option: those above it come after its end.
  for (let [part, above, isFirst] = [0, 0, false]; part < PARTS_MAX && offers.isOpen; part += 1) {
    const ask = { do: 'scroll_offers', held: held.facts.held, isFirst } as const;
    const { moved, from } = await held.page.change(ask, acting.signal);
    if (part === 0) above = from;
    if (!moved && above <= 1) break;
    isFirst = !moved;
    if (isFirst) {
      above = 0;
      continue;
    }
    await delay(LOOK_MS, acting.signal);
    const isLoading = acting.traffic.pending.length > 0;
    offers = await (isLoading ? awaitOffers(one, OPEN_MS.typed) : look(one));
    if (offers.option !== null) return offers;
  }
  return look(one, { isLast: true });
}

/** Popups with a field that searches may offer the rest only then. Null if they do not offer the value. */
async function searchIn(one: Choice, { isOpen }: Offers): Promise<Offers | null> {
  const { acting, held, value } = one;
  if (held.facts.kind !== 'listbox' || !isOpen || acting.use.isSecret) return null;
  const { page, facts } = held;
  const field = await page.ask({ do: 'search_field', held: facts.held }, acting.signal);
  if (field === null) return null;
  await typeIn(acting, { page, facts: field }, value);
  const offers = await awaitLast(one, SETTLED_MS.typed);
  return offers.option === null ? null : offers;
}

/** Polls until the value is offered, or nothing more appears. */
async function awaitOffers(one: Choice, openMs: number, settledMs = SETTLED_MS.opened): Promise<Offers> {
  const { signal, traffic } = one.acting;
  const startedAt = performance.now();
  let last = '';
  let changedAt = startedAt;
  for (;;) {
    const offers = await look(one);
    const now = performance.now();
    const seen = JSON.stringify(offers.shown);
    if (seen !== last) [last, changedAt] = [seen, now];
    if (traffic.pending.length > 0) changedAt = now;
    const isSettled = now - changedAt >= (offers.isOpen ? settledMs : openMs);
    if (offers.option !== null || isSettled || now - startedAt >= OFFERS_MS) return offers;
    await delay(LOOK_MS, signal);
  }
}

/** The same for a filtered popup: finally the nearest option is accepted. */
async function awaitLast(one: Choice, settledMs: number): Promise<Offers> {
  const offers = await awaitOffers(one, OPEN_MS.offered, settledMs);
  return offers.option === null ? look(one, { isLast: true }) : offers;
}

const look = (
  { acting, held, value }: Pick<Choice, 'acting' | 'held' | 'value'>,
  { isFirst = false, isLast = false } = {},
): Promise<Offers> =>
  held.page.ask({ do: 'offers', held: held.facts.held, text: value, isFirst, isLast }, acting.signal);

/** Call before pressing a control whose list is needed afterwards. */
export const watchList = (acting: Acting, held: Held): Promise<unknown> =>
  look({ acting, held, value: '' }, { isFirst: true });

/** Presses an option, and waits until the page has taken it. */
async function pick(one: Choice, first: Offers): Promise<Offers> {
  const offers = await press(one, first);
  const { option, name } = offers;
  if (option === null) return offers;
  const { acting, held } = one;
  const ask = { do: 'chosen', held: held.facts.held, option: option.held, text: name } as const;
  const hasTaken = async (): Promise<boolean> => {
    const taken = await held.page.ask(ask, acting.signal);
    return !taken.isOpen || taken.isShown || taken.isChosen;
  };
  if (!(await takesPress(acting, hasTaken)))
    throw notTaken(held, ` does not show ${quote(name)} after ${option.line} was pressed`);
  const wasHeld = one.mayHave && offers.isHeld;
  if (!wasHeld || (await held.page.ask(ask, acting.signal)).isHeld) return offers;
  // The control drops a value which is chosen a second time.
  await leave(acting, held);
  await open(acting, held);
  const again = await awaitOffers(one, OPEN_MS.pressed);
  if (again.option === null) throw notOffered(one, again);
  return pick({ ...one, mayHave: false }, again);
}

/** Presses an option, unless it is on. Lists that are redrawn while they are filtered offer it again. */
async function press(one: Choice, first: Offers): Promise<Offers> {
  let offers = first;
  for (let tries = 1; ; tries += 1) {
    const { option, isChosen } = offers;
    const isKept = one.isMultiple || offers.isMultiple || (one.mayHave && offers.isHeld);
    if (option === null || option.checked === true || (isChosen && isKept)) return offers;
    try {
      await click(one.acting, { page: one.held.page, facts: option });
      return offers;
    } catch (thrown) {
      if (toSpillwayError(thrown).code !== 'stale_ref' || tries === TRIES_MAX) throw thrown;
      offers = await awaitLast(one, SETTLED_MS.opened);
    }
    if (offers.option === null) throw notOffered(one, offers);
  }
}

export const takesOne = ({ facts }: Held): SpillwayError =>
  new SpillwayError('target_unsuitable', `${facts.line} takes one value.`);

function notOffered({ acting, held, value, isMultiple }: Choice, offers: Offers): SpillwayError {
  const { line, kind } = held.facts;
  if (kind === 'text' && isMultiple) return takesOne(held);
  if (kind === 'text' && offers.count === 0)
    return new SpillwayError('target_unsuitable', `${line} offers nothing to choose. Use fill.`);
  const option = acting.use.isSecret ? 'with this text' : quote(value);
  return new SpillwayError('option_not_found', `${line} has no option ${option}; ${described(offers)}.`);
}

/**
 * Closes the popup, so that it covers nothing. If it is closing, Escape would close what is below it. True if it did not
 * close by itself: some forget their choice then.
 */
async function leave(acting: Acting, held: Held): Promise<boolean> {
  const until = performance.now() + CLOSED_MS;
  for (let drawings = 0; (await look({ acting, held, value: '' })).canClose; drawings += 1) {
    if (performance.now() >= until && drawings >= CLOSED_DRAWINGS) {
      if (acting.attached !== null) await pressKeys(acting, held.page, 'Escape');
      return true;
    }
    await held.page.ask({ do: 'drawn' }, acting.signal);
    await delay(LOOK_MS, acting.signal);
  }
  return false;
}

const listed = (names: readonly string[]): string =>
  names.map((name) => cut(name, VALUE_UNITS).toWellFormed()).join(', ');

function described({ shown, count }: Offers): string {
  if (count === 0) return 'nothing is offered for it';
  const named = shown
    .slice(0, OFFERS_NAMED)
    .map((name) => quote(name))
    .join(', ');
  return `offered are ${named}${count > OFFERS_NAMED ? ` and ${count - OFFERS_NAMED} more` : ''}`;
}
