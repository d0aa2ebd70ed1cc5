/** How far to scroll: `down`, `down 300`, `by 0,300`, `to top`; nothing means into view. */
export const SCROLL =
  /^(?:(up|down|left|right)(?:\s+(\d+))?|by\s+(-?\d+)\s*,\s*(-?\d+)|(?:to\s+)?(top|bottom))$/;

/** For a wheel that is turned without a number of pixels. */
const NOTCHES = 300;

/** How far to turn a wheel, to the right and down; null for a scroll to an end. */
export function wheelBy(how: string): { readonly x: number; readonly y: number } | null {
  const [, way, pixels = NOTCHES, x, y] = SCROLL.exec(how) ?? [];
  if (x !== undefined) return { x: Number(x), y: Number(y) };
  if (way === undefined) return null;
  const distance = Number(pixels) * (way === 'up' || way === 'left' ? -1 : 1);
  return way === 'left' || way === 'right' ? { x: distance, y: 0 } : { x: 0, y: distance };
}

export const PINCH_TAKES = 'pinch: takes a factor from 0.1 to 10, such as pinch e4 2';
/** How much a pinch scales; NaN for an invalid factor. */
export function pinchBy(factor: string): number {
  const by = Number(factor);
  return by >= 0.1 && by <= 10 ? by : NaN;
}

/** Separate from the schemas, since the panel reads steps too and carries no schema parser. */

export const STEP_KINDS = [
  'click',
  'double_click',
  'right_click',
  'tap',
  'hover',
  'fill',
  'type',
  'press',
  'select',
  'check',
  'uncheck',
  'drag',
  'swipe',
  'scroll',
  'wheel',
  'pinch',
  'upload',
  'focus',
  'clear',
  'submit',
  'wait',
] as const;
export type StepKind = (typeof STEP_KINDS)[number];
export const isStepKind = (word: string): word is StepKind => STEP_KINDS.some((kind) => kind === word);

/** The value of a step as its kind reads it, where a list is one text: `["Tab", "Enter"]` is `Tab Enter`. */
export const valueText = ({
  value = '',
}: {
  readonly value?: string | readonly string[] | undefined;
}): string => (typeof value === 'string' ? value : value.join(' '));

export const MODIFIERS = ['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift'] as const;
export type Modifier = (typeof MODIFIERS)[number];

/** Pixels, to the right and down. */
const NUMBER = String.raw`-?\d+(?:\.\d+)?`;
/** One of the distances of a drag: `by=100,0`. */
export const DISTANCE = new RegExp(`by=(${NUMBER}),(${NUMBER})`, 'g');
/** A drag by distances, one after another. */
export const BY = new RegExp(`^by=${NUMBER},${NUMBER}(?: by=${NUMBER},${NUMBER})*$`);
