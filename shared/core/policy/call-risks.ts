import { z } from 'zod';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Risk } from './risks.ts';
import { parseDialogStep, parseStep, StepError } from '../../act/parse-step.ts';
import { valueText, type StepKind } from '../../act/step-words.ts';
import { Step } from '../../act/steps.ts';
import { cut } from '../../base/cut.ts';

/** A risk of a call, and the step that causes it. */
export interface StepRisk {
  readonly risk: Risk;
  /** Its index in `steps`; null for a field, and for a call without steps. */
  readonly step: number | null;
}

const CLICK: readonly Risk[] = ['input', 'submit', 'navigate', 'download'];
const INPUT: readonly Risk[] = ['input'];
const NOTHING: readonly Risk[] = [];

const RISKS_OF: Readonly<Record<StepKind, readonly Risk[]>> = {
  click: CLICK,
  double_click: CLICK,
  submit: CLICK,
  right_click: INPUT,
  tap: CLICK,
  wheel: INPUT,
  pinch: INPUT,
  hover: INPUT,
  focus: INPUT,
  fill: INPUT,
  type: INPUT,
  press: INPUT,
  clear: INPUT,
  select: INPUT,
  check: INPUT,
  uncheck: INPUT,
  // A drag that ends where it began is a click.
  drag: CLICK,
  swipe: CLICK,
  // It presses a control that opens a file chooser.
  upload: [...CLICK, 'upload'],
  scroll: NOTHING,
  wait: NOTHING,
};

/** Keys that activate the focused element like a click. */
const CLICKING_KEY = /(?:^|\+|\s)(?:Enter|NumpadEnter|Return|Space(?:bar)?)(?=\s|$)|^ $|\r|\n/i;
/** Typed text that sends a form, or leaves its field by Tab and presses the next button by Space. */
const CLICKING_TEXT = /[\r\n]|\t[^]* /;
/** A file field takes absolute paths. */
const PATH = /^(?:[/\\]|[A-Za-z]:[/\\])/;

/** The page decides, and the outcome shows only afterwards. */
export function risksOfStep(step: Step): readonly Risk[] {
  const text = valueText(step);
  if (step.do === 'press' && CLICKING_KEY.test(text)) return CLICK;
  if (step.do === 'type' && CLICKING_TEXT.test(text)) return CLICK;
  return RISKS_OF[step.do];
}

function risksOfField(value: JsonValue | undefined): readonly Risk[] {
  const values = isJsonList(value) ? value : [value];
  const hasPath = values.some((one) => typeof one === 'string' && PATH.test(one));
  return hasPath ? ['input', 'upload'] : INPUT;
}

/** A step in a call; null for one that will be refused. */
export function readStep(step: JsonValue | undefined): Step | null {
  try {
    return Step.parse(typeof step === 'string' ? parseStep(step) : step);
  } catch (thrown) {
    if (thrown instanceof StepError || thrown instanceof z.ZodError) return null;
    throw thrown;
  }
}

/** The risks of `interact`: those of its fields first, then step by step. */
export function risksOfInteract({ fields, steps }: JsonObject): readonly StepRisk[] {
  const ofFields = new Set(Object.values(isObject(fields) ? fields : {}).flatMap(risksOfField));
  const list = isJsonList(steps) ? steps : [];
  return [
    ...[...ofFields].map((risk) => ({ risk, step: null })),
    ...list.flatMap((given, step): readonly StepRisk[] => {
      if (parseDialogStep(given) !== null) return [{ risk: 'dialog', step }];
      const read = readStep(given);
      return read === null ? [] : risksOfStep(read).map((risk) => ({ risk, step }));
    }),
  ];
}

/** The risks of an act whose steps are parsed, and of the receipt that shows the page. */
export function risksOfAct(act: {
  readonly fields: readonly unknown[];
  readonly steps: readonly Step[];
  readonly files: readonly unknown[];
}): readonly Risk[] {
  const ofFields: readonly Risk[] = act.fields.length === 0 ? NOTHING : INPUT;
  const ofFiles: readonly Risk[] = act.files.length === 0 ? NOTHING : ['upload'];
  return [...new Set<Risk>(['read', ...ofFields, ...ofFiles, ...act.steps.flatMap(risksOfStep)])];
}

/** The one risk of a call without steps. */
export const oneRisk = (risk: Risk) => (): readonly StepRisk[] => [{ risk, step: null }];

const LINE_UNITS = 120;
const LINES_MAX = 8;

const lineOf = (kind: string, what = ''): string => cut(`${kind} ${what}`.trim(), LINE_UNITS).toWellFormed();

/**
 * The acts of an `interact` call, for the record: `click text="Add to cart"`, `fill Email`. Without the typed
 * text.
 * @param names the page's names for the targets, in order, as far as known
 */
export function stepLines(
  { fields, steps }: JsonObject,
  names: readonly (string | undefined)[] = [],
): readonly string[] {
  const ofFields = Object.entries(isObject(fields) ? fields : {}).map(([label, value]) => ({
    kind: value === true ? 'check' : value === false ? 'uncheck' : 'fill',
    what: label,
  }));
  const ofSteps = (isJsonList(steps) ? steps : []).flatMap(
    (given): readonly { readonly kind: string; readonly what: string | undefined }[] => {
      const dialog = parseDialogStep(given);
      if (dialog !== null) return [{ kind: 'dialog', what: dialog.action }];
      const step = readStep(given);
      return step === null ? [] : [{ kind: step.do, what: step.target }];
    },
  );
  return [...ofFields, ...ofSteps]
    .slice(0, LINES_MAX)
    .map(({ kind, what }, at) => lineOf(kind, names[at] ?? what));
}
