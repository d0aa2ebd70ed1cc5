import { type Writer, Out } from '../write/out.ts';
import { Recording, givenName, type Identity, repeats } from '../../../dom/identity/recording.ts';
import { squash } from '../../../dom/elements.ts';
import { flatParent, lineageOf } from '../../../dom/trees.ts';
import { Refs } from '../../../dom/refs.ts';
import { hidesItself, whileShown } from '../../../dom/self-hidden.ts';
import { Walker } from '../walker.ts';
import { SnapshotWriter } from '../write/snapshot.ts';
import { without, identityName, titlesAround } from './row-texts.ts';
import { cut } from '../../../../shared/base/cut.ts';
import { PageError } from '../../../dom/doorway.ts';
import {
  differsInCount,
  isCalledSame,
  isRepeated,
  isSameIdentity,
  isSamePlace,
  isSurelySame,
  rowOf,
} from './compare.ts';

/** Wraps a writer so that a recording, if there is one, receives the same calls. */
export function recorded(writer: Writer, recording: Recording | null): Writer {
  if (recording === null) return writer;
  return {
    enter: (el, tag, flow) => {
      recording.open(el);
      const isEntered = writer.enter(el, tag, flow);
      if (!isEntered) recording.close();
      return isEntered;
    },
    leave: (el, tag, flow) => {
      writer.leave?.(el, tag, flow);
      recording.close();
    },
    text: (data, isRaw) => {
      recording.text(data);
      writer.text?.(data, isRaw);
    },
    space: () => writer.space?.(),
    enterFrame: (origin, name) => writer.enterFrame(origin, name),
    leaveFrame: (origin) => writer.leaveFrame(origin),
    frame: (make) => writer.frame(make),
    finish: () => writer.finish?.(),
  };
}

/** An element as it would be shown now. */
interface Surveyed {
  readonly el: Element;
  readonly identity: Identity;
}

/** Elements before a list that are searched for its title. */
const TITLES_SEEN = 8;
/** Levels above an element that are examined without the rest of the page. */
const NEAR_LEVELS = 6;
const OUT_UNITS = 1 << 26;

const OPTIONS = {
  format: 'snapshot',
  selector: null,
  main_content_only: false,
  include_links: false,
  include_hidden: false,
} as const;

/** Issues no numbers: records which elements a snapshot would show, and how. */
class SurveyRefs extends Refs {
  readonly surveyed: Surveyed[] = [];

  constructor(private readonly recording: Recording) {
    super();
  }

  override of(el: Element, role = '', given: string | null = null): string {
    if (this.recording.current === el)
      this.surveyed.push({ el, identity: this.recording.show(role, given ?? givenName(el)) });
    return 'e0';
  }
}

/**
 * The elements of the page, or of a part, that a snapshot would give refs to.
 * @param root the part; null for the whole page
 */
function survey(root: Element | null, includeHidden = false): Surveyed[] {
  const recording = new Recording();
  const refs = new SurveyRefs(recording);
  const walk = (): void => {
    const roots = root === null ? [] : [root];
    const walker = new Walker({ document, roots, includeHidden, selection: null, refs });
    const options = { ...OPTIONS, include_hidden: includeHidden };
    const tools = { out: new Out(OUT_UNITS), refs, options, view: walker, linePrefix: '', follows: false };
    const writer = recorded(new SnapshotWriter(tools), recording);
    walker.run(writer, () => false);
    writer.finish?.();
  };
  if (!includeHidden && hidesItself(document)) whileShown(document, walk);
  else walk();
  recording.end(root === null);
  return refs.surveyed;
}

/** The element as it would be shown now, examined with its row alone. */
function surveyNear(el: Element): Identity | null {
  return survey(rowAround(el)).find((found) => found.el === el)?.identity ?? null;
}

function rowAround(el: Element): Element {
  let root = el;
  for (let level = 0; level < NEAR_LEVELS; level += 1) {
    const up = flatParent(root);
    if (up === null || up.localName === 'body') break;
    root = up;
    if (repeats(root)) break;
  }
  return root;
}

function isSaidAround(el: Element, text: string): boolean {
  const row = rowAround(el);
  const list = flatParent(row);
  let before = list?.firstElementChild ?? null;
  for (let seen = 0; before !== null && seen < TITLES_SEEN; seen += 1) {
    if (before !== row && !repeats(before) && says(before, text)) return true;
    before = seen === 0 ? (list?.previousElementSibling ?? null) : before.previousElementSibling;
  }
  return lineageOf(list).some((up) => repeats(up) && says(up, text));
}

const says = (el: Element, text: string): boolean =>
  ` ${without(squash(el.textContent ?? ''))} `.includes(` ${text} `);

/** An element, and how it was found after the page replaced it, for the receipt; null for the same element. */
export interface FoundAgain {
  readonly el: Element;
  readonly note: string | null;
}

/** Alternatives named when none is certain. */
const CANDIDATES = 4;
const NAME_UNITS = 60;
/** Replaces a role where a snapshot would not list the element. */
const PLAIN = 'plain';

