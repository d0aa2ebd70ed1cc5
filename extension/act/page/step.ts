import { PageError } from '../../dom/doorway.ts';
import type { Point, Stage, TargetFacts } from '../../core/ports/page-answers.ts';
import type { Seen } from './aim.ts';
import type { Hands } from './hands.ts';
import { describeElement } from './hit.ts';
import type { Motion } from './motion.ts';
import type { FieldState } from './notes.ts';
import type { Popup } from './popup.ts';
import { takesPassword } from '../../dom/controls.ts';
import { passwordRefused, type PageStep, type StepHow } from './protocol.ts';
import { strike } from './strike.ts';
import type { Typing } from './typing.ts';
import type { Landing } from './witness.ts';

/** A document's pointer, for a step. */
export interface Pointer {
  /** Where the step's own element was found. */
  readonly seen: Seen | null;
  /** The point of the page that has named it. */
  readonly named: Point | null;
  /** Call before input at an element. */
  readonly aimAt: (el: Element) => void;
  readonly arrived: (stage: Stage | null) => void;
  readonly landingOf: (el: Element) => Landing | undefined;
  /** Whether the window has another size than as input was aimed. */
  readonly isResized: () => boolean;
  /** Whether the step's own element does something else than when a person was shown it. */
  readonly isRedirected: (el: Element, hit: Element | null) => boolean;
}

/** For a step in the page. */
export interface StepParts {
  readonly pointer: Pointer;
  readonly hands: Hands;
  readonly typing: Typing;
  readonly popup: Popup;
  readonly motion: Motion;
  readonly hold: (el: Element) => TargetFacts;
  /** Reports a field that the step has filled. */
  readonly did: (el: Element, note: string | null) => void;
  readonly how: StepHow;
  readonly waitMs: number;
}

/**
 * Only a person may give a password: an agent that knows one got it from a page or a prompt. So a password field takes a
 * value of `--secrets`, or any value if no person is signed in. Clearing one takes none.
 * @throws PageError `password_refused`
 */
export function checkPassword(el: Element, step: PageStep, { isSecret, mayTypePasswords }: StepHow): void {
  const types = (step.kind === 'fill' && step.text !== '') || step.kind === 'type' || step.kind === 'choose';
  if (types && !isSecret && !mayTypePasswords && takesPassword(el))
    throw new PageError('password_refused', passwordRefused(describeElement(el)));
}

/** A text of the step, which the worker has by this index. */
export interface Text {
  readonly text: string;
  /** Null for a text of the page itself: no input gives that. */
  readonly index: number | null;
}

/**
 * Focuses an element. Text that replaces its content is kept out of password fields until the field is read.
 * @throws PageError as `Typing.focus`
 */
export function focus(
  el: Element,
  select: 'all' | 'end' | 'none',
  { typing, how, waitMs }: StepParts,
): Promise<void> {
  const guards = select === 'all' && !how.isSecret && !how.mayTypePasswords;
  return typing.focus(el, select, guards, waitMs);
}

/** @param what follows the name of the element, without a full stop */
export const notTaken = (el: Element, what: string): PageError =>
  new PageError('value_not_taken', `${describeElement(el)}${what}.`);

export const codeOf = (thrown: unknown): string => (thrown instanceof PageError ? thrown.code : '');

/**
 * Replaces the selection of the focused field, and reads it once the page has handled the text.
 * @throws PageError `password_refused`, `not_delivered`
 */
export async function insert(el: Element, { text, index }: Text, parts: StepParts): Promise<FieldState> {
  const { hands, typing } = parts;
  if (index !== null) return typing.read(el, text, hands.text(el, index, 'replacing'));
  await hands.give({ changes: true });
  strike({ insert: text }, (focused) => typing.guard.spare(focused));
  typing.guard.check();
  return typing.state(el, text);
}

/** Types a text in place of a field's content. */
export async function retype(el: Element, value: Text, parts: StepParts): Promise<FieldState> {
  const { hands, typing } = parts;
  await focus(el, 'all', parts);
  if (value.text === '' || value.index === null) return insert(el, value, parts);
  await hands.text(el, value.index, 'inserted');
  typing.guard.check();
  return typing.state(el, value.text);
}
