import { describeDownload } from '../../../shared/act/downloads.ts';
import { cut } from '../../../shared/cut.ts';
import { describeIssues } from '../../../shared/describe-issues.ts';
import { SpillwayError, toSpillwayError, type ErrorCode } from '../../../shared/errors.ts';
import type { MethodResult, MethodParams } from '../../../shared/bridge/methods.ts';
import { BY, DISTANCE, type Step, type StepKind } from '../../../shared/act/steps.ts';
import { CONDITION_NAMES, WaitConditions } from '../../../shared/tools/wait_for/conditions.ts';
import { delay } from '../../../shared/async/wait.ts';
import { THE_FORM } from '../../../shared/policy/shown-element.ts';
import { wheelBy } from '../../../shared/act/scroll.ts';
import type { Point } from '../../page/act/protocol.ts';
import type { ActPage, Held } from './act-page.ts';
import { checkPassword, isEditing, typesText } from '../../../shared/act/passwords.ts';
import { Filling, isText, type Field } from './filling.ts';
import { whileFound } from './act-frames.ts';
import { Hands, type HandsOptions, type SecretUse, type Bound } from './hands.ts';
import { modifierBits, plainModifier, type BetweenKeys } from './keyboard.ts';
import { scrollOn } from './scroll-on.ts';

/** How long a step waits for its condition. */
export const WAIT_STEP_MS = 10_000;

/** Conditions that need no value. */
const WITHOUT_VALUE: ReadonlySet<string> = new Set(['load', 'download', 'network_idle']);

const TEXT_UNITS = 200;

/**
 * The condition of a step: `text Saved`, `target_gone css=.spinner`, `load`. A step with a target waits for
 * it.
 *
 * @throws SpillwayError `invalid_argument` naming the conditions that there are
 */