/**
 * The element that a ref was shown for, as it is in the page now. Frameworks reuse elements for other items, so even a
 * surviving one has to match what was shown.
 * @param el the ref's element while it is in the page, else null
 * @param then how the session was shown it
 * @param isKnown it was still the same before the steps of the call, whose own changes do not count
 * @throws PageError `stale_ref`, with refs of similar elements
 */
export function findAgain(
  ref: string,
  el: Element | null,
  then: Identity,
  refs: Refs,
  isKnown: boolean,
): FoundAgain {
  if (then.role === PLAIN) return findPlain(ref, el, then);
  if (el !== null && isUnchanged(el, then)) return { el, note: null };
  const all = survey(null);
  const own = el === null ? null : ownOf(el, all);
  if (own !== null && isSameIdentity(then, own.identity)) return { el: own.el, note: null };
  const [only, second] = all.filter(({ identity }) => isSameIdentity(then, identity));
  if (only !== undefined && second === undefined && wasUnique(then))
    return { el: only.el, note: `${ref} was rendered again: found by role and name${whereOf(then)}` };
  if (own !== null && only === undefined) {
    if (isItself(then, own, all, isKnown)) return { el: own.el, note: null };
    if (isCounter(then, own.identity))
      return { el: own.el, note: `${ref} is now ${quote(identityName(own.identity))}` };
  }
  throw new PageError('stale_ref', describeLost(ref, then, candidatesOf(then, all), refs));
}

/** An element without a ref in snapshots is the same as long as its text is. */
function plainIdentity(el: Element): Identity {
  const recording = new Recording();
  recording.text(el.textContent ?? '');
  return { recording, role: PLAIN, given: null, from: 0, to: 1, item: null, partFrom: 0 };
}

function findPlain(ref: string, el: Element | null, then: Identity): FoundAgain {
  if (el !== null && identityName(plainIdentity(el)) === identityName(then)) return { el, note: null };
  throw new PageError(
    'stale_ref',
    `${ref} was ${quote(identityName(then))}, which is gone or says something else now.`,
  );
}

function isUnchanged(el: Element, then: Identity): boolean {
  const near = surveyNear(el);
  if (near === null || !isSurelySame(then, near)) return false;
  return titlesAround(then).every((title) => isSaidAround(el, title));
}

function ownOf(el: Element, all: readonly Surveyed[]): Surveyed | null {
  const isOwn = (one: Surveyed): boolean => one.el === el;
  return all.find(isOwn) ?? survey(null, true).find(isOwn) ?? null;
}

/** Nothing else looked like this when it was shown, so a match now is the same element. */
const wasUnique = (then: Identity): boolean =>
  then.recording.identities.every((other) => other === then || !isSameIdentity(then, other));

const EDITED = new Set(['textbox', 'searchbox', 'combobox']);

/**
 * Whether an element was and is the only one of its role and name, and only texts near it changed: one that is known,
 * or a field that has the focus. A button in a row belongs to what the row shows.
 */
const isItself = (
  then: Identity,
  { el, identity: now }: Surveyed,
  all: readonly Surveyed[],
  isKnown: boolean,
): boolean =>
  (isKnown || (EDITED.has(now.role) && el.matches(':focus-within'))) &&
  isCalledSame(then, now) &&
  (EDITED.has(now.role) ? !isRepeated(then) : then.item === null && now.item === null) &&
  [then.recording.identities, all.map(({ identity }) => identity)].every(
    (identities) => identities.filter((one) => isCalledSame(then, one)).length === 1,
  );

/** The same element with another count in its name, such as its likes. */
const isCounter = (then: Identity, now: Identity): boolean =>
  then.role === now.role &&
  !isRepeated(then) &&
  !isRepeated(now) &&
  differsInCount(identityName(then), identityName(now)) &&
  isSamePlace(then, now);

function candidatesOf(then: Identity, all: readonly Surveyed[]): Surveyed[] {
  const name = identityName(then);
  const words = new Set(name.toLowerCase().split(/\s+/));
  const likeness = ({ identity }: Surveyed): number => {
    const other = identityName(identity);
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
  const was = `${ref} was ${then.role} ${quote(identityName(then))}${whereOf(then)}, which is gone or shows something else now.`;
  if (candidates.length === 0 || !refs.canShow) return was;
  const lines = candidates.map(({ el, identity }) => {
    const shown = refs.of(el, identity.role, identity.given);
    refs.remember(el, identity);
    return `${shown} ${identity.role} ${quote(identityName(identity))}${whereOf(identity)}`;
  });
  return `${was} The page has: ${lines.join('; ')}.`;
}

function whereOf(identity: Identity): string {
  const row = rowOf(identity);
  return row === '' ? '' : ` in ${quote(row)}`;
}

const quote = (text: string): string => JSON.stringify(cut(text, NAME_UNITS).toWellFormed());

/** Records how elements look that no walk recorded, such as search results. */
export function recordShown(refs: Refs): void {
  const shown = new Set(refs.takeUnrecorded());
  if (shown.size === 0) return;
  for (const { el, identity } of survey(null)) if (shown.delete(el)) refs.remember(el, identity);
  for (const el of shown) refs.remember(el, plainIdentity(el));
}
