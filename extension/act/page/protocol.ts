import type { ErrorCode } from '../../../shared/base/errors.ts';
import type { Point, Stage, Want } from '../../core/ports/page-answers.ts';

/** @param line names the field */
export const passwordRefused = (line: string): string =>
  `${line} takes a password, which is filled only as secret:NAME.`;

/** Letters and digits: other characters are only formatting. */
export const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * The input about to be sent to a point. `press`: a button pressed and released; `grab`: only pressed; `hover`: the
 * pointer moves there; `drop`: released at the end of a drag.
 */
export type Gesture = 'press' | 'grab' | 'hover' | 'drop';

/** A found element, by its number. */
interface Held {
  held: number;
}

/**
 * An element that is searched for. With `follows`, a label stands for its control. With `isLast`, the answer for none
 * names the nearest. With `isField`, the target is a label, placeholder or name of a control. With `submits`, it is the
 * default button of the form of the element with this number, or null for the only form. With `isHanded`, it is the one
 * that the debugger handed to this document's script.
 */
export interface Sought {
  readonly target: string;
  readonly follows: boolean;
  readonly isLast: boolean;
  readonly isField?: boolean;
  readonly submits?: number | null;
  readonly isHanded?: boolean;
}

/** A wait until the document has not changed for a while. */
export interface Quiet {
  readonly quietMs: number;
  /** Shortest watch: an act may take that long to change anything. */
  readonly minMs: number;
  /** Watches at least until the next frame: some pages change with it. A new page draws its first one late. */
  readonly untilFrame: boolean;
  /** The last answer to a request, which the page handles a moment later; null for none. */
  readonly answer: {
    readonly sinceMs: number;
    /** Address of the request, if a script of this document made it. */
    readonly url: string | null;
  } | null;
  readonly effectMs: number;
  readonly waitMs: number;
}

/** The beginning of the note on a text that matches no option. */
export const NOT_CHOSEN = 'typed, not chosen: ';

/** A number, date or time. Some controls accept one that their list does not offer. */
export const TYPED_VALUE = /^(?=.*\d)[\d\s.,:/+%-]+(?:[ap]\.?m\.?)?$/i;

/** A date or time, or two of them. For other text, Enter might choose a suggestion. */
export const IN_PARTS = /^\d+(?:[-–~/.: ]+(?:to )?\d+)+$/;

/** It is the field of a search, whose offers may be worded otherwise. */
export const SEARCH = '[type=search i],[role=searchbox],:is(search,[role=search]) *';

/** Chooses one value, or all that a control is to have. */
export interface Choosing {
  readonly kind: 'choose';
  readonly chosen: string | readonly string[];
  /** Index of its first text among those of the step. */
  readonly from?: number;
  /** A text that is not offered may stay. */
  readonly isFree: boolean;
  /** A group of check boxes drops all others. */
  readonly isOnly?: boolean;
}

/** Sets a control that takes one value. */
export interface Filling {
  readonly kind: 'fill';
  readonly text: string;
  /** The next step may act on what it has opened. */
  readonly keepsFocus: boolean;
  /** Fields to fill after it, as far as the page has one text field of each name. */
  readonly later?: readonly FieldText[];
}

/** A text for the field with a label, placeholder or name. */
export interface FieldText {
  readonly name: string;
  readonly text: string;
}

/** Types after a control's text, or at the caret: the text, and then the line breaks at its end. */
export interface TypingStep {
  readonly kind: 'type';
  readonly body: string;
  readonly end: string;
  readonly isAtCaret: boolean;
}

/** Points at an element, and wants a gesture there. */
export interface Pointing {
  readonly kind: 'point';
  readonly gesture: Gesture;
  /** From its top left corner; null for any point of it. */
  readonly position: Point | null;
  /** The stage that it ends with, and how often. */
  readonly ends: Stage;
  readonly count?: 1 | 2;
  /** If it opens a list, anything that appears from now on is that. */
  readonly opens?: boolean;
  /** More input follows at the same point. */
  readonly turns?: boolean;
  /** The events that a script sends where the debugger cannot attach. */
  readonly script?: 'click' | 'double_click' | 'right_click' | 'hover';
}

/** A field that was typed into, by its number. */
export interface TypedInto {
  readonly held: number;
  readonly text: string;
  readonly isSecret: boolean;
}

/** A step that runs in the page, at the element of the question. */
export type PageStep =
  | Choosing
  | Filling
  | TypingStep
  | Pointing
  | { readonly kind: 'focus' }
  /** Gives the call's files at these paths to a field, to a drop target, or to the chooser that the element opens. */
  | { readonly kind: 'upload'; readonly paths: readonly string[] }
  /** Turns it on or off. */
  | { readonly kind: 'check'; readonly value: boolean | string }
  /** Waits for what typed text leads to. `typed` lists the fields that were typed into right before. */
  | { readonly kind: 'answer'; readonly isForKeys: boolean; readonly typed: readonly TypedInto[] }
  /** Takes the focus from the fields that were typed into, and returns it if asked. */
  | { readonly kind: 'leave'; readonly typed: readonly TypedInto[]; readonly refocuses: boolean };

