import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { withoutDebugger } from '../../platform/chromium/debugger/absent.ts';
import type { Gesture, Given, Outcome, PageStep, Quiet, Sought } from '../page/protocol.ts';
import { fieldKey } from '../../../shared/core/policy/names.ts';
import { defer } from '../../../shared/base/async.ts';
import type { Did, Found, Rest, TargetFacts, Want } from '../../core/ports/page-answers.ts';
import type { Begin } from './act-frames.ts';
import type { ActPage, Held } from './act-page.ts';
import { beginUse, inputOf, type Acting, type Typed } from './acting.ts';
import { insertText, pressKeys, typeKeys, typeText } from './keyboard.ts';
import { acknowledged, giveAt, inputTo, pressAt, type GiveAt, type Press } from './pointer.ts';

/** Steps that a recording shows with the focus where they act. */
const FOCUSING: ReadonlySet<PageStep['kind']> = new Set(['focus', 'fill', 'choose', 'type']);
/** Controls without a focus of their own, or with values that only their focus changes. */
const UNFOCUSED: ReadonlySet<Held['facts']['kind']> = new Set(['parts', 'value', 'select']);

/** Does a step in the page of its element, and gives what it wants. @returns a note on its outcome */
export const stepIn = (...of: Parameters<typeof outcomesIn>): Promise<string | null> =>
  noteOf(outcomesIn(...of));

export async function noteOf(outcomes: Promise<readonly Outcome[]>): Promise<string | null> {
  const [note = null] = await outcomes;
  return typeof note === 'string' ? note : null;
}

/** Begins a step as its page finds the element. */
export const beginIn =
  (acting: Acting, step: PageStep, parts?: OfParts): Begin =>
  async (page, find) => {
    const { promise, resolve } = defer<Found>();
    const begun = outcomesIn(acting, { page, find, sought: resolve }, step, parts);
    // A step that fails before it has found its element answers nothing else.
    const found = await Promise.race([promise, begun.then(() => promise)]);
    return { ...found, begun };
  };

/** An element that the page looks for. */
interface Seeking {
  readonly page: ActPage;
  readonly find: Sought;
  readonly sought: (found: Found) => void;
}

interface OfParts {
  /** Of `point`: gives the gesture, and the input that follows it. By default, a press. */
  readonly giveAt?: GiveAt;
  readonly turn?: GiveAt;
  /** Asks the page to report how it rests afterwards. */
  readonly rests?: Quiet | null;
  /** How long the gesture takes. */
  readonly lastsMs?: number;
  /** Of `leave`: the fields that its texts are for. */
  readonly typed?: readonly Typed[];
  /** Of `fill`: hears of each field that has been filled. */
  readonly did?: (did: Did) => void;
}

/** The same for a step of several parts, or of an element that the page looks for. */
export const outcomesIn = (
  acting: Acting,
  to: Held | Seeking,
  step: PageStep,
  parts: OfParts = {},
): Promise<readonly Outcome[]> => new StepInPage(acting, to, step, parts).run();

class StepInPage {
  /** Null until the page has found it. */
  #own: TargetFacts | null;
  readonly #askAgain: Held['askAgain'];
  readonly #what: Gesture;

  constructor(
    private readonly acting: Acting,
    private readonly to: Held | Seeking,
    private readonly step: PageStep,
    private readonly parts: OfParts,
  ) {
    this.#own = 'facts' in to ? to.facts : null;
    this.#askAgain = 'facts' in to ? to.askAgain : undefined;
    this.#what = step.kind === 'point' ? step.gesture : 'press';
  }

