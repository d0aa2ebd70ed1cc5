import { locateAll, locateRef, type Locating } from '../../find/page/locate/locate.ts';
import { isActionable, targetOf } from '../../find/page/find/contexts.ts';
import { nearestTo } from '../../find/page/find/find.ts';
import { isLabel, textIn } from '../../dom/elements.ts';
import { REF, type Refs } from '../../dom/refs.ts';
import { rememberPasswords } from '../../dom/controls.ts';
import { isWithinReach } from './aim.ts';
import { resolveControlKind } from './controls.ts';
import { replacementOf } from './fields.ts';
import type { HeldElements } from './held-elements.ts';
import { describeElement, elementAt } from './hit.ts';
import { measureArea } from './places.ts';
import { drawnIn, FIELDS } from './surroundings.ts';
import type { AskOf } from './protocol.ts';
import type { PageAnswers, Point } from '../../core/ports/page-answers.ts';

type FoundElements = Omit<PageAnswers['find'], 'isAtRest'>;

const LINES_SHOWN = 5;

export interface Finding {
  readonly refs: Refs;
  readonly held: HeldElements;
  /** The fields that a label or a caption names. */
  readonly named: (name: string) => readonly Element[];
}

/** One element as the target of a step, or the first of several with their refs. */
export function answerFound(
  elements: readonly Element[],
  { refs, held }: Finding,
  note: string | null = null,
): FoundElements {
  const [only, second] = elements;
  return {
    found: only !== undefined && second === undefined ? [held.hold(only, note)] : [],
    count: elements.length,
    lines:
      second === undefined
        ? []
        : elements.slice(0, LINES_SHOWN).map((el) => `${refs.of(el)} ${describeElement(el)}`),
  };
}

/**
 * The elements that a target names; only the visible ones, if there are any.
 * @throws PageError as `locateAll` and `locateRef`
 */
export function findTarget(
  { target, follows, isLast }: AskOf<'find'>,
  locating: Omit<Locating, 'refs'>,
  finding: Finding,
): FoundElements {
  const answer = (elements: readonly Element[], note: string | null = null): FoundElements =>
    answerFound(
      follows ? [...new Set(elements.map((el) => controlOf(el, finding)))] : elements,
      finding,
      note,
    );
  rememberPasswords(document);
  if (REF.test(target)) {
    const { el, note } = locateRef(target, { refs: finding.refs, ...locating });
    return answer([el], note);
  }
  // The outer document's script also searches this one.
  if (window.frameElement !== null) return answerFound([], finding);
  const point = POINT.exec(target);
  if (point !== null) return findPoint({ x: Number(point[1]), y: Number(point[2]) }, finding);
  const css = locateAll(document, target);
  const isText = css.length === 0 && isBareText(target);
  const texts = isText ? locateAll(document, JSON.stringify(target)) : css;
  const all = texts.length === 0 && follows ? captioned(target, finding) : texts;
  if (all.length === 0 && isLast && (isText || WORDS.test(target)))
    return { ...answer(all), lines: nearestTo(target, finding.refs) };
  const shown = all.filter(isWithinReach);
  if (shown.length === 0) return answer(all);
  const drawn = withoutStoodIn(shown);
  return answer(isText || TEXT.test(target) ? controlAmong(drawn) : drawn);
}

/** The fields of a label that the page does not connect with them. */
function captioned(target: string, { named }: Finding): readonly Element[] {
  const [, caption] = LABEL.exec(target) ?? [];
  return caption === undefined ? [] : named(caption);
}

/** The control of a label, for the label or its text; else the element itself. */
function controlOf(el: Element, { named }: Finding): Element {
  const label = el.closest('label');
  const target = targetOf(el);
  if (label === null || (label.control === null && isActionable(target))) return innerOf(el);
  if (label.control === null) {
    const inner = innerOf(label);
    const [only, second] = inner === label ? named(textIn(label)) : [];
    return only !== undefined && second === undefined ? only : inner;
  }
  return target === label.control ? innerOf(target) : el;
}

/** The only control that a custom element or label draws, or what replaces a hidden one. */
function innerOf(el: Element): Element {
  const drawn = replacementOf(el);
  if (drawn !== null) return drawn;
  if (resolveControlKind(el) !== 'other' || !(isLabel(el) || el.localName.includes('-'))) return el;
  const [only, second] = drawnIn(el, FIELDS).filter(isWithinReach);
  return only !== undefined && second === undefined ? only : el;
}

/** Page pixels from the top left corner. */
const POINT = /^point=(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/;

/** Scrolls to a point of the page and returns the element there. */
function findPoint({ x, y }: Point, finding: Finding): FoundElements {
  if (window.parent !== window) return answerFound([], finding);
  const isSeen = (): boolean =>
    x >= scrollX && y >= scrollY && x < scrollX + innerWidth && y < scrollY + innerHeight;
  if (!isSeen()) window.scrollTo({ left: x - innerWidth / 2, top: y - innerHeight / 2, behavior: 'instant' });
  const el = elementAt(document, { x: x - scrollX, y: y - scrollY });
  if (el === null) return answerFound([], finding);
  const { left, top } = measureArea(el);
  return {
    ...answerFound([], finding),
    found: [finding.held.hold(el, null, { x: x - scrollX - left, y: y - scrollY - top })],
    count: 1,
  };
}

const TEXT = /^\s*(?:text\s*=|["'])(?!.*>>)/s;

/** A label, in quotes or not. */
const LABEL = /^\s*label\s*=\s*"?((?!.*>>).+?)"?\s*$/s;

/** Selectors by words. */
const WORDS = /^\s*(?:["']|(?:text|role|label|placeholder|testid)\s*=)(?!.*>>)/s;

/** Text that CSS would read as a tag, but HTML has no such tag: `Send`, not `form`. */
const isBareText = (target: string): boolean =>
  /^\p{L}[\p{L}\p{N} ]*$/u.test(target) && !target.split(' ').every(isTag);

const isTag = (word: string): boolean =>
  /^[a-z][a-z\d]*$/i.test(word) && !(document.createElement(word) instanceof HTMLUnknownElement);

/** A heading often has the same words as the button below it: a text means the only control among its matches. */
function controlAmong(elements: readonly Element[]): readonly Element[] {
  const controls = elements.filter((el) => isActionable(targetOf(el)));
  return controls.length === 1 ? controls : elements;
}

/** A list that a page draws to replace a `<select>` takes precedence over the native options. */
function withoutStoodIn(shown: readonly Element[]): readonly Element[] {
  const drawn = shown.filter((el) => el.localName !== 'option');
  return drawn.some((el) => el.getAttribute('role') === 'option') ? drawn : shown;
}
