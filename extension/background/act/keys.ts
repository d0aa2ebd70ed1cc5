import { SpillwayError } from '../../../shared/errors.ts';
import { cut } from '../../../shared/cut.ts';
import type { Modifier } from '../../../shared/act/steps.ts';

/**
 * A key as `Input.dispatchKeyEvent` takes it: of a US keyboard (UI Events KeyboardEvent key and code values).
 */
export interface Key {
  readonly key: string;
  readonly code: string;
  /** `windowsVirtualKeyCode` */
  readonly number: number;
  /** What it types; empty for one that types nothing. */
  readonly text: string;
  readonly location?: number;
}

/** Bits of `modifiers` in CDP. */
const MODIFIER_BITS = { Alt: 1, Control: 2, Meta: 4, Shift: 8 } as const;
type PlainModifier = keyof typeof MODIFIER_BITS;
const isModifier = (name: string): name is PlainModifier => Object.hasOwn(MODIFIER_BITS, name);

const NAMED: Readonly<Record<string, readonly [code: string, number: number, text?: string]>> = {
  Enter: ['Enter', 13, '\r'],
  Tab: ['Tab', 9],
  Backspace: ['Backspace', 8],
  Delete: ['Delete', 46],
  Insert: ['Insert', 45],
  Escape: ['Escape', 27],
  ArrowLeft: ['ArrowLeft', 37],
  ArrowUp: ['ArrowUp', 38],
  ArrowRight: ['ArrowRight', 39],
  ArrowDown: ['ArrowDown', 40],
  Home: ['Home', 36],
  End: ['End', 35],
  PageUp: ['PageUp', 33],
  PageDown: ['PageDown', 34],
  CapsLock: ['CapsLock', 20],
  ContextMenu: ['ContextMenu', 93],
  Pause: ['Pause', 19],
  PrintScreen: ['PrintScreen', 44],
  Shift: ['ShiftLeft', 16],
  Control: ['ControlLeft', 17],
  Alt: ['AltLeft', 18],
  Meta: ['MetaLeft', 91],
};

const ALIASES: Readonly<Record<string, string>> = {
  space: ' ',
  spacebar: ' ',
  esc: 'Escape',
  return: 'Enter',
  del: 'Delete',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  up: 'ArrowUp',
  down: 'ArrowDown',
  ctrl: 'Control',
  cmd: 'Meta',
  command: 'Meta',
  option: 'Alt',
  plus: '+',
};

/** Signs by the key that types them: without, and with Shift. */
const SIGNS: readonly (readonly [plain: string, shifted: string, code: string, number: number])[] = [
  ['-', '_', 'Minus', 189],
  ['=', '+', 'Equal', 187],
  ['[', '{', 'BracketLeft', 219],
  [']', '}', 'BracketRight', 221],
  ['\\', '|', 'Backslash', 220],
  [';', ':', 'Semicolon', 186],
  ["'", '"', 'Quote', 222],
  [',', '<', 'Comma', 188],
  ['.', '>', 'Period', 190],
  ['/', '?', 'Slash', 191],
  ['`', '~', 'Backquote', 192],
  [' ', ' ', 'Space', 32],
];
const SHIFTED_DIGITS = ')!@#$%^&*(';

/** A character's key, or null for one that no key types: it is inserted as text. */
export function keyOfCharacter(char: string): (Key & { readonly isShifted: boolean }) | null {
  if (char === '\n' || char === '\r') return { ...named('Enter'), isShifted: false };
  if (char === '\t') return { ...named('Tab'), isShifted: false };
  if (/^[a-z]$/i.test(char)) {
    const upper = char.toUpperCase();
    return {
      key: char,
      code: `Key${upper}`,
      number: upper.charCodeAt(0),
      text: char,
      isShifted: char === upper,
    };
  }
  if (/^\d$/.test(char))
    return { key: char, code: `Digit${char}`, number: char.charCodeAt(0), text: char, isShifted: false };
  const digit = SHIFTED_DIGITS.indexOf(char);
  if (digit >= 0)
    return { key: char, code: `Digit${digit}`, number: 48 + digit, text: char, isShifted: true };
  const sign = SIGNS.find(([plain, shifted]) => plain === char || shifted === char);
  if (sign === undefined) return null;
  const [plain, , code, number] = sign;
  return { key: char, code, number, text: char, isShifted: plain !== char };
}

