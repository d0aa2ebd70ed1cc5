import { expect, it } from 'vitest';
import { parseChord } from '../../../extension/background/act/keys.ts';

it.each<[string, readonly string[], string, string]>([
  ['?', ['Shift'], '?', 'Slash'],
  ['Shift+/', ['Shift'], '?', 'Slash'],
  ['A', ['Shift'], 'A', 'KeyA'],
  ['Shift+a', ['Shift'], 'A', 'KeyA'],
  ['a', [], 'a', 'KeyA'],
  ['Control+A', ['Control'], 'a', 'KeyA'],
  ['Control+?', ['Control', 'Shift'], '?', 'Slash'],
  ['Control++', ['Control', 'Shift'], '+', 'Equal'],
  ['!', ['Shift'], '!', 'Digit1'],
  ['Shift+1', ['Shift'], '!', 'Digit1'],
  ['Shift+Tab', ['Shift'], 'Tab', 'Tab'],
  ['Shift+Space', ['Shift'], ' ', 'Space'],
])('%s', (text, modifiers, key, code) => {
  expect(parseChord(text, false)).toMatchObject({ modifiers, key: { key, code } });
});
