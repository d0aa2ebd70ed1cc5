import { describe, expect, it } from 'vitest';
import { ValueScanner, type ScanBounds } from '../../../../server/upstream/mcp/value-scanner.ts';
import { rounds } from '../../../support/depth.ts';
import fc from '../../../support/property.ts';

const BOUNDS: ScanBounds = { longBytes: 8, stepBytes: 16, keptMaxBytes: 10_000, depthMax: 50 };
const MARK = 'the mark of this test ';

interface Taken {
  readonly isJson: boolean;
  readonly bytes: Buffer[];
}

/** Scans bytes that come in chunks; `sizes` are taken in turns. */
function scan(bytes: Buffer, sizes: readonly number[]) {
  const taken: Taken[] = [];
  const scanner = new ValueScanner(
    {
      begin: (isJson) => void taken.push({ isJson, bytes: [] }),
      write: (part) => void taken.at(-1)?.bytes.push(Buffer.from(part)),
      end: () => `${MARK}${taken.length - 1}`,
    },
    BOUNDS,
  );
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    scanner.push(bytes.subarray(at, at + size));
    at += size;
  }
  const values = taken.map(({ isJson, bytes: parts }) => {
    const text = Buffer.concat(parts).toString('utf8');
    return { isJson, value: isJson ? JSON.parse(text) : text };
  });
  return { text: scanner.end(), values };
}

/** The message with its large values put back. */
function reassembled({ text, values }: ReturnType<typeof scan>): unknown {
  return JSON.parse(text ?? 'null', (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK)
      ? values[Number(value.slice(MARK.length))]?.value
      : value,
  );
}

const wellFormed = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, each: unknown) =>
    typeof each === 'string' ? each.toWellFormed() : each,
  );

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '\ud800', '\udc00', '😀', '\n', '\u0000', 'a', 'é'),
    maxLength: 60,
  }),
);
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('result', 'structuredContent', '__proto__x')),
      tie('value'),
    ),
  ),
}));
const message = fc.oneof(
  json,
  fc.record({
    jsonrpc: fc.constant('2.0'),
    id: fc.integer(),
    result: fc.record({ content: fc.array(json), structuredContent: fc.dictionary(fc.string(), json) }),
  }),
);
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
/** As other programs write it: spaces, and every character escaped. */
const written = fc.constantFrom(
  (value: unknown) => JSON.stringify(value),
  (value: unknown) => JSON.stringify(value, null, 2),
  (value: unknown) =>
    JSON.stringify(value).replace(
      /[^\x20-\x7e]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
    ),
);

describe('a message without its large values', () => {
  it('is the message once they are put back, however it was cut', () => {
    fc.assert(
      fc.property(message, sizes, written, (value, cuts, write) => {
        const scanned = scan(Buffer.from(write(value)), cuts);
        expect(wellFormed(reassembled(scanned))).toEqual(wellFormed(value));
      }),
      { numRuns: rounds(400, 80) },
    );
  });

  it.each(['{"a":"an unknown escape \\x"}', '{"a":"half of an escape \\u00', '{"a":[1}', '{"a":1', '}'])(
    'is nothing when it was not JSON: %s',
    (broken) => {
      const { text: left } = scan(Buffer.from(broken), [5]);
      expect(() => JSON.parse(left ?? '')).toThrow(SyntaxError);
    },
  );
});
