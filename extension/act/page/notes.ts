import { cut } from '../../../shared/base/cut.ts';
import { lettersOf } from './protocol.ts';
import { squash } from '../../dom/elements.ts';

const VALUE_UNITS = 80;

/** A field's value after it was set. */
export interface FieldState {
  /** Empty for values that must not leave the page. */
  readonly value: string;
  readonly checked: boolean | null;
  /** The value is one that must not leave the page. */
  readonly isSecret: boolean;
  readonly isTaken: boolean;
}

/** A value in messages. */
export const quote = (value: string, units = VALUE_UNITS): string =>
  JSON.stringify(cut(value, units).toWellFormed());

export const shows = (value: string): string => `shows ${quote(value)}`;

export const isNow = (value: string): string => `= ${cut(squash(value), VALUE_UNITS).toWellFormed() || '""'}`;

export const stateNow = ({ value, isSecret }: FieldState): string => (isSecret ? '= (hidden)' : isNow(value));

export const whileOpen = (value: string): string => `${shows(value)} while its popup is open`;

/** A value; of a long one, the part that was typed, which is the caller's own text. */
export function trimToPart(value: string, typed: string): string {
  const [whole, part] = [squash(value), squash(typed)];
  const at = part === '' ? 0 : whole.lastIndexOf(part);
  if (whole.length <= VALUE_UNITS || at <= 0) return value;
  return `… ${cut(part, VALUE_UNITS - 4)}${at + part.length === whole.length ? '' : ' …'}`;
}

/** Whether letters or digits differ: other characters are only formatting. */
export const isOtherText = (value: string, text: string): boolean => lettersOf(value) !== lettersOf(text);

export function beginsWord(name: string, text: string): boolean {
  for (let at = name.indexOf(text); at !== -1; at = name.indexOf(text, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(name.charAt(at - 1))) return true;
  return false;
}