  async run(): Promise<readonly Outcome[]> {
    const { shower } = this.acting;
    if (shower.isOn && FOCUSING.has(this.step.kind)) {
      // A recording shows the element in view.
      if (!UNFOCUSED.has(this.#at().facts.kind)) await this.#do({ kind: 'focus' });
      await shower.show(this.#at());
    }
    return this.#do(this.step).catch(async (thrown: unknown) => {
      const { code, questionId } = toSpillwayError(thrown);
      if (code === 'approval_required' && questionId === undefined) await this.#askAgain?.();
      if (code === 'not_delivered')
        await this.acting.gate.foreign.expectNoneKept(inputTo(this.#what, this.#at().facts.line));
      throw thrown;
    });
  }

  async #do(step: PageStep): Promise<readonly Outcome[]> {
    const { acting, to, parts } = this;
    const { input, choosers, mayTypePasswords, traffic, use, waitMs, signal } = acting;
    const { page } = to;
    const { did = () => undefined, lastsMs = 0, rests = null } = parts;
    const how = {
      hasPointer: input !== null,
      givesFiles: input?.givesFiles === true,
      hasChoosers: choosers !== null,
      isSecret: use.isSecret,
      mayTypePasswords,
      isBound: this.#askAgain !== undefined,
      hasTyped: acting.leaveTyped !== null,
    };
    const help = {
      ...{ did, lastsMs, traffic },
      give: (want: Want) => this.#give(want),
      sought: (found: Found) => {
        this.#own = found.found[0] ?? null;
        if ('sought' in to) to.sought(found);
      },
      rests: (rest: Promise<Rest>) => {
        acting.resting = { page, rest };
        // The act may end before it reads that.
        rest.catch(() => undefined);
      },
    };
    const held = 'facts' in to ? to.facts.held : to.find;
    return (await page.step({ held, step, how, waitMs, rests }, help, signal)).notes;
  }

  /** @param other null for the step's own element */
  #at(other: TargetFacts | null = null): Held {
    const facts = other ?? this.#own;
    if (facts === null) throw notOfCall();
    return { page: this.to.page, facts };
  }

  async #give(want: Want): Promise<Omit<Given, 'error'> | null> {
    const { acting, step } = this;
    if ('aim' in want) {
      const { giveAt: gesture = pressAt(acting), turn = gesture } = this.parts;
      const aimed = { held: this.#at(want.at), aim: want.aim, what: this.#what };
      return giveAt(acting, aimed, want.isTurn ? turn : gesture);
    }
    const paths = step.kind === 'upload' ? step.paths : [];
    if ('file' in want) return { file: acting.filePart(paths[want.file] ?? '', want.part) };
    if ('field' in want) {
      await this.#putFiles(want.field, paths);
      return null;
    }
    if ('opens' in want) {
      const { choosers } = acting;
      const { line } = this.#at().facts;
      if (choosers === null) throw withoutDebugger(`${line} opens a file chooser. Giving it files`);
      const field = await choosers.fieldOf(line, acting);
      return { uploaded: field && (await stepIn(acting, field, step)) };
    }
    if ('changes' in want) {
      const { gate } = acting;
      await gate.send(this.to.page.receiver, null, async () => void (gate.hasBegun = want.changes));
    } else if ('leaves' in want) await acting.leaveTyped?.();
    else await this.#type(want);
    return null;
  }

  async #putFiles(name: string, paths: readonly string[]): Promise<void> {
    const { acting } = this;
    const { page, facts } = this.#at();
    const files = paths.map((path) => {
      const { name: called } = acting.filePart(path, 0);
      const parts: string[] = [];
      for (let data = acting.filePart(path, 0).data; data !== null;) {
        parts.push(data);
        ({ data } = acting.filePart(path, parts.length));
      }
      return { name: called, parts };
    });
    const drawing = await inputOf(acting, 'upload').drawingOf(page);
    const sending = { what: `Files for ${facts.line}`, isWitnessed: true, within: page };
    await acting.gate.send(page.receiver, sending, (devices) => devices(drawing).files(name, files));
  }

  async #type(want: Typing): Promise<void> {
    const { acting, step } = this;
    if ('key' in want) return pressKeys(acting, this.to.page, chordsOf(want, acting));
    const at = this.#at(want.at);
    if ('part' in want) return typeText(acting, at, resolvePart(step, want.part), 'inserted');
    const text = textsOf(step)[want.text];
    if (text === undefined) throw notOfCall();
    const field = this.parts.typed?.[want.text];
    if (field !== undefined) beginUse(acting, field);
    const later = step.kind === 'fill' ? step.later?.[want.text - 1] : undefined;
    if (later !== undefined) await acting.frames.expectSeen(fieldKey(later.name), at);
    if (want.by !== 'replacing') return typeKeys(acting, at, text, want.by);
    return insertText(acting, at, text);
  }
}

/** Wants of keys and text. */
type Typing = Extract<Want, { readonly key: unknown } | { readonly by: unknown } | { readonly part: string }>;

