/* Apart from the schemas, since the panel reads steps too and carries no parser of schemas. */

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

export const MODIFIERS = ['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift'] as const;
export type Modifier = (typeof MODIFIERS)[number];

/** Pixels, to the right and down. */
const NUMBER = String.raw`-?\d+(?:\.\d+)?`;
/** One of the distances of a drag: `by=100,0`. */
export const DISTANCE = new RegExp(`by=(${NUMBER}),(${NUMBER})`, 'g');
/** A drag that goes by distances, one after the other. */
export const BY = new RegExp(`^by=${NUMBER},${NUMBER}(?: by=${NUMBER},${NUMBER})*$`);
