import fc from '../../support/property.ts';
import { expect, it } from 'vitest';
import { base64Bytes, fromBase64, toBase64 } from '../../../extension/core/ports/base64.ts';

const asBuffer = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

it('writes what Node writes, and knows how many bytes it has', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(toBase64(bytes)).toBe(asBuffer(bytes));
      expect(base64Bytes(asBuffer(bytes))).toBe(bytes.length);
      expect(fromBase64(asBuffer(bytes))).toEqual(bytes);
    }),
  );
  const long = Uint8Array.from({ length: 100_001 }, (_, at) => at % 251);
  expect(toBase64(long)).toBe(asBuffer(long));
});