function conditionsOf({ value = '', target }: Step): WaitConditions {
  const text = Array.isArray(value) ? value.join(' ') : value;
  const [, name = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(text) ?? [];
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

/** What a wait came to. @throws SpillwayError `timeout` with what was there instead */
function outcomeOf(waited: MethodResult<'page.await'>): string {
  const { is_over: isOver, waited_ms: waitedMs, missing, url, hidden, nearest } = waited;
  const { downloads, under_way: pending } = waited;
  if (!isOver) return `after ${waitedMs} ms`;
  const instead = [
    `the address is ${cut(url, TEXT_UNITS)}`,
    ...(hidden !== null && hidden > 0 ? [`${hidden} hidden elements match`] : []),
    ...(nearest[0] === undefined ? [] : [`the nearest is ${cut(nearest[0], TEXT_UNITS)}`]),
    ...downloads.map(describeDownload),
    ...(pending[0] === undefined ? [] : [`${cut(pending[0], TEXT_UNITS)} is still loading`]),
  ];
  throw new SpillwayError(
    'timeout',
    `No ${missing.join(', ')} within ${waitedMs} ms; ${instead.join('; ')}.`,
    {
      hint: 'Read the page to see its state, or call wait_for with a longer timeout_ms.',
    },
  );
}

/** Whether a step can set off more than a change of what it works on, so that its effect is waited for. */
const QUIET_STEPS: ReadonlySet<StepKind> = new Set(['fill', 'type', 'clear', 'focus', 'wait']);
const hasEffect = (step: Step): boolean => !QUIET_STEPS.has(step.do);

/** Steps that judge the page as it is, or type where the focus is. */
const HASTY_STEPS: ReadonlySet<StepKind> = new Set(['press', 'type', 'scroll', 'wait']);
/**
 * Whether a step waits until its target is ready, and finds it again in a page that has rendered it again.
 */
const awaitsTarget = ({ do: kind, target }: Step): boolean => target !== undefined && !HASTY_STEPS.has(kind);

const FOCUSED_MS = 50;
/** How long a page may take to show that the wheel was turned. */
const WHEEL_MS = 200;
const LOOK_MS = 30;
const UNREACHED: ReadonlySet<ErrorCode> = new Set([
  'target_covered',
  'target_hidden',
  'target_unsuitable',
  'frame_not_permitted',
]);
const NOTHING_MOVED = 'nothing is seen to have moved';

/** Does a step, and returns what the agent has to know of it, or null. */
type Doing = (held: Held, step: Step) => Promise<string | null>;

/** Does the single steps of an act. */
export class Stepper {
  readonly #hands: Hands;
  readonly #filling: Filling;

  /** The role and name that the page gives the target of the last step. */
  named: string | undefined;

  constructor(options: HandsOptions) {
    this.#hands = new Hands(options);
    this.#filling = new Filling(this.#hands);
  }

  /** Releases what is still pressed. */
  end(): Promise<void> {
    return this.#hands.input.end();
  }

  /**
   * @param use whether its value is one of `--secrets`, so that what the field shows of it is not told, and where that may be
   * typed
   * @throws SpillwayError that names what kept the step from being done
   */
  async run(step: Step, use: SecretUse): Promise<string | null> {
    const { target } = step;
    const { isSecret } = use;
    this.named = undefined;
    this.#hands.use(use);
    this.#hands.options.frames.forget();
    if (step.do === 'wait') return outcomeOf(await this.#hands.options.wait(conditionsOf(step)));
    if (target === undefined) return this.#withoutTarget(step);
    const { frames, waitMs, signal, mayTypePasswords } = this.#hands.options;
    return whileFound(
      () =>
        step.do === 'scroll' && textOf(step) === ''
          ? scrollOn(target, this.#hands.options)
          : frames.find(target, waitMs, signal),
      waitMs,
      async (held) => {
        this.named = held.facts.line;
        if (typesText(step)) checkPassword(held.facts, { isSecret, mayTypePasswords });
        await this.#hands.admitSecret(held);
        const done = await this.#doings[step.do](held, step);
        const note = isSecret ? null : done;
        return [held.facts.note, note].filter((part) => part !== null).join('; ') || null;
      },
    );
  }

  /** @throws SpillwayError as {@link run} */
  async setField(field: Field): Promise<string | null> {
    this.named = undefined;
    this.#hands.use(field);
    const note = await this.#filling.setField(field);
    return field.isSecret ? null : note;
  }

  async #withoutTarget(step: Step): Promise<string | null> {
    const { frames, signal } = this.#hands.options;
    const page = await frames.page(signal);
    switch (step.do) {
      case 'press':
        await frames.expectFocus(signal);
        await this.#keys(page, step);
        return null;
      case 'scroll':
      case 'wheel':
        return this.#scrollDocument(page, step);
      case 'submit': {
        const facts = await page.ask({ do: 'submitter', held: null }, signal);
        if (facts === null)
          throw new SpillwayError(
            'target_unsuitable',
            'The form has no button that submits it; press Enter in a field.',
          );
        return this.#click(await frames.expectSeen(THE_FORM, { page, facts }), step);
      }
      default:
        throw new SpillwayError('invalid_argument', `${step.do}: takes a target.`);
    }
  }

  async #keys(page: ActPage, step: Step): Promise<void> {
    const press = (between?: BetweenKeys): Promise<void> =>
      this.#hands.input.keys(page, textOf(step), { between, hold: step.hold });
    await (isEditing(step) ? press() : this.#hands.sparing(press));
  }

  readonly #click: Doing = (held, step) => {
    const { isMac } = this.#hands.options;
    return this.#hands.click(held, {
      button: step.do === 'right_click' ? 'right' : 'left',
      count: step.do === 'double_click' ? 2 : 1,
      modifiers: modifierBits((step.modifiers ?? []).map((name) => plainModifier(name, isMac))),
      position: step.position ?? null,
      isTouch: step.do === 'tap',
      hold: step.hold ?? 0,
    });
  };

  readonly #submit: Doing = async (held, step) => {
    const { page } = held;
    const facts = await page.ask({ do: 'submitter', held: held.facts.held }, this.#hands.options.signal);
    if (facts !== null) return this.#click({ ...held, facts }, step);
    await this.#hands.focus(held, 'none');
    await this.#hands.input.keys(page, 'Enter');
    return 'pressed Enter, since the form has no button that submits it';
  };

  readonly #drag: Doing = async (from, step) => {
    const { to = '', position = null, to_position: toPosition = null, hold = 0 } = step;
    const { frames, waitMs, signal } = this.#hands.options;
    const path = pathOf(to);
    const end =
      path === null ? { held: await frames.find(to, waitMs, signal), position: toPosition } : { path };
    // What is dragged may be text.
    return this.#hands.sparing(() => this.#hands.input.drag({ from, position, hold, to: end }));
  };

  /** By a script, or else by the wheel: some pages move their content themselves. */
  readonly #scroll: Doing = async (held, step) =>
    (await this.#scrollsByScript(held.page, step, held.facts.held)) ? null : this.#turnWheel(held, step);

  async #scrollDocument(page: ActPage, step: Step): Promise<string | null> {
    const { signal } = this.#hands.options;
    if (await this.#scrollsByScript(page, step, null)) return null;
    const facts = await page.ask({ do: 'root' }, signal);
    if (facts === null) return NOTHING_MOVED;
    if (step.do === 'wheel') return this.#turnWheel({ page, facts }, step);
    return this.#turnWheel({ page, facts }, step).catch((thrown: unknown) => {
      signal.throwIfAborted();
      // A document without a size cannot be pointed at, nor one that lies below a frame of another site.
      if (!UNREACHED.has(toSpillwayError(thrown).code)) throw thrown;
      return NOTHING_MOVED;
    });
  }

  async #scrollsByScript(page: ActPage, step: Step, held: number | null): Promise<boolean> {
    if (step.do !== 'scroll') return false;
    const { moved } = await page.ask({ do: 'scroll', held, how: textOf(step) }, this.#hands.options.signal);
    return moved;
  }

  async #turnWheel(over: Held, step: Step): Promise<string | null> {
    const { page } = over;
    const { signal } = this.#hands.options;
    const by = wheelBy(textOf(step));
    if (by === null || !this.#hands.input.hasKeys) return NOTHING_MOVED;
    await this.#hands.input.wheel(over, by, step.position ?? null);
    const until = performance.now() + WHEEL_MS;
    for (;;) {
      await page.ask({ do: 'drawn' }, signal);
      const { hasStirred } = await page.ask({ do: 'present', held: over.facts.held }, signal);
      if (hasStirred) return step.do === 'scroll' ? 'by the wheel' : null;
      // A map or a canvas may have drawn unseen.
      if (performance.now() >= until) return NOTHING_MOVED;
      await delay(LOOK_MS, signal);
    }
  }

  readonly #impossible: Doing = (_held, step) =>
    Promise.reject(new SpillwayError('invalid_argument', `${step.do}: is not possible here.`));

  readonly #doings: Readonly<Record<StepKind, Doing>> = {
    click: this.#click,
    double_click: this.#click,
    tap: this.#click,
    right_click: this.#click,
    submit: this.#submit,
    drag: this.#drag,
    upload: (held, { value = [] }) => this.#hands.giveFiles(held, Array.isArray(value) ? value : [value]),
    wait: this.#impossible,
    hover: async (held, { position }) => {
      await this.#hands.input.hover(held, position ?? null);
      return null;
    },
    check: (held) => this.#filling.check(held, true),
    uncheck: (held) => this.#filling.check(held, false),
    fill: (held, step) => this.#filling.fill(held, textOf(step)),
    clear: (held) => this.#filling.fill(held, ''),
    type: (held, step) => this.#filling.type(held, textOf(step)),
    select: (held, step) =>
      this.#filling.select(held, Array.isArray(step.value) ? step.value : [textOf(step)]),
    focus: async (held) => {
      await this.#hands.focus(held, 'none');
      return null;
    },
    press: async (held, step) => {
      await this.#hands.focus(held, 'none');
      // An editor puts its caret where it was a moment after it gets the focus.
      if (held.facts.kind === 'editor') await delay(FOCUSED_MS, this.#hands.options.signal);
      await this.#keys(held.page, step);
      return null;
    },
    scroll: this.#scroll,
    wheel: this.#scroll,
  };
}

