import { expect, it } from 'vitest';
import { reveal } from '../../../shared/policy/reveal.ts';

it.each([
  ['Pay €240.00 – 日本語, العربية, हिन्दी', 'Pay €240.00 – 日本語, العربية, हिन्दी'],
  ['gpj.\u202eexe', 'gpj.⟨U+202E⟩exe'],
  ['a\u00adb\ufeffc', 'a⟨U+00AD⟩b⟨U+FEFF⟩c'],
  ['line\nnext\ttab\r', 'line⏎next⇥tab␍'],
  ['\u0000\u001b[2J', '⟨U+0000⟩⟨U+001B⟩[2J'],
  ['\ud800', '\ufffd'],
  [`Z${'\u0301'.repeat(50)}`, `Z${'\u0301'.repeat(4)}⟨…⟩`],
])('%j', (text, shown) => expect(reveal(text)).toBe(shown));
