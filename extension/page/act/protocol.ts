import type { Point } from '../../../shared/act/page-answers.ts';

/**
 * What input will be sent to a point: `press` is a button pressed and released, `grab` pressed only, `hover`
 * moved to, `drop` released at the end of a drag.
 */
export type Gesture = 'press' | 'grab' | 'hover' | 'drop';

/** One question about acting. Those that wait have `waitMs`. */
export type ActAsk =
  | { readonly do: 'find'; readonly target: string }
  /**
   * Which control has this label, placeholder or name? One that text can be typed into gets the focus, if
   * wanted. While text is on its way into the element that has got the focus last, the answer waits for it.
   */
  | {
      readonly do: 'field';
      readonly name: string;
      readonly focus: boolean;
      /** As for `focus`. */
      readonly guards: boolean;
      readonly isTyping: boolean;
    }
  /** The default button of a form, of the element's own or the only one. */
  | { readonly do: 'submitter'; readonly held: number | null }
  /**
   * Wait until input at the element would reach it. From then on its events are witnessed. With `isBound`, they do not
   * arrive once its form would be sent elsewhere than when the element was found.
   */
  | {
      readonly do: 'aim';
      readonly held: number;
      readonly isBound: boolean;
      readonly gesture: Gesture;
      readonly position: Point | null;
      /** For a drop: where the drag has been carried to. */
      readonly at?: Point | null;
      readonly waitMs: number;
    }
  /** A drag will end here: what is there before it begins? */
  | {
      readonly do: 'landing';
      readonly held: number;
      /** The dragged element; null if it is in another document. */
      readonly dragged: number | null;
    }
  /** Where does a point of a frame's viewport lie in this one, and does input there reach the frame? */
  | {
      readonly do: 'frame_point';
      readonly index: number;
      readonly point: Point;
      readonly name: string;
      readonly waitMs: number;
    }
  /** Give it the focus; select what it holds, or put the caret behind it. */
  | {
      readonly do: 'focus';
      readonly held: number;
      readonly select: 'all' | 'end' | 'none';
      /** Keep what is typed out of password fields until the field's value is asked for. */
      readonly guards: boolean;
      readonly waitMs: number;
    }
  /**
   * From now on, keep what is typed and dropped out of password fields; or no longer, and what has it been
   * kept from?
   */
  | { readonly do: 'guard'; readonly isOn: boolean }
  /** Has the page handled what came of the last key? */
  | { readonly do: 'rest' }
  /** `expected` is compared and never sent back. `isTyping` as above. */
  | {
      readonly do: 'value';
      readonly held: number;
      readonly expected: string | null;
      readonly isTyping: boolean;
    }
  /** Set a value as a whole; options of a select by label or value. */
  | { readonly do: 'set'; readonly held: number; readonly values: readonly string[]; readonly waitMs: number }
  /**
   * What does a control offer now, and which of it has this text? With `isFirst`, what comes into view from now on is its
   * popup. With `isLast`, nothing better will come.
   */
  | {
      readonly do: 'offers';
      readonly held: number;
      readonly text: string;
      readonly isFirst: boolean;
      readonly isLast: boolean;
    }
  | { readonly do: 'opener'; readonly held: number }
  /** Scroll on what a control offers. */
  | { readonly do: 'scroll_offers'; readonly held: number }
  /** Has the control taken an option with this text? */
  | { readonly do: 'chosen'; readonly held: number; readonly option: number; readonly text: string }
  /** Take the focus from fields, and give it back if wanted: what do they show once the page has taken their values? */
  | { readonly do: 'leave'; readonly held: readonly number[]; readonly refocuses: boolean }
  /** Does a layer lie next to a field, which it has opened and may take its value back with? */
  | { readonly do: 'layer'; readonly held: number }
  /** The next Enter in a field must not send its form. */
  | { readonly do: 'stay'; readonly held: number }
  /** Which parts has a field of a date or a time, and what is to be typed into each for this text? */
  | { readonly do: 'parts'; readonly held: number; readonly text: string }
  /** Where is a slider? `text` is what it says in words. */
  | { readonly do: 'slider'; readonly held: number }
  /** Put text in place of what is selected in an editor, as a paste: no script of the page completes or indents it. */
  | { readonly do: 'paste'; readonly held: number; readonly text: string }
  | { readonly do: 'editor'; readonly held: number }
  /** Which choices of a group of check boxes, or of a control for several values, do these texts not name? */
  | { readonly do: 'others'; readonly held: number; readonly texts: readonly string[] }
  /**
   * How does an element take files: as a file field, as what files are dropped on, or by a chooser that it
   * opens?
   */
  | { readonly do: 'files_way'; readonly held: number }
  /** The element that the debugger has handed to this document's script. */
  | { readonly do: 'handed' }
  /** The next part of a file, in base64. */
  | { readonly do: 'stage'; readonly file: string; readonly data: string }
  /** Give staged files to a field, or drop them on an element. */
  | {
      readonly do: 'files';
      readonly held: number;
      readonly files: readonly { readonly file: string; readonly name: string; readonly mime: string }[];
    }
  /** The document's outermost element, if it has one. */
  | { readonly do: 'root' }
  | { readonly do: 'scroll'; readonly held: number | null; readonly how: string }
  | { readonly do: 'outline'; readonly held: number }
  /** Wait until the page has been drawn. */
  | { readonly do: 'drawn' }
  /** Events of a script instead of a person's: where the debugger cannot attach. */
  | {
      readonly do: 'synthesize';
      readonly held: number;
      readonly kind: 'click' | 'double_click' | 'right_click' | 'hover';
    }
  | { readonly do: 'insert'; readonly held: number; readonly text: string }
  /** The next text typed there is a secret. */
  | { readonly do: 'conceal'; readonly held: number }
  /**
   * Is it still in the page, has the page's window kept its size since input was aimed, does its form still lead where it
   * did, and is what it opens closed?
   */
  | { readonly do: 'present'; readonly held: number }
  /** The session that asks may use the refs that another one was shown. */
  | { readonly do: 'share'; readonly from: string }
  | { readonly do: 'mark' }
  /** Wait until the document has not changed for a while. */
  | {
      readonly do: 'quiet';
      readonly quietMs: number;
      /** The least time to watch: an act may take that long to change anything. */
      readonly leastMs: number;
      /**
       * Watch at least until the next frame: some pages change with it. One that has just come draws its
       * first one late.
       */
      readonly untilFrame: boolean;
      /**
       * How long ago the last answer to a request came, which the page handles a moment later; null for none.
       */
      readonly sinceMs: number | null;
      readonly effectMs: number;
      readonly waitMs: number;
    };