/** The distances of a drag that goes by them, or null. */
function pathOf(to: string): Point[] | null {
  if (!BY.test(to)) return null;
  return [...to.matchAll(DISTANCE)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
}

const textOf = ({ value }: Step): string => (Array.isArray(value) ? value.join(' ') : (value ?? ''));

/** Of a line of a receipt. */
export const LINE_UNITS = 200;

/** One thing to do: a field to set, or a step. */
export interface Unit {
  readonly line: string;
  readonly hasEffect: boolean;
  /** It waits for its own target, so what was done before it need not have come to rest. */
  readonly awaitsTarget: boolean;
  run(stepper: Stepper): Promise<string | null>;
}

/** What an act has to do, in order. */
export function unitsOf({ fields, steps, secret }: MethodParams<'act.run'>): Unit[] {
  const boundTo = (of: Bound['of'], index: number): Bound[] =>
    secret.bound?.filter((each) => each.of === of && each.index === index) ?? [];
  return [
    ...fields.map(({ name, value }, index) => {
      const after = fields[index + 1];
      const isSecret = secret.fields.includes(index);
      const isAlike =
        after !== undefined && isText(after.value) && isSecret === secret.fields.includes(index + 1);
      const bound = boundTo('fields', index);
      const next = isAlike && bound.length === 0 ? after.name : null;
      return fieldUnit({ name, value, isSecret, bound, next });
    }),
    ...steps.map((step, index) => ({
      line: lineOf(step),
      hasEffect: hasEffect(step),
      awaitsTarget: awaitsTarget(step),
      run: (stepper: Stepper) =>
        stepper.run(step, { isSecret: secret.steps.includes(index), bound: boundTo('steps', index) }),
    })),
  ];
}

const fieldUnit = (field: Field): Unit => ({
  line: cut(field.name, LINE_UNITS).toWellFormed(),
  // Pages show and hide further fields by what is chosen.
  hasEffect: typeof field.value !== 'string',
  awaitsTarget: true,
  run: (stepper) => stepper.setField(field),
});

/** A step as receipts name it, without what was typed. */
const lineOf = ({ do: kind, target, to, value }: Step): string =>
  cut(
    [kind, target, to, kind === 'wait' ? value : undefined].filter((part) => part !== undefined).join(' '),
    LINE_UNITS,
  ).toWellFormed();
