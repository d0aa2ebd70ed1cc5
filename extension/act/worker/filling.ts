import { defer } from '../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { admitSecret, beginUse, type Acting, type Filled, type SecretUse } from './acting.ts';
import { fieldKey } from '../../../shared/core/policy/names.ts';
import { isRef } from '../../core/pages/ref-book.ts';
import type { FieldValue } from '../../../shared/act/steps.ts';
import type { FieldText } from '../page/protocol.ts';
import type { ControlKind, Did } from '../../core/ports/page-answers.ts';
import { opensList } from './act-frames.ts';
import type { Held } from './act-page.ts';
import { noteTyped } from './leaving.ts';
import { outcomesIn, stepIn, whileFound } from './step-in-page.ts';

/** A note without the texts of the page: a value that was only typed does not read as if it were taken. */
export function concealed(note: string): string {
  const [start = '= '] = /^(?:typed, not chosen: |chosen, and does not show |shows )/.exec(note) ?? [];
  return `${start}(hidden)`;
}

export interface Field extends SecretUse {
  /** Its index among the act's fields. */
  readonly index: number;
  readonly name: string;
  readonly value: FieldValue;
  /** Text fields after it, which may be filled in the same step. */
  readonly later: readonly FieldText[];
}

/**
 * Replaces the text of a field, and of those after it, in one step.
 * @param later those after it
 * @returns each as soon as it is filled
 */
function fillInTurn(
  acting: Acting,
  held: Held,
  text: string,
  later: readonly FieldText[],
): readonly Promise<Filled | null>[] {
  const fields = [text, ...later].map(() => defer<Filled | null>());
  let at = 0;
  const did = ({ facts, note }: Did): void => {
    fields[at]?.resolve({ held: { page: held.page, facts }, note });
    at += 1;
  };
  const end = (): void => fields.forEach(({ resolve }) => resolve(null));
  const fail = (thrown: unknown): void => void fields[at]?.reject(thrown);
  const step = { kind: 'fill', text, keepsFocus: false, later } as const;
  void outcomesIn(acting, held, step, { did }).catch(fail).finally(end);
  // The act may end before it comes to them.
  for (const { promise } of fields) promise.catch(() => undefined);
  return fields.map(({ promise }) => promise);
}

/**
 * Sets the field with a label, placeholder or name.
 * @throws SpillwayError `field_not_found`, and the errors of each kind of control
 */
export async function setField(acting: Acting, field: Field): Promise<string | null> {
  beginUse(acting, field);
  const { name, value, isSecret } = field;
  const { frames, waitMs, signal } = acting;
  const filled = await takeFilled(acting, field.index);
  if (filled !== null) {
    frames.note(filled.held);
    return noteFilled(acting, filled, field, String(value));
  }
  const note = await whileFound(
    () => frames.find(name, { waitMs, signal, isField: true }),
    waitMs,
    async (held) => {
      acting.hides = held.facts.hides;
      await admitSecret(acting, isRef(name) ? name : fieldKey(name), held);
      await acting.shower.show(held, null, typeof value === 'boolean' ? 'set' : 'fill');
      return setTo(acting, held, await acting.reveal(field));
    },
  );
  return isSecret && note !== null ? concealed(note) : note;
}

const TYPED: ReadonlySet<ControlKind> = new Set(['text', 'editor']);
/** Kinds of controls that take one value. */
const ONE: ReadonlySet<ControlKind> = new Set(['text', 'value', 'slider', 'parts', 'editor']);
const isFilled = (kind: ControlKind, value: string | readonly string[]): boolean =>
  ONE.has(kind) || (kind === 'combobox' && typeof value === 'string');

async function fillField(acting: Acting, held: Held, field: Field, text: string): Promise<string | null> {
  const { frames, shower, filled } = acting;
  const isAlone = held.facts.kind !== 'text' || held.askAgain !== undefined || field.isSecret;
  const later = isAlone || shower.isRecorded || !frames.isOne ? [] : field.later;
  const [first, ...others] = fillInTurn(acting, held, text, later);
  for (const [at, each] of others.entries()) filled.set(field.index + 1 + at, each);
  const { note = null } = (await first) ?? {};
  return noteFilled(acting, { held, note }, field, text);
}

/** The outcome of a field that an earlier one's step fills in turn. Null if it has to be found and filled now. */
async function takeFilled({ filled, gate, signal }: Acting, index: number): Promise<Filled | null> {
  try {
    return (await filled.get(index)) ?? null;
  } catch (thrown) {
    signal.throwIfAborted();
    const { code } = toSpillwayError(thrown);
    if (code === 'stale_ref' || (code === 'page_changed' && !gate.hasBegun)) return null;
    throw thrown;
  }
}

function noteFilled(acting: Acting, { held, note }: Filled, field: Field, text: string): string | null {
  const { kind, hides } = held.facts;
  acting.hides ||= hides;
  if (kind === 'value' || kind === 'text') noteTyped(acting, { ...field, held, text });
  return note;
}

async function setTo(acting: Acting, held: Held, field: Field): Promise<string | null> {
  const { value } = field;
  const { kind, line } = held.facts;
  // Pages show, hide and load other fields depending on a choice.
  acting.hasEffect ||= !TYPED.has(kind);
  // By then, its list has opened and closed.
  if (opensList(held)) acting.frames.lastOpens = false;
  const chosen = Array.isArray(value) ? value : String(value);
  const values = [chosen].flat();
  const [first = ''] = values;
  if (typeof value === 'boolean' || kind === 'check')
    return stepIn(acting, held, { kind: 'check', value: typeof value === 'boolean' ? value : first });
  if (kind === 'file') return stepIn(acting, held, { kind: 'upload', paths: values.filter(Boolean) });
  if (values.length === 1 && isFilled(kind, chosen)) return fillField(acting, held, field, first);
  if (ONE.has(kind) && kind !== 'text')
    throw new SpillwayError('target_unsuitable', `${line} takes one value.`);
  // The rest are choices: `other` is a group that takes the given values and drops the others.
  return stepIn(acting, held, { kind: 'choose', chosen, isFree: kind === 'combobox', isOnly: true });
}
