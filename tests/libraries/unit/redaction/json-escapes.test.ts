import { rounds } from '../../../support/depth.ts';
import fc from '../../../support/property.ts';
import { expect, it } from 'vitest';
import { JsonEscapes } from '../../../../shared/base/json-escapes.ts';
import { asStream, cutAt, places, redactor } from './chunks.ts';

/** The longest tail that has to wait: half of a surrogate pair, and the next escape without its last digit. */
const HELD_UNITS = 11;

function rewrite(chunks: readonly string[]): string {
  const escapes = new JsonEscapes();
  const pieces = chunks.map((chunk) => escapes.push(chunk));
  const rest = escapes.flush();
  expect(rest.length).toBeLessThanOrEqual(HELD_UNITS);
  return [...pieces, rest].join('');
}

const hex = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** Ways to write one unit of a string. */
const WAYS: readonly ((char: string) => string)[] = [
  (char) => JSON.stringify(char).slice(1, -1),
  (char) => hex(char.charCodeAt(0)),
  (char) => hex(char.charCodeAt(0)).toUpperCase().replace('U', 'u'),
  (char) => (char === '/' ? '\\/' : JSON.stringify(char).slice(1, -1)),
];

/** JSON of a value, each unit of its strings in one of the ways. */
function written(json: string, picks: readonly number[]): string {
  let at = 0;
  return json.replaceAll(/"(?:\\.|[^"\\])*"/gs, (quoted) => {
    const units = Array.from({ length: JSON.parse(quoted).length }, (_, unit) =>
      JSON.parse(quoted).charAt(unit),
    );
    return `"${units.map((unit) => (WAYS[(picks[at++ % picks.length] ?? 0) % WAYS.length] ?? String)(unit)).join('')}"`;
  });
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...'\\"/u0041\n\u2028\ud83d\ude00é漢😀'), maxLength: 12 }),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));
const picks = fc.array(fc.nat(), { minLength: 1, maxLength: 20 });

it('escapes of JSON become those of JSON.stringify, however they are written and cut', () => {
  fc.assert(
    fc.property(value, picks, places, (any, ways, cuts) => {
      const json = JSON.stringify(any);
      expect(rewrite(cutAt(written(json, ways), cuts))).toBe(json);
    }),
    { numRuns: rounds(5_000, 500) },
  );
});

it.each([
  ['{"a":"gh\\u0070_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"}', '{"a":"«redacted:github-token»"}'],
  ['{"\\u0070assword":"hunter2 and more"}', '{"password":"«redacted:password»"}'],
  ['["https:\\/\\/bob:Xk29!vPq\\u0040example.com\\/"]', '["https://bob:«redacted:password»@example.com/"]'],
  ['["\\ud83d\\ude00 \\u200b\\"\\\\u0061\\n"]', '["😀 \\"\\\\u0061\\n"]'],
])('escapes of JSON hide nothing: %s', async (json, cleaned) => {
  for (const mimeType of ['application/json', 'application/x-ndjson'] as const) {
    const { payload } = await redactor.payload({ kind: 'text', mimeType, chunks: asStream([...json]) });
    if (payload.kind !== 'text') throw new Error('A text payload stays text.');
    const pieces: string[] = [];
    for await (const piece of payload.chunks) pieces.push(piece);
    expect(pieces.join('')).toBe(cleaned);
  }
});
