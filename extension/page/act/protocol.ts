import type { Point } from '../../ports/page-answers.ts';

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

/** One question about acting. Those with `waitMs` wait. */
export type ActAsk =
  /** With `follows`, a label stands for its control. */
  | { readonly do: 'find'; readonly target: string; readonly follows: boolean }
  /**
   * Finds the control with this label, placeholder or name, and focuses it if it is a text field and `focus` is set.
   * While text is on its way into the focused element, the answer waits for it.
   */
  | {
      readonly do: 'field';
      readonly name: string;
      readonly focus: boolean;
      /** As for `focus`. */
      readonly guards: boolean;
      readonly isTyping: boolean;
    }
  /** Finds the default button of the element's form, or of the only one. */
  | { readonly do: 'submitter'; readonly held: number | null }
  /**
   * Waits until input at the element would reach it, and then watches its events. With `isBound`, they are blocked once
   * its form would be sent elsewhere than when it was found.
   */
  | {
      readonly do: 'aim';
      readonly held: number;
      readonly isBound: boolean;
      readonly gesture: Gesture;
      readonly position: Point | null;
      /** For a drop: the current position of the drag. */
      readonly at?: Point | null;
      readonly waitMs: number;
    }
  /** Records what is there before a drag that will end here begins. */
  | {
      readonly do: 'landing';
      readonly held: number;
      /** The dragged element; null if it is in another document. */
      readonly dragged: number | null;
    }
  /** Maps a point of a frame's viewport to this one, and tells whether input there reaches the frame. */
  | {
      readonly do: 'frame_point';
      readonly index: number;
      readonly point: Point;
      readonly name: string;
      readonly waitMs: number;
    }
  /** Focuses it and selects its text, or puts the caret at the end. */
  | {
      readonly do: 'focus';
      readonly held: number;
      readonly select: 'all' | 'end' | 'none';
      /** Keeps typed text out of password fields until the field's value is asked for. */
      readonly guards: boolean;
      readonly waitMs: number;
    }
  /**
   * Starts keeping typed and dropped text out of password fields; or stops, and names the field that it was kept out
   * of.
   */
  | { readonly do: 'guard'; readonly isOn: boolean }
  /** Tells whether the page has handled the effects of the last key. */
  | { readonly do: 'rest' }
  /** `expected` is compared and never sent back. `isTyping` as above. */
  | {
      readonly do: 'value';
      readonly held: number;
      readonly expected: string | null;
      readonly isTyping: boolean;
    }
  /** Sets a value as a whole; options of a select, and values of a `<datalist>`, by label or value. */
  | { readonly do: 'set'; readonly held: number; readonly values: readonly string[]; readonly waitMs: number }
  /** Chooses an option of a list that is closed. */
  | { readonly do: 'choose'; readonly held: number; readonly waitMs: number }
  /**
   * Lists what a control offers now, and finds the option with this text. With `isFirst`, anything that appears from
   * now on is its popup. With `isLast`, no better match will come.
   */
  | {
      readonly do: 'offers';
      readonly held: number;
      readonly text: string;
      readonly isFirst: boolean;
      readonly isLast: boolean;
    }
  | { readonly do: 'opener'; readonly held: number }
  /** Finds the field in the control's popup that searches its offers. */
  | { readonly do: 'search_field'; readonly held: number }
  /** Scrolls the control's offers on; with `isFirst`, back to the first of them. */
  | { readonly do: 'scroll_offers'; readonly held: number; readonly isFirst: boolean }
  /** Tells whether the control has taken the option with this text. */
  | { readonly do: 'chosen'; readonly held: number; readonly option: number; readonly text: string }
  /**
   * Takes the focus from fields, and returns it if asked. Answers what they show once the page has taken their values.
   */
  | { readonly do: 'leave'; readonly held: readonly number[]; readonly refocuses: boolean }
  /** Tells whether a field has opened a layer next to it, which could discard its value. */
  | { readonly do: 'layer'; readonly held: number }
  /** Keeps the next Enter in a field from sending its form. */
  | { readonly do: 'stay'; readonly held: number }
  /** Lists the parts of a date or time field, with the text to type into each. */
  | { readonly do: 'parts'; readonly held: number; readonly text: string }
  /** Reads a slider. `text` is its position in words. */
  | { readonly do: 'slider'; readonly held: number }
  /** Replaces an editor's selection by a paste: no script of the page completes or indents it. */
  | { readonly do: 'paste'; readonly held: number; readonly text: string }
  /** Reads an editor: what it displays, or with `copies` a copy of its selection, if it gives one. */
  | { readonly do: 'editor'; readonly held: number; readonly copies: boolean }
  /**
   * Lists the chosen options that these texts do not name, in a group of check boxes or a control for several values.
   */
  | { readonly do: 'others'; readonly held: number; readonly texts: readonly string[] }
  /** Tells how an element takes files: as a file field, by a drop, or by a chooser that it opens. */
  | { readonly do: 'files_way'; readonly held: number }
  /** Waits until a person has pointed at an element; null if they would rather not. The helper has to be loaded. */
  | { readonly do: 'point'; readonly waitMs: number }
  /** Reports what a person does, under the id of this question; or reports the rest of it, and stops. */
  | { readonly do: 'record'; readonly isOn: boolean }
  /** Names an element to the session. */
  | { readonly do: 'ref'; readonly held: number }
  /** Takes the element that the debugger handed to this document's script. */
  | { readonly do: 'handed' }
  /** Appends a part of a file, in base64. */
  | { readonly do: 'stage'; readonly file: string; readonly data: string }
  /** Gives staged files to a field, or drops them on an element. */
  | {
      readonly do: 'files';
      readonly held: number;
      readonly files: readonly { readonly file: string; readonly name: string; readonly mime: string }[];
    }
  /** Finds the document's outermost element. */
  | { readonly do: 'root' }
  | { readonly do: 'scroll'; readonly held: number | null; readonly how: string }
  | { readonly do: 'outline'; readonly held: number }
  | { readonly do: 'concealed' }
  /** Waits until the page has been drawn. */
  | { readonly do: 'drawn' }
  /** Sends a script's events instead of a person's: for tabs where the debugger cannot attach. */
  | {
      readonly do: 'synthesize';
      readonly held: number;
      readonly kind: 'click' | 'double_click' | 'right_click' | 'hover';
    }
  | { readonly do: 'insert'; readonly held: number; readonly text: string }
  /** Marks the next text typed there as secret. */
  | { readonly do: 'conceal'; readonly held: number }
  /**
   * Tells whether it is still in the page, whether the window has kept its size since input was aimed, whether its form
   * still leads where it did, and whether its popup is closed.
   */
  | { readonly do: 'present'; readonly held: number }
  /** Lets the asking session use refs that another one was shown. */
  | { readonly do: 'share'; readonly from: string }
  | { readonly do: 'mark' }
  /** Waits until the document has not changed for a while. */
  | {
      readonly do: 'quiet';
      readonly quietMs: number;
      /** Shortest watch: an act may take that long to change anything. */
      readonly leastMs: number;
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
    };

export type AskOf<K extends ActAsk['do']> = Extract<ActAsk, { readonly do: K }>;
