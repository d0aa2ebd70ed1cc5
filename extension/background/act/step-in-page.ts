import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { Outcome, PageStep } from '../../page/act/protocol.ts';
import { fieldKey } from '../../../shared/policy/names.ts';
import type { Did, Want } from '../../ports/page-answers.ts';
import type { Held } from './act-page.ts';
import { beginUse, type Acting, type Typed } from './acting.ts';
import { insertText, pressKeys, typeKeys, typeText } from './keyboard.ts';
import { click } from './pointer.ts';

/** Steps that a recording shows with the focus where they act. */
const FOCUSING: ReadonlySet<PageStep['kind']> = new Set(['focus', 'fill', 'choose', 'type']);
/** Controls without a focus of their own, or with values that only their focus changes. */
const UNFOCUSED: ReadonlySet<Held['facts']['kind']> = new Set(['parts', 'value', 'select']);

/** Does a step in the page of its element, and gives what it wants. @returns a note on its outcome */
export async function stepIn(acting: Acting, held: Held, step: PageStep): Promise<string | null> {
  const [note = null] = await outcomesIn(acting, held, step);
  return typeof note === 'string' ? note : null;
}

interface OfParts {
  /** Of `leave`: the fields that its texts are for. */
  readonly typed?: readonly Typed[];
  /** Of `fill`: hears of each field that has been filled. */
  readonly did?: (did: Did) => void;
}

/** The same for a step of several parts. */
export async function outcomesIn(
  acting: Acting,
  held: Held,
  step: PageStep,
  { typed = [], did = () => undefined }: OfParts = {},
): Promise<readonly Outcome[]> {
  const { page, facts } = held;
  const { frames, gate, mayTypePasswords, traffic, use, waitMs, signal, shower } = acting;
  const give = async (want: Want): Promise<unknown> => {
    if ('changes' in want)
      return gate.send(page.receiver, null, async () => void (gate.hasBegun = want.changes));
    if ('press' in want)
      return click({ ...acting, waitMs: Math.min(want.waitMs, waitMs) }, at(held, want.press));
    if ('key' in want) return pressKeys(acting, page, chordsOf(want, acting));
    if ('part' in want) return typeText(acting, at(held, want.at), partOf(step, want.part), 'inserted');
    const text = textsOf(step)[want.text];
    if (text === undefined) throw notOfCall();
    const field = typed[want.text];
    if (field !== undefined) beginUse(acting, field);
    const later = step.kind === 'fill' ? step.later?.[want.text - 1] : undefined;
    if (later !== undefined) await frames.expectSeen(fieldKey(later.name), at(held, want.at));
    if (want.by !== 'replacing') return typeKeys(acting, at(held, want.at), text, want.by);
    return insertText(acting, at(held, want.at), text);
  };
  const how = { isSecret: use.isSecret, mayTypePasswords };
  const run = (each: PageStep): ReturnType<typeof page.step> =>
    page.step({ held: facts.held, step: each, how, waitMs }, { give, did, traffic }, signal);
  if (shower.isOn && FOCUSING.has(step.kind)) {
    // A recording shows the element in view.
    if (!UNFOCUSED.has(facts.kind)) await run({ kind: 'focus' });
    await shower.show(held);
  }
  return (await run(step)).notes;
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
function partOf(step: PageStep, part: string): string {
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
