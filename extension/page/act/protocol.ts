/** A point in the viewport of a document's window, in CSS pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** An area of the viewport, in CSS pixels. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/**
 * What input will be sent to a point: `press` is a button pressed and released, `grab` pressed only, `hover`
 * moved to, `drop` released at the end of a drag.
 */
export type Gesture = 'press' | 'grab' | 'hover' | 'drop';

/** How an element takes a value. */
export type ControlKind =
  /** Text that is typed: inputs, text areas, editable content. */
  | 'text'
  /** An input whose value is set as a whole: dates, times, colours, ranges. */
  | 'value'
  /** A check box, a switch, a toggle. */
  | 'check'
  | 'radio'
  /** `<select>` */
  | 'select'
  /** An ARIA combobox or list box, which opens and is chosen from. */
  | 'listbox'
  /** The same where text can be typed too. */
  | 'combobox'
  /** A slider, which keys move. */
  | 'slider'
  /** Editable content, and what only an editor's script reads and writes. */
  | 'editor'
  | 'file'
  | 'other';

export type FilesWay = 'field' | 'drop' | 'press' | 'press or drop';

/** Where a page says that an element leads. */
export interface Leads {
  readonly how: 'form' | 'link';
  readonly url: string;
  /** Of a form: its method. */
  readonly method?: string | undefined;
  /** Of a form: stands for the fields that a person does not see, as they are now. */
  readonly hidden?: string | undefined;
}

/** Null where the page sets no bound. */
export interface Bounds {
  readonly least: number | null;
  readonly most: number | null;
}

/** What is known of an element that a step works on. */
export interface TargetFacts {
  /** By which later questions name it, until the act ends. */
  readonly held: number;
  /** `button Save`, as the snapshot would write it without its ref. */
  readonly line: string;
  readonly kind: ControlKind;
  /** Null where it is neither. */
  readonly checked: boolean | null;
  readonly isPassword: boolean;
  readonly isMultiple: boolean;
  /** Of what takes a number. */
  readonly bounds: Bounds | null;
  /** It says that it opens a popup, such as a menu or a list. */
  readonly opens: boolean;
  readonly leads: Leads | null;
  /** How it was found again after the page had replaced it. */
  readonly note: string | null;
}

/** A field's value as the page has it after it was set. */
export interface FieldState {
  /** Empty for what must not leave the page. */
  readonly value: string;
  readonly checked: boolean | null;
  /** The value is one that must not leave the page. */
  readonly isSecret: boolean;
  /** Whether a value that was passed along is what the field holds. */
  readonly isTaken: boolean;
}

/** One question about acting. Those that wait have `waitMs`. */
export type ActAsk =
  /** Which elements does this target name? */
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
      /** Of a drop: where the drag has been carried to. */
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
  /** What does the field hold? `expected` is compared and never sent back. `isTyping` as above. */
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
  /** Which element opens a control when it is pressed? */
  | { readonly do: 'opener'; readonly held: number }
  /** Scroll on what a control offers. */
  | { readonly do: 'scroll_offers'; readonly held: number }
  /** Has the control taken an option with this text? */
  | { readonly do: 'chosen'; readonly held: number; readonly option: number; readonly text: string }
  /** Take the focus from a field and give it back, so that the page takes its value. */
  | { readonly do: 'commit'; readonly held: number }
  /** Where is a slider? `text` is what it says in words. */
  | { readonly do: 'slider'; readonly held: number }
  /** Put text in place of what is selected in an editor, as a paste: no script of the page completes or indents it. */
  | { readonly do: 'paste'; readonly held: number; readonly text: string }
  /** Which text does an editor show? An editor that draws its text copies its selection. */
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
  /** Where is it in the viewport of the tab, as far as this document can tell? */
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
   * Is it still in the page, has the page's window kept its size since input was aimed, and does its form still lead where
   * it did?
   */
  | { readonly do: 'present'; readonly held: number }
  /** The session that asks may use the refs that another one was shown. */
  | { readonly do: 'share'; readonly from: string }
  /** Which document is it? */
  | { readonly do: 'mark' }
  /** Wait until the document has not changed for a while. */
  | {
      readonly do: 'quiet';
      readonly quietMs: number;
      /** How long to watch at least: what was done may take so long to change anything. */
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
      /** How long to wait for an effect of the last input, if there was none. */
      readonly effectMs: number;
      readonly waitMs: number;
    };

