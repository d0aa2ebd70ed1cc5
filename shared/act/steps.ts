import { z } from 'zod';
import { MODIFIERS, STEP_KINDS, type StepKind } from './step-words.ts';

/** A ref, or a selector with its engine: `e13`, `css=#save`, `role=button[name="Save"]`. */
const TargetText = z.string().min(1).max(2_000);

const Position = z.strictObject({ x: z.number().min(0), y: z.number().min(0) });

const StepParts = z.strictObject({
  do: z.enum(STEP_KINDS),
  target: TargetText.optional(),
  /** Text, keys, an option (or several), paths of files, pixels of a scroll, a condition of a wait. */
  value: z.union([z.string().max(100_000), z.array(z.string().max(2_000)).min(1).max(100)]).optional(),
  /** Where a drag ends: a target, or distances such as `by=100,0 by=0,50`. */
  to: TargetText.optional(),
  /** Pixels from the top left corner of the drop target; default: its middle. */
  to_position: Position.optional(),
  modifiers: z.array(z.enum(MODIFIERS)).max(5).optional(),
  /** Pixels from the target's top left corner; its middle unless given. */
  position: Position.optional(),
  /** How many milliseconds a click, a tap or the last key stays pressed, or a dragged element before it moves. */
  hold: z.int().min(1).max(10_000).optional(),
});

/** Steps whose input is sent with modifiers held. The keys of `press` have their own. */
const WITH_MODIFIERS: ReadonlySet<StepKind> = new Set([
  ...(['click', 'double_click', 'right_click', 'tap', 'hover', 'drag', 'swipe', 'wheel'] as const),
]);

/** A part that this kind of step would leave out, or lacks. */
function problemOf({ do: kind, to, modifiers = [] }: z.infer<typeof StepParts>): string | null {
  if ((kind === 'drag' || kind === 'swipe') && to === undefined)
    return `${kind}: takes "to", such as "to": "by=100,0"`;
  if (modifiers.length === 0 || WITH_MODIFIERS.has(kind)) return null;
  if (kind === 'press') return 'press: takes modifiers with its keys, such as press Shift+Tab';
  return `${kind}: takes no modifiers, as ${[...WITH_MODIFIERS].join(', ')} do`;
}

export const Step = StepParts.superRefine((step, { addIssue }) => {
  const message = problemOf(step);
  if (message !== null) addIssue({ code: 'custom', message });
});
export type Step = z.infer<typeof Step>;

/** Text or an option, several options, on or off, a number. */
export const FieldValue = z.union([
  z.string().max(100_000),
  z.boolean(),
  z.number(),
  z.array(z.string().max(2_000)).max(100),
]);
export type FieldValue = z.infer<typeof FieldValue>;

/** Tokens of the page's part of a receipt. */
export const RECEIPT_TOKENS = 400;
/** Maximum steps, and maximum fields, of one call. */
export const STEPS_MAX = 100;
