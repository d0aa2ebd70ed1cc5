import { expect, it } from 'vitest';
import { reveal } from '../../../shared/policy/reveal.ts';

it.each([
  ['Pay €240.00 – 日本語, العربية, हिन्दी', 'Pay €240.00 – 日本語, العربية, हिन्दी'],
  ['I ❤️ shops', 'I ❤️ shops'],
  ['gpj.\u202eexe', 'gpj.⟨U+202E⟩exe'],
  ['a\u2066b\u2069', 'a⟨U+2066⟩b⟨U+2069⟩'],
  ['pay\u200bpal', 'pay⟨U+200B⟩pal'],
  ['a\u00adb\ufeffc', 'a⟨U+00AD⟩b⟨U+FEFF⟩c'],
  ['x\u{e0041}\u{e0042}', 'x⟨U+E0041⟩⟨U+E0042⟩'],
  ['a\ufe00b\u{e0100}', 'a⟨U+FE00⟩b⟨U+E0100⟩'],
  ['a\u3164b\u2800c', 'a⟨U+3164⟩b⟨U+2800⟩c'],
  ['line\nnext\ttab\r', 'line⏎next⇥tab␍'],
  ['\u0000\u001b[2J', '⟨U+0000⟩⟨U+001B⟩[2J'],
  ['\ud800', '\ufffd'],
  [`Z${'\u0301'.repeat(50)}`, `Z${'\u0301'.repeat(4)}⟨…⟩`],
  ['<b>&amp;</b>', '<b>&amp;</b>'],
])('%j', (text, shown) => {
  expect(reveal(text)).toBe(shown);
});
