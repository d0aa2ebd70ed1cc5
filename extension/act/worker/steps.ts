import { describeDownload } from '../../../shared/core/downloads.ts';
import { cut, cutUrl } from '../../../shared/base/cut.ts';
import { describeIssues } from '../../../shared/base/json-schema.ts';
import { SpillwayError, toSpillwayError, type ErrorCode } from '../../../shared/base/errors.ts';
import type { MethodResult } from '../../../shared/core/bridge/methods.ts';
import {
  BY,
  DISTANCE,
  PINCH_TAKES,
  pinchBy,
  type StepKind,
  valueText,
  wheelBy,
} from '../../../shared/act/step-words.ts';
import type { Step } from '../../../shared/act/steps.ts';
import { CONDITION_NAMES, WaitConditions } from '../../../shared/wait/wait_for.methods.ts';
import { delay } from '../../../shared/base/async.ts';
import { THE_FORM } from '../../../shared/core/policy/names.ts';
import type { Quiet } from '../page/protocol.ts';
import type { Point } from '../../core/ports/page-answers.ts';
import type { ActPage, Held } from './act-page.ts';
import {
  followsLabel,
  isEditing,
  joined,
  typesText,
  admitSecret,
  beginUse,
  sparing,
  type Acting,
  type BetweenKeys,
  inputOf,
} from './acting.ts';
import { concealed } from './filling.ts';
import { submitterOf } from './act-frames.ts';
import { drag } from './drag.ts';
import { afterText, noteTyped, type StepUse } from './leaving.ts';
import { modifierBits, plainModifier, pressKeys } from './keyboard.ts';
import { scrollOn } from './scroll-on.ts';
import type { GiveAt } from './pointer.ts';
import {
  beginIn,
  hovering,
  noteOf,
  outcomesIn,
  pressing,
  stepIn,
  whileFound,
  type OwnStep,
} from './step-in-page.ts';
import { withoutDebugger } from '../../platform/chromium/debugger/absent.ts';
import { castTab } from '../../platform/chromium/debugger/cast.ts';
import { layoutOf } from '../../platform/chromium/pictures.ts';

const PINCH_MS = 8_000;

/**
 * Pinches on the touchpad.
 * @returns the scale that the page has then
 * @throws SpillwayError as `click`
 */
const pinch: Doing = async (acting, held, step) => {
  const scaleFactor = pinchBy(valueText(step));
  if (Number.isNaN(scaleFactor)) throw new SpillwayError('invalid_argument', `${PINCH_TAKES}.`);
  const { attached, signal } = acting;
  if (attached === null) throw withoutDebugger('pinch');
  const { lease } = attached;
  // A tab that draws nothing moves no fingers.
  const stop = await castTab(lease, PINCH_MS);
  try {
    const turn: GiveAt = async ({ inTab }, devices) => {
      await devices(null).pinch(inTab, scaleFactor, PINCH_MS);
      return null;
    };
    await stepIn(acting, held, ...hovering(acting, aimOf(acting, step), turn));
    await held.page.ask({ do: 'rest', until: 'drawn' }, signal);
  } finally {
    await stop();
  }
  return `the page's scale is ${Number((await layoutOf(lease)).scale.toFixed(2))}`;
};

/** Conditions that need no value. */
const WITHOUT_VALUE: ReadonlySet<string> = new Set(['load', 'download', 'network_idle']);

const TEXT_UNITS = 200;

/**
 * The condition of a step: `text Saved`, `target_gone css=.spinner`, `load`. A step with a target waits for
 * it.
 * @throws SpillwayError `invalid_argument` with the known conditions
 */
