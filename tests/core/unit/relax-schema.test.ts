import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { isCompilable, relaxSchema } from '../../../server/core/registry/json-schema.ts';
import type { JsonObject } from '../../../shared/base/json.ts';

const isValid = (schema: JsonObject, value: unknown): boolean =>
  new Ajv({ strict: false }).validate(schema, value);

const leaf = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const STORED = { preview: { type: ['string', 'null'] } };

/** Schemas, each with a valid and an invalid answer, neither of which changes. */
const SCHEMAS: readonly (readonly [string, JsonObject, JsonObject, JsonObject])[] = [
  ['a flat one', { properties: { a: { type: 'integer' } }, required: ['a'] }, { a: 1 }, { a: 'b' }],
  [
    'one of the same names',
    { properties: { preview: { type: 'integer' }, error: { type: 'string' } }, required: ['preview'] },
    { preview: 1, error: 'none' },
    { preview: true },
  ],
  [
    'definitions',
    { properties: { a: { $ref: '#/$defs/leaf' } }, required: ['a'], $defs: { leaf } },
    { a: { text: 'b' } },
    { a: {} },
  ],
  [
    'a tree whose branches and leaves differ in what they require',
    {
      properties: {
        parts: { type: 'array', items: { oneOf: [{ $ref: '#' }, { $ref: '#/definitions/leaf' }] } },
      },
      required: ['parts'],
      additionalProperties: false,
      definitions: { leaf },
    },
    { parts: [{ text: 'b' }, { parts: [{ text: 'c' }] }] },
    { parts: [{}] },
  ],
  [
    'a field that another does not have',
    {
      properties: { preview: { type: 'integer' }, other: { not: { $ref: '#/properties/preview' } } },
      required: ['other'],
    },
    { preview: 1, other: 'text' },
    { other: 1 },
  ],
];

describe.each(SCHEMAS)('%s', (_, given, good, bad) => {
  const schema: JsonObject = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', ...given };
  const shown = relaxSchema(schema, STORED);

  it('takes what it took, and refuses what it refused in a field', () => {
    expect(isCompilable(shown)).toBe(true);
    for (const each of [schema, shown]) {
      expect(isValid(each, good)).toBe(true);
      expect(isValid(each, bad)).toBe(false);
    }
  });
});
