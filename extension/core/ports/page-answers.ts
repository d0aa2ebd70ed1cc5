import * as z from 'zod/mini';
import { Code } from './page-messages.ts';

/** A point in the viewport of a document's window, in CSS pixels. */
const Point = z.object({ x: z.number(), y: z.number() });
/** An area of the viewport, in CSS pixels. */
const Box = z.extend(Point, { width: z.number(), height: z.number() });
/** In the form of `windowPath`. */
const Path = z.readonly(z.array(z.int()));
const Texts = z.readonly(z.array(z.string()));
const Done = z.object({ done: z.literal(true) });

/**
 * How an element is set. `resolveControlKind` recognises it, `fillAs` and `setTo` set it (one that takes a single value is in `ONE`
 * next to `setTo`), and `CONTROLS` of `act/page/fields.ts` has what a name in `fields` may mean.
 */
const ControlKind = z.enum([
  /** Text that is typed: inputs, text areas, editable content. */
  'text',
  /** An input whose value is set as a whole: dates, times, colours, ranges. */
  'value',
  /** A check box, a switch, a toggle. */
  'check',
  'radio',
  /** `<select>` */
  'select',
  /** An ARIA combobox or list box, which opens and offers choices. */
  'listbox',
  /** The same if text can also be typed. */
  'combobox',
  /** A slider, which keys move. */
  'slider',
  /** A date or a time whose parts are spin buttons. */
  'parts',
  /** Editable content, and content that only an editor's script reads and writes. */
  'editor',
  'file',
  /** An option of a `<select>` that draws it outside of the page. */
  'option',
  'other',
]);

const Leads = z.object({
  how: z.enum(['form', 'link']),
  url: z.string(),
  /** For a form: its method. */
  method: z.optional(z.string()),
  /** For a form: a digest of the current values of the fields that a person does not see. */
  hidden: z.optional(z.string()),
});

const TargetFacts = z.object({
  /** The name for later questions, until the act ends. */
  held: z.int(),
  /** `button Save`, as the snapshot would write it without its ref. */
  line: z.string(),
  /** The same with the whole name, if the line has only its beginning. */
  whole: z.optional(z.string()),
  kind: ControlKind,
  isPassword: z.boolean(),
  /** Of a file field. */
  files: z.optional(z.object({ accept: z.string(), isMultiple: z.boolean(), isFolder: z.boolean() })),
  /** Its value is left out of answers. */
  hides: z.boolean(),
  /** It takes one character, or two: a box of a code, for example. */
  isBrief: z.boolean(),
  opens: z.boolean(),
  leads: z.nullable(Leads),
  note: z.nullable(z.string()),
  /** From its top left corner, if a point of the page named it. */
  point: z.optional(Point),
});
const All = z.readonly(z.array(TargetFacts));
/** A note, or a failure; null for neither. */
const Outcome = z.nullable(z.union([z.string(), z.object({ code: Code, message: z.string() })]));
/** `isAtRest`: the document has not changed for a moment. `known`: the labels of fields, if one was asked for. */
export const Found = z.object({
  found: All,
  count: z.int(),
  lines: Texts,
  isAtRest: z.boolean(),
  known: z.optional(Texts),
});

export const Rest = z.object({
  isQuiet: z.boolean(),
  /** Something has come, gone or changed its looks since the last input was aimed. */
  hasStirred: z.boolean(),
  /** The same, or something has been scrolled. */
  hasMoved: z.boolean(),
});

