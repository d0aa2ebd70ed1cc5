import { lookUp } from '../base/json.ts';

/** Keys without a character, by their names in `KeyboardEvent.key`. */
export const KEYS: Readonly<Record<string, readonly [code: string, number: number, text?: string]>> = {
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

/** The name of a key as `KeyboardEvent.key` has it, however a caller writes it. */
export function keyName(name: string): string {
  const alias = lookUp(ALIASES, name.toLowerCase());
  if (alias !== undefined) return alias;
  const known = [...Object.keys(KEYS), 'ControlOrMeta'].find(
    (key) => key.toLowerCase() === name.toLowerCase(),
  );
  return known ?? (/^f\d+$/i.test(name) ? name.toUpperCase() : name);
}