export interface ActAnswers {
  readonly find: {
    readonly found: readonly TargetFacts[];
    readonly count: number;
    readonly lines: readonly string[];
  };
  readonly field: ActAnswers['find'] & {
    readonly known: readonly string[];
    /** It has the focus, and what it holds is selected. */
    readonly isFocused: boolean;
  };
  readonly submitter: TargetFacts | null;
  readonly root: TargetFacts | null;
  /** `isOwn` says that no frame that this script reaches into is around the element, nor an object or an embed. */
  readonly aim: { readonly point: Point; readonly isOwn: boolean };
  readonly landing: { readonly done: true };
  readonly frame_point: { readonly point: Point };
  readonly focus: { readonly value: string };
  readonly guard: { readonly refused: string | null };
  readonly value: FieldState;
  readonly set: FieldState;
  /** `shown` are the first choices; `canClose` says that a popup of the control is open. */
  readonly offers: {
    readonly option: TargetFacts | null;
    readonly name: string;
    readonly isChosen: boolean;
    readonly isOpen: boolean;
    readonly canClose: boolean;
    readonly isMultiple: boolean;
    /** The control shows the text already. */
    readonly isHeld: boolean;
    readonly shown: readonly string[];
    readonly count: number;
  };
  readonly opener: TargetFacts;
  readonly scroll_offers: { readonly moved: boolean };
  /** `isShown`: the control shows the text. `isChosen`: the option says that it is. */
  readonly chosen: { readonly isOpen: boolean; readonly isShown: boolean; readonly isChosen: boolean };
  readonly commit: { readonly done: true };
  readonly slider: { readonly now: number | null; readonly text: string | null };
  readonly paste: { readonly isHandled: boolean };
  /** Null where it gave no copy. */
  readonly editor: { readonly text: string | null; readonly isCopied: boolean };
  /** `found` take it back when they are pressed; `left` are the names of all of it, `shown` the texts that the control shows. */
  readonly others: {
    readonly found: readonly TargetFacts[];
    readonly left: readonly string[];
    readonly shown: readonly string[];
  };
  readonly files_way: { readonly way: FilesWay };
  readonly handed: TargetFacts | null;
  readonly stage: { readonly done: true };
  readonly files: { readonly names: readonly string[] };
  /** `top` is how far what was scrolled is from its top. */
  readonly scroll: { readonly moved: boolean; readonly top: number };
  /** `secrets` are the fields of the document whose values must not leave it. */
  readonly outline: { readonly box: Box; readonly secrets: readonly Box[]; readonly pixelRatio: number };
  readonly drawn: { readonly done: true };
  readonly synthesize: { readonly done: true };
  readonly insert: { readonly done: boolean };
  readonly conceal: { readonly done: true };
  readonly present: {
    readonly isPresent: boolean;
    readonly isResized: boolean;
    readonly isRedirected: boolean;
    /** The document has changed since input was aimed, in a way that people may see. */
    readonly hasStirred: boolean;
  };
  readonly share: { readonly shared: number };
  readonly mark: {
    readonly scriptId: string;
    /** As `windowPath` has it. */
    readonly path: readonly number[];
  };
  readonly quiet: { readonly isQuiet: boolean };
}

/** What became of input that was aimed. */
export type Witnessed =
  /** It arrived at the element. `at` is how far the gesture has come. */
  | { readonly ok: true; readonly at: 'moved' | 'pressed' | 'released' | 'clicked' | 'dropped' }
  /** It would have arrived at something else, and was kept from it. */
  | { readonly ok: false; readonly hit: string };
