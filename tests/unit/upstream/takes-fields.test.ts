import { expect, it } from 'vitest';
import { takesFields } from '../../../server/upstream/takes-fields.ts';

it.each([
  [{ type: 'object' }, true],
  [{ type: 'object', properties: { a: {} }, additionalProperties: false }, true],
  [{ type: 'object', properties: { output_mode: {} } }, false],
  [{ type: 'object', patternProperties: { '^.*$': { type: 'number' } } }, false],
  [{ type: 'object', const: {} }, false],
  [{ type: 'object', enum: [{}] }, false],
  [{ type: 'object', maxProperties: 1 }, false],
  [{ type: 'object', oneOf: [{ required: ['a'] }] }, false],
])('whether fields can be added to %j: %j', (schema, isTaken) => {
  expect(takesFields(schema)).toBe(isTaken);
});
