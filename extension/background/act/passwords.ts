import { SpillwayError } from '../../../shared/errors.ts';
import { passwordRefused } from '../../page/act/protocol.ts';
import type { Step } from '../../../shared/act/steps.ts';

export interface Typing {
  /** The value was written as `secret:NAME`, and comes from the file of `--secrets`. */
  readonly isSecret: boolean;
  /** The acting session opened the tab, in a browser that its server launched. */
  readonly mayTypePasswords: boolean;
}

/** Keys that put a character into a field; Control and Meta make commands of them. */
const TYPES_KEYS = /(?:^|\s)(?:(?:Shift|Alt)\+)*(?:\S|Space)(?=\s|$)/;

/** Keys that edit, move and send, but put nothing into a field; Insert pastes with Shift. */
const EDITING_KEY = /(?:^|\+)(?!(?:Space|Spacebar|Insert|Plus)$)[A-Za-z]\w+$/i;

/** Whether a step presses only keys that put nothing into a field, whatever has the focus. */
export const isEditing = ({ do: kind, value }: Step): boolean =>
  kind === 'press' &&
  typeof value === 'string' &&
  value
    .trim()
    .split(/\s+/)
    .every((chord) => EDITING_KEY.test(chord));

/** Whether a step puts characters into a field. Clearing one takes no password. */
export function typesText({ do: kind, value }: Step): boolean {
  if (kind === 'press') return TYPES_KEYS.test(typeof value === 'string' ? value : '');
  return kind === 'fill' || kind === 'type' || kind === 'select';
}

/**
 * Only a person may give a password: an agent that knows one got it from a page or a prompt. So a password
 * field takes a value of `--secrets`, or any value if no person is signed in.
 * @param field `line` names it in the message
 * @throws SpillwayError `password_refused`
 */
export function checkPassword(
  field: { readonly line: string; readonly isPassword: boolean },
  { isSecret, mayTypePasswords }: Typing,
): void {
  if (!field.isPassword || isSecret || mayTypePasswords) return;
  throw new SpillwayError('password_refused', passwordRefused(field.line));
}