function conditionsOf(step: Step): WaitConditions {
  const { target } = step;
  const [, name = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(valueText(step)) ?? [];
  if (target !== undefined) return parse({ [name === 'gone' ? 'target_gone' : 'target']: target });
  if (!CONDITION_NAMES.some((known) => known === name))
    throw new SpillwayError(
      'invalid_argument',
      `wait: ${JSON.stringify(cut(name, 40))} is not a condition; there are ${CONDITION_NAMES.join(', ')}.`,
    );
  if (rest === '' && !WITHOUT_VALUE.has(name))
    throw new SpillwayError('invalid_argument', `wait: ${name} takes a value, such as wait text Saved.`);
  return parse({ [name]: rest === '' ? true : rest });
}

function parse(conditions: object): WaitConditions {
  const parsed = WaitConditions.safeParse(conditions);
  if (parsed.success) return parsed.data;
  throw new SpillwayError('invalid_argument', `wait: ${describeIssues(parsed.error.issues, 'condition')}.`);
}

/** The outcome of a wait. @throws SpillwayError `timeout` with the text that was there instead */
function outcomeOf(waited: MethodResult<'page.await'>): string {
  const { waited_ms: waitedMs, missing, url, hidden, nearest, downloads, under_way: pending } = waited;
  if (!waited.is_over) return `after ${waitedMs} ms`;
  const instead = [
    `the address is ${cutUrl(url, TEXT_UNITS)}`,
    ...(hidden !== null && hidden > 0 ? [`${hidden} hidden elements match`] : []),
    ...(nearest[0] === undefined ? [] : [`the nearest is ${cut(nearest[0], TEXT_UNITS)}`]),
    ...downloads.map(describeDownload),
    ...(pending[0] === undefined ? [] : [`${cutUrl(pending[0], TEXT_UNITS)} is still loading`]),
  ];
  throw new SpillwayError(
    'timeout',
    `No ${missing.join(', ')} within ${waitedMs} ms; ${instead.join('; ')}.`,
    { hint: 'Read the page to see its state, or call wait_for with a longer timeout_ms.' },
  );
}

const WHEEL_MS = 200;
/** A single drawing of a busy page takes longer, and may be the one before it moves. */
const WHEEL_LOOKS = 3;
const LOOK_MS = 30;
/** Steps that leave the focus in a control of this kind, and its popup open. */
const KEEPING: ReadonlySet<string> = new Set(['fill text', 'type text', 'type combobox']);
const UNREACHED: ReadonlySet<ErrorCode> = new Set([
  'target_covered',
  'target_hidden',
  'target_unsuitable',
  'frame_not_permitted',
]);
const NOTHING_MOVED = 'no visible movement';

/**
 * Does a step, and returns a note for the agent, or null.
 * @param use whether its value is one of `--secrets`, so that the field's text is not reported, and where it may be
 * typed
 * @throws SpillwayError that names the obstacle
 */
export async function doStep(acting: Acting, step: Step, use: StepUse): Promise<string | null> {
  const { do: kind, target } = step;
  const { isSecret } = use;
  const { frames, waitMs, signal } = acting;
  beginUse(acting, use);
  frames.forget();
  if (kind === 'wait') return outcomeOf(await acting.wait(conditionsOf(step)));
  if (target === undefined) return withoutTarget(acting, step);
  const ownOf = OWN[kind];
  const rests = acting.hasEffect ? acting.rests : null;
  const own = ownOf && ((now: Step): OwnStep => withRest(ownOf(acting, now), rests));
  const isAlone = own === undefined || isSecret || acting.shower.isRecorded;
  const begin = isAlone ? undefined : beginIn(acting, ...own(step));
  return whileFound(
    () =>
      kind === 'scroll' && valueText(step) === ''
        ? scrollOn(target, acting)
        : frames.find(target, { waitMs, signal, follows: followsLabel(step), begin }),
    waitMs,
    async ({ begun, ...held }) => {
      acting.named = held.facts.line;
      acting.hides = typesText(step) && held.facts.hides;
      await admitSecret(acting, target, held);
      const now = await acting.reveal(step);
      const outcomes = begun ?? (own && outcomesIn(acting, held, ...own(now)));
      const done = (await (outcomes ? noteOf(outcomes) : DOINGS[kind]?.(acting, held, now))) ?? null;
      if (KEEPING.has(`${kind} ${held.facts.kind}`))
        noteTyped(acting, { ...use, held, text: valueText(now) }, use.since);
      const note = isSecret && done !== null ? concealed(done) : done;
      return joined(held.facts.note, note, acting.wentTo, await afterText(acting, held, now, use));
    },
  );
}

const withRest = ([step, parts]: OwnStep, rests: Quiet | null): OwnStep => [step, { ...parts, rests }];

async function withoutTarget(acting: Acting, step: Step): Promise<string | null> {
  const { frames, signal } = acting;
  if (step.do !== 'submit')
    await acting.shower.showWords(`${step.do} ${typesText(step) ? '' : valueText(step)}`);
  const page = await frames.page(signal);
  if (step.do === 'press') {
    await keys(acting, page, step, null);
    return acting.wentTo;
  }
  if (step.do === 'scroll' || step.do === 'wheel') return scrollDocument(acting, page, step);
  if (step.do !== 'submit') throw new SpillwayError('invalid_argument', `${step.do}: takes a target.`);
  const facts = await submitterOf(page, null, signal);
  if (facts === undefined)
    throw new SpillwayError(
      'target_unsuitable',
      'The form has no button that submits it; press Enter in a field.',
    );
  return stepIn(acting, await frames.expectSeen(THE_FORM, { page, facts }), ...clickBy(acting, step));
}

async function keys(acting: Acting, page: ActPage, step: Step, field: Held | null): Promise<null> {
  const press = (between?: BetweenKeys): Promise<void> =>
    pressKeys(acting, page, valueText(step), step.hold, between);
  await (isEditing(step) ? press() : sparing(acting, press, field));
  return null;
}

type Doing = (acting: Acting, held: Held, step: Step) => Promise<string | null>;
/** A step that runs wholly in the page. */
type Own = (acting: Acting, step: Step) => OwnStep;

/** Where in its target a step acts, and with which modifiers. */
const aimOf = ({ isMac }: Acting, { position, modifiers = [] }: Step) => ({
  position: position ?? null,
  modifiers: modifierBits(modifiers.map((name) => plainModifier(name, isMac))),
});

const clickBy: Own = (acting, step) => {
  const { do: kind, hold = 0 } = step;
  return pressing(acting, {
    button: kind === 'right_click' ? 'right' : 'left',
    count: kind === 'double_click' ? 2 : 1,
    ...aimOf(acting, step),
    isTouch: kind === 'tap',
    hold,
  });
};

const submit: Doing = async (acting, held, step) => {
  const { page } = held;
  const facts = await submitterOf(page, held.facts.held, acting.signal);
  if (facts !== undefined) return stepIn(acting, { ...held, facts }, ...clickBy(acting, step));
  await stepIn(acting, held, { kind: 'focus' });
  await pressKeys(acting, page, 'Enter');
  return 'pressed Enter, since the form has no button that submits it';
};

const dragTo: Doing = async (acting, from, step) => {
  const { to = '', to_position: toPosition = null, hold = 0 } = step;
  const { frames, waitMs, signal } = acting;
  const path = pathOf(to);
  const end =
    path === null ? { held: await frames.find(to, { waitMs, signal }), position: toPosition } : { path };
  // The dragged element may be text.
  const how = { ...aimOf(acting, step), hold, isTouch: step.do === 'swipe' };
  return sparing(acting, () => drag(acting, { from, ...how, to: end }));
};

/** By a script, or else by the wheel: some pages move their content themselves. */
const scroll: Doing = async (acting, held, step) => {
  const ask = { do: 'scroll', held: held.facts.held, how: valueText(step) } as const;
  const isMoved = step.do === 'scroll' && (await held.page.change(ask, acting.signal)).moved;
  return isMoved ? null : turnWheel(acting, held, step);
};

async function scrollDocument(acting: Acting, page: ActPage, step: Step): Promise<string | null> {
  const { signal } = acting;
  const ask = { do: 'find', target: 'css=:root', follows: false, isLast: true } as const;
  const [facts] = (await page.ask(ask, signal)).found;
  if (facts === undefined) return NOTHING_MOVED;
  return scroll(acting, { page, facts }, step).catch((thrown: unknown) => {
    signal.throwIfAborted();
    // A document without a size cannot be pointed at, nor can one inside a frame of another site.
    if (step.do === 'wheel' || !UNREACHED.has(toSpillwayError(thrown).code)) throw thrown;
    return NOTHING_MOVED;
  });
}

async function turnWheel(acting: Acting, over: Held, step: Step): Promise<string | null> {
  const { page } = over;
  const { signal } = acting;
  const by = wheelBy(valueText(step));
  if (step.do === 'wheel') inputOf(acting, 'wheel');
  if (by === null || acting.input === null) return NOTHING_MOVED;
  const aim = aimOf(acting, step);
  const turn: GiveAt = async ({ drawing, point }, devices) => {
    await devices(drawing).wheel(point, by, aim.modifiers);
    return null;
  };
  await stepIn(acting, over, ...hovering(acting, aim, turn));
  const until = performance.now() + WHEEL_MS;
  for (let look = 1; ; look += 1) {
    const { hasMoved } = await page.ask({ do: 'rest', until: 'drawn' }, signal);
    if (hasMoved) return step.do === 'scroll' ? 'by the wheel' : null;
    // A map or canvas may redraw without detectable changes.
    if (look >= WHEEL_LOOKS && performance.now() >= until) return NOTHING_MOVED;
    await delay(LOOK_MS, signal);
  }
}

/** Names whatever has the focus: text is typed where its caret is. */
const FOCUSED = 'css=:focus';

const OWN: Readonly<Partial<Record<StepKind, Own>>> = {
  click: clickBy,
  double_click: clickBy,
  tap: clickBy,
  right_click: clickBy,
  upload: (acting, step) => [{ kind: 'upload', paths: acting.filesOf(step) }],
  hover: (acting, step) => hovering(acting, aimOf(acting, step)),
  check: () => [{ kind: 'check', value: true }],
  uncheck: () => [{ kind: 'check', value: false }],
  fill: (_acting, step) => [{ kind: 'fill', text: valueText(step), keepsFocus: true }],
  clear: () => [{ kind: 'fill', text: '', keepsFocus: false }],
  type: (_acting, step) => {
    const [, body = '', end = ''] = /^(.*?)(\n*)$/s.exec(valueText(step)) ?? [];
    return [{ kind: 'type', body, end, isAtCaret: step.target === FOCUSED }];
  },
  select: (_acting, { value: chosen = '' }) => [{ kind: 'choose', chosen, isFree: false }],
  focus: (acting) => {
    acting.gate.hasBegun = true;
    return [{ kind: 'focus' }];
  },
};

const DOINGS: Readonly<Partial<Record<StepKind, Doing>>> = {
  submit,
  drag: dragTo,
  swipe: dragTo,
  press: async (acting, held, step) => {
    await stepIn(acting, held, { kind: 'focus' });
    return keys(acting, held.page, step, held);
  },
  scroll,
  wheel: scroll,
  pinch,
};

/** The offsets of a relative drag, or null. */
function pathOf(to: string): Point[] | null {
  if (!BY.test(to)) return null;
  return [...to.matchAll(DISTANCE)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
}
