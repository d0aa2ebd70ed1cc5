import { cut } from '../base/cut.ts';
import { lookUp } from '../base/json.ts';
import {
  SCROLL,
  wheelBy,
  BY,
  isStepKind,
  MODIFIERS,
  PINCH_TAKES,
  pinchBy,
  STEP_KINDS,
  type Modifier,
  type StepKind,
} from './step-words.ts';
import type { Step } from './steps.ts';

const TAKES: Readonly<
  Record<StepKind, 'target' | 'optional' | 'value' | 'keys' | 'drag' | 'scroll' | 'wait'>
> = {
  click: 'target',
  double_click: 'target',
  right_click: 'target',
  tap: 'target',
  hover: 'target',
  focus: 'target',
  clear: 'target',
  check: 'target',
  uncheck: 'target',
  submit: 'optional',
  fill: 'value',
  type: 'value',
  select: 'value',
  upload: 'value',
  press: 'keys',
  drag: 'drag',
  swipe: 'drag',
  scroll: 'scroll',
  wheel: 'scroll',
  pinch: 'value',
  wait: 'wait',
};

const REF = /^(?:f\d+)*e\d+(?=\s|$)/;
const ENGINE = /^(?:[a-z]+=|\/\/|[#.["(])/;
const POSITION = /(?:^|\s+)at\s+(\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)$/;
const HELD_FOR = /\s+for\s+(\d+)\s*ms$/;
const HOLDS: ReadonlySet<StepKind> = new Set(['click', 'tap', 'press', 'drag', 'swipe']);
const GRABBED_AT = /^at\s+(\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)(?=\s|$)/;
/** Opening characters and their closing ones. */
const CLOSES: Readonly<Record<string, string>> = { '[': ']', '(': ')', '"': '"', "'": "'", '`': '`' };

const DIALOG = /^\s*dialog\s+(accept|dismiss)(?:\s(.*))?$/s;

/** The answer to the dialog of a page, as a step of `interact`. */
export interface DialogStep {
  readonly action: 'accept' | 'dismiss';
  readonly text?: string;
}

/** Reads `dialog accept`, `dialog accept Ada`, `dialog dismiss`; null for every other step. */
export function parseDialogStep(step: unknown): DialogStep | null {
  const [, action, text = ''] = (typeof step === 'string' ? DIALOG.exec(step) : null) ?? [];
  if (action !== 'accept' && action !== 'dismiss') return null;
  return { action, ...(text === '' ? {} : { text }) };
}

/** A line that is not a step; the message says what is missing. */
export class StepError extends Error {}

/**
 * Reads a step's line: `click e6`, `Shift+click e6 at 10,20`, `fill e4 the rest is the text`, `select
 * label="Country" France`, `drag e1 e2`, `drag e1 at 5,5 by 40,0 by 0,40`, `press Control+A`, `press ArrowUp
 * for 800ms`, `scroll e9 down 300`, `wait text Saved`. A selector in front of a value ends at the first space
 * outside quotes and brackets; `>>` continues it.
 * @throws StepError that names the gap
 */
export function parseStep(line: string): Step {
  const text = line.trimStart();
  const [word = ''] = /^\S*/.exec(text) ?? [];
  const { kind, modifiers } = readVerb(word);
  const held = HOLDS.has(kind) ? HELD_FOR.exec(text) : null;
  const step = {
    do: kind,
    ...(modifiers.length > 0 ? { modifiers } : {}),
    ...(held === null ? {} : { hold: Number(held[1]) }),
  };
  const rest = text.slice(word.length, held?.index).replace(/^\s/, '');
  switch (TAKES[kind]) {
    case 'target':
    case 'optional':
      return { ...step, ...readOnlyTarget(kind, rest) };
    case 'value':
      return { ...step, ...readTargetAndValue(kind, rest) };
    case 'keys':
      return { ...step, ...readKeys(rest) };
    case 'drag':
      return { ...step, ...readDrag(kind, rest) };
    case 'scroll':
      return { ...step, ...readScroll(kind, rest) };
    case 'wait':
      return { ...step, value: expectText(rest.trim(), 'wait: say for what, such as wait text Saved') };
  }
}

function readVerb(word: string): { readonly kind: StepKind; readonly modifiers: Modifier[] } {
  const parts = word.split('+');
  const kind = (parts.pop() ?? '').toLowerCase();
  if (!isStepKind(kind))
    throw new StepError(`${JSON.stringify(cut(word, 40))} is not a step; there are ${STEP_KINDS.join(', ')}`);
  const modifiers = parts.map((part) => {
    const modifier = MODIFIERS.find((one) => one === part);
    if (modifier !== undefined) return modifier;
    const known = MODIFIERS.join(', ');
    throw new StepError(`${JSON.stringify(cut(part, 40))} is not a modifier; there are ${known}`);
  });
  return { kind, modifiers };
}

function expectText(text: string, otherwise: string): string {
  if (text === '') throw new StepError(otherwise);
  return text;
}

function readOnlyTarget(kind: StepKind, rest: string): Partial<Step> {
  const at = POSITION.exec(rest);
  const target = (at === null ? rest : rest.slice(0, at.index)).trim();
  if (target === '' && at !== null) return { target: `point=${at[1]},${at[2]}` };
  if (target === '') {
    if (TAKES[kind] === 'optional') return {};
    throw new StepError(`${kind}: takes a target, such as ${kind} e6 or ${kind} text=Save`);
  }
  return { target, ...(at === null ? {} : { position: pointOf(at) }) };
}

type Point = NonNullable<Step['position']>;
const pointOf = ([, x, y]: RegExpExecArray): Point => ({ x: Number(x), y: Number(y) });

/** End of the target at the start of a text; 0 if there is none. */
function targetEnd(text: string): number {
  const ref = REF.exec(text);
  if (ref !== null) return ref[0].length;
  return ENGINE.test(text) ? selectorEnd(text) : 0;
}

function selectorEnd(text: string): number {
  const open: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const closing = open.at(-1);
    const isQuoted = closing !== undefined && /["'`]/.test(closing);
    if (char === '\\') at += 1;
    else if (char === closing) open.pop();
    else if (!isQuoted && CLOSES[char] !== undefined) open.push(CLOSES[char]);
    else if (open.length === 0 && /\s/.test(char)) {
      const chained = /^\s*>>\s*/.exec(text.slice(at));
      if (chained === null) return at;
      at += chained[0].length - 1;
    }
  }
  return text.length;
}

/** The target at the start of a text, and the text after it and one space. */
function splitTarget(text: string): { readonly target: string; readonly rest: string } {
  const start = text.trimStart();
  const end = targetEnd(start);
  return { target: start.slice(0, end), rest: start.slice(end).replace(/^\s/, '') };
}

const VALUES: Readonly<Partial<Record<StepKind, string>>> = { upload: '/path/of/a/file', pinch: '2' };
const exampleValue = (kind: StepKind): string => VALUES[kind] ?? 'the value';

/** An example of all that a step takes after its target. */
export function exampleAfter(kind: StepKind): Pick<Step, 'value' | 'to'> {
  if (TAKES[kind] === 'value') return { value: exampleValue(kind) };
  if (kind === 'press') return { value: 'Enter' };
  if (kind === 'wheel') return { value: 'down 300' };
  return TAKES[kind] === 'drag' ? { to: 'e2' } : {};
}

function readTargetAndValue(kind: StepKind, text: string): Partial<Step> {
  const { target, rest } = splitTarget(text);
  const example = `${kind} e4 ${exampleValue(kind)}`;
  const where = kind === 'type' ? '; type css=:focus the value, where the caret is' : '';
  if (target === '') throw new StepError(`${kind}: takes a target first, such as ${example}${where}`);
  // Without a path, the person chooses the files.
  if (rest === '' && kind === 'upload') return { target };
  if (rest === '' && kind !== 'fill')
    throw new StepError(`${kind}: takes a value after ${target}, such as ${example}`);
  if (kind === 'pinch' && Number.isNaN(pinchBy(rest))) throw new StepError(PINCH_TAKES);
  return { target, value: rest };
}

function readKeys(text: string): Partial<Step> {
  const { target, rest } = splitTarget(text);
  // Keys such as # and [ are also how selectors begin.
  if (target.length === 1 || (rest === '' && /^\S\s/.test(target))) return { value: text.trim() };
  const keys = expectText(rest.trim(), 'press: takes keys, such as press Tab or press e4 Enter');
  return { value: keys, ...(target === '' ? {} : { target }) };
}

function readDrag(kind: StepKind, text: string): Partial<Step> {
  const from = splitTarget(text);
  const grab = GRABBED_AT.exec(from.rest);
  const rest = from.rest
    .slice(grab?.[0].length ?? 0)
    .trim()
    .replace(/^to\s+(?=\S)/, '');
  const path = rest.replace(/(^|\s)by\s+(\S+?)\s*,\s*(\S+)/g, '$1by=$2,$3');
  const way = kind === 'swipe' ? wheelBy(path) : null;
  const end = way !== null ? { to: `by=${way.x},${way.y}` } : BY.test(path) ? { to: path } : readEnd(rest);
  if (from.target === '' || end.to === '')
    throw new StepError(`${kind}: takes two targets, such as ${kind} e1 e2, or ${kind} e1 by 100,0`);
  return { target: from.target, ...(grab === null ? {} : { position: pointOf(grab) }), ...end };
}

function readEnd(text: string): { readonly to: string; readonly to_position?: Point } {
  const at = POSITION.exec(text);
  if (at === null) return { to: text };
  const to = text.slice(0, at.index).trim();
  return to === '' ? { to: `point=${at[1]},${at[2]}` } : { to, to_position: pointOf(at) };
}

function readScroll(kind: StepKind, text: string): Partial<Step> {
  const { target, rest } = splitTarget(text);
  const value = rest.trim().replace(/^-?\d+$/, 'by 0,$&');
  if (value !== '' && !SCROLL.test(value))
    throw new StepError(
      `${kind}: takes a target and a way, such as down 300, by 0,300 or to bottom; not ${JSON.stringify(cut(value, 40))}`,
    );
  if (kind === 'wheel' && wheelBy(value) === null)
    throw new StepError('wheel: takes a way, such as wheel e9 down 300');
  if (value === '' && target === '') throw new StepError('scroll: takes a target, or a way such as down 300');
  return { ...(target === '' ? {} : { target }), ...(value === '' ? {} : { value }) };
}

/** Other names of members, in the order in which they count: next to a ref, `element` is only a description. */
const MEMBERS: Readonly<Record<string, string>> = {
  action: 'do',
  ref: 'target',
  selector: 'target',
  element: 'target',
  text: 'value',
  key: 'value',
};
const rankOf = (name: string): number => Object.keys(MEMBERS).indexOf(name);

/** A number to fill is its text. */
const inWords = <Value>(name: string, value: Value): Value | string =>
  name === 'value' && typeof value === 'number' ? String(value) : value;

type Members<Value> = Readonly<Record<string, Value | Step[keyof Step]>>;

/**
 * A step as `{ do, target, value, … }`, even if written as `{ "click": "e3" }` or `{ "action": "click",
 * "ref": "e3" }`. Any other object stays unchanged, for the schema to refuse.
 */
export function plainStep<Value>(given: Readonly<Record<string, Value>>): Members<Value> {
  const members = new Map<string, Value | string>();
  for (const [written, value] of Object.entries(given).toSorted(([a], [b]) => rankOf(a) - rankOf(b))) {
    const name = lookUp(MEMBERS, written) ?? written;
    members.set(name, members.get(name) ?? inWords(name, value));
  }
  const step = Object.fromEntries(members);
  const isPress = step['do'] === 'press' || 'press' in step;
  for (const name of ['value', 'press']) if (isPress && step[name] === ' ') step[name] = 'Space';
  const { at } = step;
  if (Array.isArray(at) && step['target'] === undefined) {
    delete step['at'];
    step['target'] = `point=${at.join(',')}`;
  }
  const [verb, ...others] = Object.keys(step).filter(isStepKind);
  if (verb === undefined || others.length > 0 || step['do'] !== undefined) return step;
  const { [verb]: object, ...rest } = step;
  if (typeof object !== 'string') return step;
  return { ...rest, ...readObject(verb, object, 'value' in rest || 'to' in rest) };
}

/** `{ "press": "Enter" }` is the line `press Enter`; `{ "fill": "e4", "value": "Ada" }` has only its target. */
function readObject(verb: StepKind, object: string, isTarget: boolean): Step {
  const step = { do: verb, target: object };
  if (isTarget) return step;
  try {
    return parseStep(`${verb} ${object}`);
  } catch (thrown) {
    if (!(thrown instanceof StepError)) throw thrown;
    return step;
  }
}

/** The fault of a step's line; null if a call accepts it. */
export function stepProblem(line: string): string | null {
  if (parseDialogStep(line) !== null) return null;
  try {
    parseStep(line);
    return null;
  } catch (thrown) {
    if (thrown instanceof StepError) return thrown.message;
    throw thrown;
  }
}
