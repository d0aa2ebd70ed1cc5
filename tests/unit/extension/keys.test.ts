import { expect, it } from 'vitest';
import { parseChord } from '../../../extension/background/act/keyboard.ts';

it.each<[string, readonly string[], string, string]>([
  ['?', ['Shift'], '?', 'Slash'],
  ['Shift+/', ['Shift'], '?', 'Slash'],
  ['Shift+a', ['Shift'], 'A', 'KeyA'],
  ['Control+?', ['Control', 'Shift'], '?', 'Slash'],
  ['Shift+Space', ['Shift'], ' ', 'Space'],
])('%s', (text, modifiers, key, code) => {
  expect(parseChord(text, false)).toMatchObject({ modifiers, key: { key, code } });
});