function named(name: string): Key {
  const [code, number, text = ''] = NAMED[name] ?? ['', 0];
  return { key: name, code, number, text, ...(isModifier(name) ? { location: 1 } : {}) };
}

/** A key with the modifiers held down meanwhile: `Control+Shift+A`. */
export interface Chord {
  readonly modifiers: readonly PlainModifier[];
  readonly key: Key;
}

/** What `ControlOrMeta` stands for on the computer of the browser. */
export const plainModifier = (name: Modifier, isMac: boolean): PlainModifier =>
  name === 'ControlOrMeta' ? (isMac ? 'Meta' : 'Control') : name;

export const modifierBits = (modifiers: readonly PlainModifier[]): number =>
  modifiers.reduce((bits, name) => bits | MODIFIER_BITS[name], 0);

export const modifierKey = (name: PlainModifier): Key => named(name);

/**
 * Reads keys with modifiers: `Enter`, `Control+A`, `Shift+Tab`, `a`, `+`.
 *
 * @throws SpillwayError `invalid_argument` naming the key that does not exist
 */
export function parseChord(text: string, isMac: boolean): Chord {
  const parts =
    text === '+' ? ['+'] : text.endsWith('++') ? [...text.slice(0, -2).split('+'), '+'] : text.split('+');
  const last = parts.pop() ?? '';
  const modifiers = parts.map((part) => {
    const name = canonical(part);
    if (name === 'ControlOrMeta') return plainModifier(name, isMac);
    if (isModifier(name)) return name;
    throw unknownKey(part);
  });
  const isShifted = modifiers.includes('Shift');
  const key = keyNamed(last, { isShifted, isShortcut: modifiers.length > 0 });
  // A keyboard gives `?` and `A` with Shift alone.
  return { modifiers: key.isShifted === true && !isShifted ? [...modifiers, 'Shift'] : modifiers, key };
}

interface CaseOptions {
  readonly isShifted: boolean;
  readonly isShortcut: boolean;
}

/** The key as a keyboard sends it: people write `Control+K` for `k`. */
function caseOf(name: string, { isShifted, isShortcut }: CaseOptions): string {
  if (isShifted && /^\d$/.test(name)) return SHIFTED_DIGITS.charAt(Number(name));
  if (isShifted) return SIGNS.find(([plain]) => plain === name)?.[1] ?? name.toUpperCase();
  if (!/^[a-z]$/i.test(name)) return name;
  return isShortcut ? name.toLowerCase() : name;
}

function keyNamed(name: string, options: CaseOptions): Key & { readonly isShifted?: boolean } {
  const known = canonical(name);
  if (Object.hasOwn(NAMED, known)) return named(known);
  const fn = /^F([1-9]|1\d|2[0-4])$/i.exec(known)?.[1];
  if (fn !== undefined) return { key: `F${fn}`, code: `F${fn}`, number: 111 + Number(fn), text: '' };
  const typed = caseOf(known, options);
  const key = [...typed].length === 1 ? keyOfCharacter(typed) : null;
  if (key === null) throw unknownKey(name);
  return key;
}

function canonical(name: string): string {
  const alias = ALIASES[name.toLowerCase()];
  if (alias !== undefined) return alias;
  const known = [...Object.keys(NAMED), 'ControlOrMeta'].find(
    (key) => key.toLowerCase() === name.toLowerCase(),
  );
  return known ?? name;
}

const unknownKey = (name: string): SpillwayError =>
  new SpillwayError(
    'invalid_argument',
    `press: ${JSON.stringify(cut(name, 40))} is not a key. Keys are named as in KeyboardEvent.key: Enter, Tab, ArrowDown, F5, a, with modifiers as Control+A.`,
  );
