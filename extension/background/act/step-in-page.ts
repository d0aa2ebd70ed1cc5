import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { withoutDebugger } from '../../platform/chromium/debugger/absent.ts';
import type { Given, Outcome, PageStep } from '../../page/act/protocol.ts';
import { fieldKey } from '../../../shared/policy/names.ts';
import type { Did, Want } from '../../ports/page-answers.ts';
import type { Held } from './act-page.ts';
import { beginUse, leaseOf, type Acting, type Typed } from './acting.ts';
import { insertText, pressKeys, typeKeys, typeText } from './keyboard.ts';
import { acknowledged, giveAt, inputTo, pressAt, type GiveAt, type Press } from './pointer.ts';

/** Steps that a recording shows with the focus where they act. */
const FOCUSING: ReadonlySet<PageStep['kind']> = new Set(['focus', 'fill', 'choose', 'type']);
/** Controls without a focus of their own, or with values that only their focus changes. */
const UNFOCUSED: ReadonlySet<Held['facts']['kind']> = new Set(['parts', 'value', 'select']);

/** Does a step in the page of its element, and gives what it wants. @returns a note on its outcome */
export async function stepIn(
  acting: Acting,
  held: Held,
  step: PageStep,
  parts?: OfParts,
): Promise<string | null> {
  const [note = null] = await outcomesIn(acting, held, step, parts);
  return typeof note === 'string' ? note : null;
}

interface OfParts {
  /** Of `point`: gives the gesture, and the input that follows it. By default, a press. */
  readonly giveAt?: GiveAt;
  readonly turn?: GiveAt;
  /** How long the gesture takes. */
  readonly lastsMs?: number;
  /** Of `leave`: the fields that its texts are for. */
  readonly typed?: readonly Typed[];
  /** Of `fill`: hears of each field that has been filled. */
  readonly did?: (did: Did) => void;
}

/** Wants whose answers the page needs. */
type Informing = { readonly aim: unknown } | { readonly file: unknown } | { readonly opens: unknown };

const pathsOf = (step: PageStep): readonly string[] => (step.kind === 'upload' ? step.paths : []);

/** The same for a step of several parts. */
export async function outcomesIn(
  acting: Acting,
  held: Held,
  step: PageStep,
  {
    typed = [],
    did = () => undefined,
    giveAt: gesture = pressAt(acting),
    turn = gesture,
    lastsMs = 0,
  }: OfParts = {},
): Promise<readonly Outcome[]> {
  const { page, facts } = held;
  const { attached, choosers, frames, gate, mayTypePasswords, traffic, use, waitMs, signal, shower } = acting;
  const what = step.kind === 'point' ? step.gesture : 'press';
  const give = async (want: Want): Promise<Omit<Given, 'error'> | null> => {
    if ('aim' in want) {
      const { aim, isTurn } = want;
      return giveAt(acting, { held: at(held, want.at), aim, what }, isTurn ? turn : gesture);
    }
    if ('file' in want) return { file: acting.filePart(pathsOf(step)[want.file] ?? '', want.part) };
    if ('opens' in want) {
      if (choosers === null) throw withoutDebugger(`${facts.line} opens a file chooser. Giving it files`);
      const field = await choosers.fieldOf(facts.line, acting);
      return { uploaded: field && (await stepIn(acting, field, step)) };
    }
    await giveRest(want);
    return null;
  };
  const giveRest = async (want: Exclude<Want, Informing>): Promise<void> => {
    if ('changes' in want)
      return gate.send(page.receiver, null, async () => void (gate.hasBegun = want.changes));
    if ('leaves' in want) return acting.leaveTyped?.();
    if ('key' in want) return pressKeys(acting, page, chordsOf(want, acting));
    if ('part' in want) return typeText(acting, at(held, want.at), resolvePart(step, want.part), 'inserted');
    const text = textsOf(step)[want.text];
    if (text === undefined) throw notOfCall();
    const field = typed[want.text];
    if (field !== undefined) beginUse(acting, field);
    const later = step.kind === 'fill' ? step.later?.[want.text - 1] : undefined;
    if (later !== undefined) await frames.expectSeen(fieldKey(later.name), at(held, want.at));
    if (want.by !== 'replacing') return typeKeys(acting, at(held, want.at), text, want.by);
    return insertText(acting, at(held, want.at), text);
  };
  const how = {
    hasPointer: attached !== null,
    isSecret: use.isSecret,
    mayTypePasswords,
    isBound: held.askAgain !== undefined,
    hasTyped: acting.leaveTyped !== null,
    point: facts.point ?? null,
  };
  const explain = async (thrown: unknown): Promise<never> => {
    const { code, questionId } = toSpillwayError(thrown);
    if (code === 'approval_required' && questionId === undefined) await held.askAgain?.();
    if (code === 'not_delivered') await gate.foreign.expectNoneKept(inputTo(what, facts.line));
    throw thrown;
  };
  const run = (each: PageStep): ReturnType<typeof page.step> =>
    page.step({ held: facts.held, step: each, how, waitMs }, { give, did, lastsMs, traffic }, signal);
  if (shower.isOn && FOCUSING.has(step.kind)) {
    // A recording shows the element in view.
    if (!UNFOCUSED.has(facts.kind)) await run({ kind: 'focus' });
    await shower.show(held);
  }
  return (await run(step).catch(explain)).notes;
}

const at = (held: Held, facts: Held['facts'] | null): Held =>
  facts === null ? held : { page: held.page, facts };

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

/**
 * Presses and releases a button on an element: like a person, if the debugger is attached.
 * @returns a note on its arrival
 * @throws SpillwayError the obstacle to input (see `whenReachable`), `not_delivered` if nothing arrived
 */
export function click(acting: Acting, held: Held, press: Press = {}): Promise<string | null> {
  const { button, count = 1, modifiers = 0, position = null, isTouch = false, hold = 0 } = press;
  if (isTouch || hold > 0) leaseOf(acting, isTouch ? 'tap' : 'click for a time');
  if (modifiers > 0) leaseOf(acting, 'click with a modifier');
  const isRight = button === 'right';
  const aim = { kind: 'point', gesture: 'press', position, opens: press.opens === true } as const;
  // A right button opens a menu as it goes down, and gives no click; pages may interpret a long press differently.
  const step =
    isRight || hold > 0
      ? ({ ...aim, ends: 'released', script: isRight ? 'right_click' : 'click' } as const)
      : ({ ...aim, ends: 'clicked', count, script: count === 2 ? 'double_click' : 'click' } as const);
  return stepIn(acting, held, step, { giveAt: pressAt(acting, press), lastsMs: hold });
}

/**
 * Moves onto an element.
 * @param turn gives the input that follows there
 * @throws SpillwayError as {@link click}
 */
export async function hover(
  acting: Acting,
  held: Held,
  { position = null, modifiers = 0 }: Pick<Press, 'position' | 'modifiers'>,
  turn?: GiveAt,
): Promise<null> {
  if (modifiers > 0) leaseOf(acting, 'hover with a modifier');
  const step = { kind: 'point', gesture: 'hover', position, ends: 'moved', script: 'hover' } as const;
  const moveTo: GiveAt = async ({ session, point }, devices) => {
    // From a different point, or the browser ignores the movement.
    const from = { x: point.x - 1, y: point.y - 1 };
    const device = devices(session);
    return acknowledged(
      [from, point].map((at) => device.move(at, modifiers)),
      acting,
    );
  };
  await stepIn(
    acting,
    held,
    { ...step, turns: turn !== undefined },
    { giveAt: moveTo, ...(turn && { turn }) },
  );
  return null;
}
