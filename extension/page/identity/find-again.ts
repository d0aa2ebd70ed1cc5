import { cut } from '../../../shared/cut.ts';
import { PageError } from '../page-error.ts';
import type { Refs } from '../refs.ts';
import { differsInCount, isRepeated, isSame, isSamePlace, isSurelySame, rowOf } from './compare.ts';
import { nameOf } from './row-texts.ts';
import { titlesAround } from './titles.ts';
import { Recording, type Identity } from './recording.ts';
import { isSaidAround, survey, surveyNear, type Surveyed } from './survey.ts';

/** An element, and how it was found again: null for the very element. */
export interface FoundAgain {
  readonly el: Element;
  readonly note: string | null;
}

/** Elements that are named when none can be taken. */
const CANDIDATES = 4;
const NAME_UNITS = 60;
/** Stands for a role where a snapshot would not write the element as one. */
const PLAIN = 'plain';

/**
 * The element that a ref was shown for, as the page has it now. Frameworks reuse elements for other items, so
 * that even one that is still there has to be what it was.
 *
 * @param el the element of the ref while it is in the page, else null
 * @param then how the session was shown it
 * @throws PageError `stale_ref`, with refs of what is like it
 */
export function findAgain(ref: string, el: Element | null, then: Identity, refs: Refs): FoundAgain {
  if (then.role === PLAIN) return findPlain(ref, el, then);
  if (el !== null && isUnchanged(el, then)) return { el, note: null };
  const all = survey(null);
  const own = el === null ? null : ownOf(el, all);
  if (own !== null && isSame(then, own.identity)) return { el: own.el, note: null };
  const [only, second] = all.filter(({ identity }) => isSame(then, identity));
  if (only !== undefined && second === undefined && wasUnique(then))
    return { el: only.el, note: `${ref} was rendered again: found by role and name${whereOf(then)}` };
  if (own !== null && only === undefined && isCounter(then, own.identity))
    return { el: own.el, note: `${ref} is now ${quote(nameOf(own.identity))}` };
  throw new PageError('stale_ref', describeLost(ref, then, candidatesOf(then, all), refs));
}

/** An element that a snapshot gives no ref to is what it was as long as it says the same. */
function plainIdentity(el: Element): Identity {
  const recording = new Recording();
  recording.text(el.textContent ?? '');
  const place = { item: null, partFrom: 0, heading: -1, region: '' };
  return { recording, role: PLAIN, given: null, from: 0, to: 1, ...place };
}

function findPlain(ref: string, el: Element | null, then: Identity): FoundAgain {
  if (el !== null && nameOf(plainIdentity(el)) === nameOf(then)) return { el, note: null };
  throw new PageError(
    'stale_ref',
    `${ref} was ${quote(nameOf(then))}, which is gone or says something else now.`,
  );
}

function isUnchanged(el: Element, then: Identity): boolean {
  const near = surveyNear(el);
  if (near === null || !isSurelySame(then, near)) return false;
  return titlesAround(then).every((title) => isSaidAround(el, title));
}

/** One that a snapshot leaves out is compared with what it would be if it were shown. */
function ownOf(el: Element, all: readonly Surveyed[]): Surveyed | null {
  const isOwn = (one: Surveyed): boolean => one.el === el;
  return all.find(isOwn) ?? survey(null, true).find(isOwn) ?? null;
}

/** Nothing else looked the same when it was shown: what looks so now is the same element. */
const wasUnique = (then: Identity): boolean =>
  then.recording.identities.every((other) => other === then || !isSame(then, other));

/** The same element with another number in its name, such as that of those who like it. */
const isCounter = (then: Identity, now: Identity): boolean =>
  then.role === now.role &&
  !isRepeated(then) &&
  !isRepeated(now) &&
  differsInCount(nameOf(then), nameOf(now)) &&
  isSamePlace(then, now);

/** What is most like it, best first. */
function candidatesOf(then: Identity, all: readonly Surveyed[]): Surveyed[] {
  const name = nameOf(then);
  const words = new Set(name.toLowerCase().split(/\s+/));
  const likeness = ({ identity }: Surveyed): number => {
    const other = nameOf(identity);
    const shared = other
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => words.has(word)).length;
    return (
      (other === name ? 8 : shared > 0 ? 3 : 0) +
      (identity.role === then.role ? 3 : 0) +
      (isSamePlace(then, identity) ? 4 : 0)
    );
  };
  return all
    .map((one) => ({ one, rank: likeness(one) }))
    .filter(({ rank }) => rank > 5)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, CANDIDATES)
    .map(({ one }) => one);
}

function describeLost(ref: string, then: Identity, candidates: readonly Surveyed[], refs: Refs): string {
  const was = `${ref} was ${then.role} ${quote(nameOf(then))}${whereOf(then)}, which is gone or shows something else now.`;
  if (candidates.length === 0 || !refs.canShow) return was;
  const lines = candidates.map(({ el, identity }) => {
    const shown = refs.of(el, identity.role, identity.given);
    refs.remember(el, identity);
    return `${shown} ${identity.role} ${quote(nameOf(identity))}${whereOf(identity)}`;
  });
  return `${was} The page has: ${lines.join('; ')}.`;
}

function whereOf(identity: Identity): string {
  const row = rowOf(identity);
  return row === '' ? '' : ` in ${quote(row)}`;
}

const quote = (text: string): string => JSON.stringify(cut(text, NAME_UNITS).toWellFormed());

/** Remembers how elements are shown that no walk recorded, such as those that a search names. */
export function recordShown(refs: Refs): void {
  const shown = new Set(refs.takeUnrecorded());
  if (shown.size === 0) return;
  for (const { el, identity } of survey(null)) if (shown.delete(el)) refs.remember(el, identity);
  for (const el of shown) refs.remember(el, plainIdentity(el));
}