/** How a step may act. */
export interface StepHow {
  /** A device gives presses; without one, scripts send their events. */
  readonly hasPointer: boolean;
  /** A device puts files into file fields; without one, scripts do. */
  readonly givesFiles: boolean;
  /** The browser reports file choosers instead of showing them. */
  readonly hasChoosers: boolean;
  /** Its text is a secret: from then on, the element's value is hidden. */
  readonly isSecret: boolean;
  readonly mayTypePasswords: boolean;
  /** The element is one that a person was shown: input is kept from it once its form would be sent elsewhere. */
  readonly isBound: boolean;
  /** Fields were typed into, and not left since: what they have opened may cover the element. */
  readonly hasTyped: boolean;
}

/** A note on a part of a step, or why it failed. */
export type Outcome = string | null | { readonly code: ErrorCode; readonly message: string };

/** Questions that change nothing in the page, without their kinds. Those with `waitMs` wait. */
interface Looks {
  find: Sought;
  /**
   * Starts keeping typed and dropped text out of password fields; or stops, and names the field that it was kept out
   * of. `held` is the field that the text is for; null without one, or in another document.
   */
  guard: { isOn: boolean; spares: boolean; held: number | null };
  /** Waits until a person has pointed at an element; null if they would rather not. The helper has to be loaded. */
  point: { waitMs: number };
  /** Reports what a person does, under the id of this question; or reports the rest of it, and stops. */
  record: { isOn: boolean };
  /** Names an element to the session. */
  ref: Held;
  outline: Held;
  concealed: object;
  /**
   * Waits until the page has handled the last key, has been drawn, has also put down an element that was let go, or is
   * quiet. Tells whether it has changed since input was aimed.
   */
  rest: { until: 'idle' | 'drawn' | { readonly dropped: number } | Quiet };
  /** Lets the asking session use refs that another one was shown. */
  share: { from: string };
}

/** Questions that may change something: see `Gate.send`. */
interface Changes {
  /**
   * Does a step, which wants input, at an element that may have to be found first. Answers with notes on its outcome: of
   * `leave`, one for each field. With `rests`, reports the rest that follows.
   */
  step: { held: number | Sought; step: PageStep; how: StepHow; waitMs: number; rests?: Quiet | null };
  /**
   * Records what is there before a drag that will end here begins. `dragged` is null for an element of another document.
   */
  landing: Held & { dragged: number | null };
  /** Maps a point of a frame's viewport to this one, and tells whether input there reaches the frame. */
  frame_point: { index: number; point: Point; name: string; waitMs: number };
  /** `offers` scrolls the offers of a control on, `first offers` back to the first of them. */
  scroll: { held: number | null; how: string };
  /** Sends a script's events for a key to the focused element, or inserts a text: where the debugger cannot attach. */
  strike: { struck: Struck };
}

export type StepKey = Extract<Want, { readonly key: unknown }>['key'];

/** The requests that a step's page waits for. */
export interface News {
  readonly isLoading: boolean;
  /** The tab loads something: an obstacle that the page alone would keep may pass. */
  readonly isBusy: boolean;
  /** How long it has waited for none. */
  readonly restedMs: number;
}

/** A file, and one of its parts in base64: null after the last. */
export interface FilePart {
  readonly name: string;
  /** As agents see it; empty if the label of another file counts it. */
  readonly label: string;
  readonly mime: string;
  readonly data: string | null;
}

/** The worker's answer to a want. */
export interface Given {
  /** Why it was not given; null if it was. */
  readonly error: { readonly code: ErrorCode; readonly message: string } | null;
  /** Aim again: something has been carried to this point of the page. */
  readonly again?: { readonly at: Point | null };
  /** A drop ends with the release, since the page itself runs the drag. */
  readonly isOwnDrag?: boolean;
  readonly file?: FilePart;
  /** The note on files given to a chooser; null if none has opened. */
  readonly uploaded?: string | null;
}

/** A key that goes down or up, as in `Device`, or a text without a key. */
export type Struck =
  | {
      readonly phase: 'down' | 'up';
      readonly key: string;
      readonly code: string;
      readonly number: number;
      readonly modifiers: number;
      readonly text?: string;
      readonly isRepeat?: boolean;
    }
  | { readonly insert: string };

type Kinds<Asks> = { [K in keyof Asks]: Readonly<Asks[K] & { do: K }> }[keyof Asks];
export type LookAsk = Kinds<Looks>;
export type ChangeAsk = Kinds<Changes>;

/** One question about acting. */
export type ActAsk = LookAsk | ChangeAsk;

export type AskOf<K extends ActAsk['do']> = Extract<ActAsk, { readonly do: K }>;
