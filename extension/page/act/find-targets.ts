import { squash } from '../dom.ts';
import { nameOf } from '../aria/name.ts';
import { roleOf } from '../aria/role.ts';
import { locateAll, locateRef } from '../locate/locate.ts';
import { elementsIn } from '../locate/trees.ts';
import { PageError } from '../page-error.ts';
import { REF, type Refs } from '../refs.ts';
import { rememberPasswords } from '../write/controls.ts';
import { isShown } from './aim.ts';
import { choiceOf } from './fields.ts';
import type { HeldElements } from './held-elements.ts';
import { describeElement } from './hit.ts';
import type { ActAnswers, TargetFacts } from './protocol.ts';

const LINES_SHOWN = 5;
const LABELS_SHOWN = 20;

/** What functions that look for elements need. */
export interface Finding {
  readonly refs: Refs;
  readonly held: HeldElements;
}

/** One element as the target of a step, or the first of several with their refs. */
export function answerFound(
  elements: readonly Element[],
  { refs, held }: Finding,
  note: string | null = null,
): ActAnswers['find'] {
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
 * The elements that a target names; those that are shown, if any are.
 *
 * @throws PageError as `locateAll` and
 * `locateRef`
 */
export function findTarget(target: string, viewer: string, finding: Finding): ActAnswers['find'] {
  rememberPasswords(document);
  if (REF.test(target)) {
    const { el, note } = locateRef(target, { refs: finding.refs, viewer });
    return answerFound([el], finding, note);
  }
  // The script of the outer document looks into this one, too.
  if (window.frameElement !== null) return answerFound([], finding);
  const all = locateAll(document, target);
  const shown = all.filter(isShown);
  return answerFound(shown.length > 0 ? shown : all, finding);
}

/**
 * The choice of a group, or the option of a list box that is open, with this text; null where no list box
 * shows it.
 *
 * @throws PageError `option_not_found` with the choices of a group
 */
export function findOption(el: Element, text: string, { held }: Finding): TargetFacts | null {
  const choice = choiceOf(el, text);
  if (choice.el !== null) return held.hold(choice.el);
  if (choice.labels.length > 0) {
    const shown = choice.labels.slice(0, LABELS_SHOWN).map((label) => JSON.stringify(label));
    throw new PageError(
      'option_not_found',
      `${describeElement(el)} has no choice ${JSON.stringify(text)}; it has ${shown.join(', ')}.`,
    );
  }
  const wanted = squash(text).toLowerCase();
  const options = elementsIn(document, '[role=option],[role=menuitem],[role=treeitem]').filter(isShown);
  const named = (option: Element): string => squash(nameOf(option, roleOf(option, option.localName)));
  const found =
    options.find((option) => named(option) === squash(text)) ??
    options.find((option) => named(option).toLowerCase() === wanted);
  return found === undefined ? null : held.hold(found);
}
