import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCompilable } from '../../../server/core/compilable.ts';
import type { JsonObject } from '../../../shared/json.ts';

const compile = (schema: JsonObject): unknown => new AjvJsonSchemaValidator().getValidator(schema);

const KEYWORDS = [
  ...['type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items', 'anyOf', 'allOf'],
  ...['oneOf', 'not', 'if', 'then', 'else', 'pattern', 'patternProperties', 'minimum', 'maxLength', 'format'],
  ...[
    'multipleOf',
    'uniqueItems',
    'contains',
    'dependencies',
    'propertyNames',
    '$ref',
    '$id',
    'id',
    '$anchor',
  ],
  ...['$defs', 'definitions', 'nullable', '$schema', '$async', 'default', 'examples', 'x-own', 'minContains'],
];

/** Anything that may stand behind a keyword, right and wrong. */
const { schema } = fc.letrec<{ schema: JsonObject; value: unknown }>((tie) => ({
  schema: fc.dictionary(fc.constantFrom(...KEYWORDS), tie('value') as never, { maxKeys: 4 }),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(
      ...['object', 'string', 'strin', 'date', '#', '#/$defs/a', '#/properties/a', '#a', 'http://a.test/b'],
      ...['(', '^[a-z]+$', '', 0, 3, -1, 0.5, true, false, null, [], ['a'], ['string', 'null'], {}],
    ),
    fc.array(fc.oneof(tie('schema'), fc.constant('a')), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '('), tie('schema') as never, { maxKeys: 2 }),
    tie('schema'),
  ),
}));

it('what it takes, the validator of the SDK compiles', () => {
  let taken = 0;
  fc.assert(
    fc.property(schema, (each) => {
      const json = JSON.parse(JSON.stringify(each)) as JsonObject;
      if (!isCompilable(json)) return;
      taken += 1;
      expect(() => compile(json)).not.toThrow();
    }),
    { numRuns: 3_000 },
  );
  // A property of nothing would hold as well.
  expect(taken).toBeGreaterThan(200);
});

const nested = (levels: number): JsonObject =>
  levels === 0 ? {} : { type: 'object', properties: { a: nested(levels - 1) } };

describe('a schema', () => {
  it.each<[string, JsonObject]>([
    ['of a list', { type: 'object', properties: { list: { type: 'array', items: { type: 'string' } } } }],
    ['with a reference', { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: {} } }],
    ['of a tree', { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } }],
    ['of any dialect', { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' }],
    ['with words of its own', { type: 'object', 'x-own': [1], title: 'A', examples: [{}] }],
    ['that may be null', { type: 'object', properties: { a: { type: ['string', 'null'] } } }],
    ['of some depth', nested(16)],
  ])('%s is taken', (_, each) => {
    expect(isCompilable(each)).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ['of an unknown type', { properties: { a: { type: 'strin' } } }],
    ['with a broken pattern', { properties: { a: { pattern: '(' } } }],
    ['with a reference to nothing', { properties: { a: { $ref: '#/nope' } } }],
    ['with a reference to no schema', { properties: { a: { $ref: '#/x' } }, x: { type: 7 } }],
    ['with a reference to another document', { properties: { a: { $ref: 'https://a.test/b' } } }],
    ['with a bound that is a text', { properties: { a: { minimum: '3' } } }],
    ['deeper than compilers go', nested(2_000)],
  ])('%s is not', (_, each) => {
    expect(isCompilable(each)).toBe(false);
    expect(() => compile({ type: 'object', ...each })).toThrow();
  });
});
