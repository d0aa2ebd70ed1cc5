import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../../shared/base/json.ts';
import fc from '../../support/property.ts';

it.each([
  [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
  [{ a: undefined, b: -0 }, '{"b":0}'],
  [{ é: 1, z: { y: 1, x: 2 } }, '{"z":{"x":2,"y":1},"é":1}'],
])('%j', (value, text) => expect(canonicalJson(value)).toBe(text));

it('is the same text for the same value, however its members are ordered, and no other value has it', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(object, object, (one, other) => {
      const reversed = Object.fromEntries(Object.entries(one).toReversed());
      expect(canonicalJson(reversed as never)).toBe(canonicalJson(one as never));
      expect(JSON.parse(canonicalJson(one as never))).toEqual(JSON.parse(JSON.stringify(one)));
      expect(canonicalJson(one as never) === canonicalJson(other as never)).toBe(
        isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other))),
      );
    }),
  );
});
