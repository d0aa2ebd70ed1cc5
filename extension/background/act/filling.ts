import { SpillwayError } from '../../../shared/errors.ts';
import { checkPassword, admitSecret, beginUse, type Acting, type SecretUse } from './acting.ts';
import { fieldKey } from '../../../shared/policy/names.ts';
import { isRef } from '../pages/ref-book.ts';
import type { FieldValue } from '../../../shared/act/steps.ts';
import type { ControlKind } from '../../ports/page-answers.ts';
import { opensList } from './act-frames.ts';
import type { Held } from './act-page.ts';
import { noteTyped } from './leaving.ts';
import { stepIn, whileFound } from './step-in-page.ts';

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
  /** The name of the next field. */
  readonly next: string | undefined;
}

/**
 * Replaces the text of a field.
 * @param next the field to fill after it
 * @throws SpillwayError `value_not_taken` for a field that stays empty
 */
export function fill(acting: Acting, held: Held, text: string, keepsFocus = false, next?: string) {
  if (held.facts.kind === 'file' && text === '') return acting.putFiles(held, []);
  return stepIn(acting, held, { kind: 'fill', text, keepsFocus }, next);
}

/**
 * Sets the field with a label, placeholder or name.
 * @throws SpillwayError `field_not_found`, and the errors of each kind of control
 */
export async function setField(acting: Acting, field: Field): Promise<string | null> {
  beginUse(acting, field);
  const { name, value, isSecret } = field;
  const { frames, waitMs, signal, mayTypePasswords } = acting;
  const note = await whileFound(
    () => frames.field(name, { waitMs, signal }),
    waitMs,
    async (held) => {
      acting.hides = held.facts.hides;
      checkPassword(held.facts, { isSecret, mayTypePasswords });
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
  const { kind } = held.facts;
  const note = await fill(acting, held, text, false, kind === 'text' ? field.next : undefined);
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
  if (kind === 'file') return acting.putFiles(held, values.filter(Boolean));
  if (values.length === 1 && isFilled(kind, chosen)) return fillField(acting, held, field, first);
  if (ONE.has(kind) && kind !== 'text')
    throw new SpillwayError('target_unsuitable', `${line} takes one value.`);
  // The rest are choices: `other` is a group that takes the given values and drops the others.
  return stepIn(acting, held, { kind: 'choose', chosen, isFree: kind === 'combobox', isOnly: true });
}
