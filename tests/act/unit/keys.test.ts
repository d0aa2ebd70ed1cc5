import { expect, it } from 'vitest';
import { macCommand, parseChord } from '../../../extension/act/worker/keyboard.ts';

it.each<[string, readonly string[], string, string]>([
  ['?', ['Shift'], '?', 'Slash'],
  ['Shift+/', ['Shift'], '?', 'Slash'],
  ['Shift+a', ['Shift'], 'A', 'KeyA'],
  ['Control+?', ['Control', 'Shift'], '?', 'Slash'],
  ['Shift+Space', ['Shift'], ' ', 'Space'],
])('%s', (text, modifiers, key, code) => {
  expect(parseChord(text, false)).toMatchObject({ modifiers, key: { key, code } });
});

const ON_MAC =
  'ControlOrMeta+A selectAll, Meta+Shift+Z redo, Meta+Down moveToEndOfDocument, Shift+Meta+Left moveToLeftEndOfLineAndModifySelection, Meta+Shift+V, Control+A';
it.each(ON_MAC.split(', '))('on a Mac: %s', (line) => {
  const [keys = '', command] = line.split(' ');
  expect(macCommand(parseChord(keys, true))).toBe(command);
});