function chordsOf({ key, count }: Extract<Want, { readonly key: unknown }>, { isMac }: Acting): string {
  if (key === 'SelectAll') return 'ControlOrMeta+A';
  if (key === 'ToEnd') return isMac ? 'Meta+ArrowDown' : 'Control+End';
  return `${key} `.repeat(count).trimEnd();
}

/** A page chooses no characters: it may only want the texts that the call gave for the step. */
function textsOf(step: PageStep): readonly string[] {
  if (step.kind === 'fill') return [step.text, ...(step.later ?? []).map(({ text }) => text)];
  if (step.kind === 'type') return [step.body, step.end];
  if (step.kind === 'choose') return [step.chosen].flat();
  return step.kind === 'leave' ? step.typed.map(({ text }) => text) : [];
}

/** The same for one of the numbers of a date or time, also as an hour of twelve or of 24. */
function resolvePart(step: PageStep, part: string): string {
  const numbers = step.kind === 'fill' ? (step.text.match(/\d+/g) ?? []).map(Number) : [];
  const known = numbers.flatMap((n) => [n, n % 12, (n % 12) + 12]);
  if (numbers.length > 0 && (/^[ap]$/.test(part) || known.includes(Number(part)) || Number(part) === 0))
    return part;
  throw notOfCall();
}

const notOfCall = (): SpillwayError =>
  new SpillwayError('internal_error', 'The page wants a text that its step does not have.');

/**
 * Finds a target and works on it. A page that re-renders while it is typed into may replace the element before input
 * reaches it: then the target is searched again, until the deadline.
 * @throws SpillwayError the errors of `find` and `work`; `stale_ref` if an element is gone without a successor
 */
export async function whileFound<T>(
  find: () => Promise<Held>,
  waitMs: number,
  work: (held: Held) => Promise<T>,
): Promise<T> {
  const until = performance.now() + waitMs;
  let gone: unknown = null;
  for (;;) {
    const held = await find().catch((thrown: unknown) => {
      throw gone ?? thrown;
    });
    try {
      return await work(held);
    } catch (thrown) {
      if (toSpillwayError(thrown).code !== 'stale_ref' || performance.now() >= until) throw thrown;
      gone = thrown;
    }
  }
}

/** A step of the page, and what the worker gives for it. */
export type OwnStep = readonly [step: PageStep, parts?: OfParts];

/** Presses and releases a button on an element: like a person, unless scripts give the input. */
export function pressing(acting: Acting, press: Press): OwnStep {
  const { button, count = 1, modifiers = 0, position = null, isTouch = false, hold = 0 } = press;
  if (isTouch || hold > 0) inputOf(acting, isTouch ? 'tap' : 'click for a time');
  if (modifiers > 0) inputOf(acting, 'click with a modifier');
  const isRight = button === 'right';
  // The next step may need an option that the list draws only after scrolling.
  const aim = { kind: 'point', gesture: 'press', position, opens: true } as const;
  // A right button opens a menu as it goes down, and gives no click; pages may interpret a long press differently.
  const step =
    isRight || hold > 0
      ? ({ ...aim, ends: 'released', script: isRight ? 'right_click' : 'click' } as const)
      : ({ ...aim, ends: 'clicked', count, script: count === 2 ? 'double_click' : 'click' } as const);
  return [step, { giveAt: pressAt(acting, press), lastsMs: hold }];
}

/**
 * Moves onto an element.
 * @param turn gives the input that follows there
 */
export function hovering(
  acting: Acting,
  { position = null, modifiers = 0 }: Pick<Press, 'position' | 'modifiers'>,
  turn?: GiveAt,
): OwnStep {
  if (modifiers > 0) inputOf(acting, 'hover with a modifier');
  const step = { kind: 'point', gesture: 'hover', position, ends: 'moved', script: 'hover' } as const;
  const moveTo: GiveAt = async ({ drawing, point }, devices) => {
    // From a different point, or the browser ignores the movement.
    const from = { x: point.x - 1, y: point.y - 1 };
    const device = devices(drawing);
    return acknowledged(
      [from, point].map((at) => device.move(at, modifiers)),
      acting,
    );
  };
  return [
    { ...step, turns: turn !== undefined },
    { giveAt: moveTo, ...(turn && { turn }) },
  ];
}