export const PAGE_ANSWERS = {
  find: Found,
  landing: Done,
  /** `scale` is what a pinch has made of the page. */
  frame_point: z.object({ point: Point, scale: z.number(), path: Path }),
  guard: z.object({
    refused: z.nullable(z.string()),
    lost: z.int(),
    late: z.int(),
    to: z.nullable(z.string()),
    came: z.nullable(z.string()),
    hides: z.boolean(),
  }),
  step: z.object({ notes: z.readonly(z.array(Outcome)) }),
  point: z.nullable(TargetFacts),
  record: Done,
  ref: z.object({ ref: z.string(), role: z.string(), name: z.string() }),
  /** `top`: the scroll position of the scrolled part. */
  scroll: z.object({ moved: z.boolean(), top: z.number() }),
  /** `secrets`: fields of the document whose values must not leave it. */
  outline: z.object({
    box: Box,
    /** The element and its labels, from the left edge of what its form shows. */
    around: Box,
    secrets: z.readonly(z.array(Box)),
    pixelRatio: z.number(),
    /** Its document is reached from the tab's own, so the box is in the tab's viewport. */
    isInTab: z.boolean(),
    isInView: z.boolean(),
  }),
  /** `frames`: those that the document's script cannot enter. */
  concealed: z.object({
    secrets: z.readonly(z.array(Box)),
    frames: z.readonly(z.array(Box)),
    view: z.object({ width: z.number(), height: z.number(), scale: z.number() }),
    isInTab: z.boolean(),
  }),
  strike: Done,
  share: z.object({ shared: z.int() }),
  rest: Rest,
};

/** How far a gesture has come. */
export const Stage = z.enum(['moved', 'pressed', 'released', 'clicked', 'dropped']);

/**
 * Where input would reach an element. `view` is where what a person sees of the window begins. `isOwn`: no frame that
 * this script can reach, and no object or embed, encloses the element.
 */
const Aim = z.object({ point: Point, view: Point, isOwn: z.boolean(), path: Path });

/** Keys that a step wants at once. */
const KEYS_MAX = 50;
const ARROWS = ['ArrowDown', 'ArrowLeft', 'ArrowRight', 'ArrowUp'] as const;
/** Null for the step's own element. */
const At = z.nullable(TargetFacts);

/** Input that a step in the page wants. */
export const Want = z.union([
  /** For the focused element. No key gives a character: a page does not choose what is typed. */
  z.object({
    key: z.enum([...ARROWS, 'Delete', 'Enter', 'Escape', 'Home', 'SelectAll', 'ToEnd']),
    count: z.int().check(z.positive(), z.maximum(KEYS_MAX)),
  }),
  /** One of the step's texts, by its index: replaces the selection of the focused element, or is typed there. */
  z.object({ text: z.int(), by: z.enum(['replacing', 'inserted', 'soft', 'pressed']), at: At }),
  /** A number of the step's date or time, or the first letter of a half of the day. */
  z.object({ part: z.string().check(z.regex(/^(?:\d{1,6}|[ap])$/)), at: At }),
  /** A gesture there, or the input that follows it. */
  z.object({ aim: Aim, at: At, isTurn: z.boolean() }),
  /** A part of one of the step's files, by its index. */
  z.object({ file: z.int(), part: z.int() }),
  /** The step's files go to its field, which answers an event of this name. */
  z.object({ field: z.string().check(z.regex(/^[\da-f-]{1,64}$/)) }),
  /** The files go to the chooser that a press opens. */
  z.object({ opens: z.literal(true) }),
  /** Fields that were typed into are to be left. */
  z.object({ leaves: z.literal(true) }),
  /** A script of ours is about to set the element, or has found that it cannot. */
  z.object({ changes: z.boolean() }),
]);

/** A field that a step has filled, and a note on it. */
export const Did = z.object({ facts: TargetFacts, note: z.nullable(z.string()) });

export type Did = Readonly<z.infer<typeof Did>>;
export type Want = Readonly<z.infer<typeof Want>>;
export type Point = Readonly<z.infer<typeof Point>>;
export type Box = Readonly<z.infer<typeof Box>>;
export type ControlKind = z.infer<typeof ControlKind>;
export type Leads = Readonly<z.infer<typeof Leads>>;
export type TargetFacts = Readonly<z.infer<typeof TargetFacts>>;
export type Stage = z.infer<typeof Stage>;
export type Found = Readonly<z.infer<typeof Found>>;
export type Rest = Readonly<z.infer<typeof Rest>>;
export type Aim = Readonly<z.infer<typeof Aim>>;
export type PageAnswers = {
  readonly [K in keyof typeof PAGE_ANSWERS]: z.infer<(typeof PAGE_ANSWERS)[K]>;
};
