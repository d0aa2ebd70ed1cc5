import { describe, expect, it } from 'vitest';
import { SchemaWriter, type SchemaBounds } from '../../../../server/upstream/openapi/schema.ts';
import type { JsonObject, JsonValue } from '../../../../shared/json.ts';

const BOUNDS: SchemaBounds = { textUnits: 100, depth: 40, values: 100 };

/** A schema as a tool has it, with its definitions. */
function write(schema: JsonValue, schemas: JsonObject = {}, bounds: Partial<SchemaBounds> = {}): unknown {
  const writer = new SchemaWriter({ components: { schemas } }, { ...BOUNDS, ...bounds });
  const written = writer.write(schema);
  const definitions = writer.definitions();
  return Object.keys(definitions).length === 0 ? written : { written, definitions };
}

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

describe('schemas of arguments', () => {
  it.each<[string, JsonValue, unknown]>([
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      'a nullable enumeration',
      { type: 'string', nullable: true, enum: ['a'] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    ['nullable of anything', { nullable: true }, {}],
    [
      'nullable with allOf',
      { nullable: true, description: 'd', allOf: [{ type: 'string' }] },
      { description: 'd', anyOf: [{ allOf: [{ type: 'string' }] }, { type: 'null' }] },
    ],
    [
      'exclusive bounds of 3.0',
      { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
      { type: 'integer', exclusiveMinimum: 1, maximum: 9 },
    ],
    ['exclusive bounds of 3.1', { exclusiveMinimum: 1 }, { exclusiveMinimum: 1 }],
    [
      'oneOf',
      { oneOf: [{ type: 'string' }, { type: 'integer' }] },
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    ],
    [
      'oneOf and anyOf',
      { oneOf: [{ type: 'string' }], anyOf: [{ minLength: 1 }] },
      { allOf: [{ anyOf: [{ minLength: 1 }] }, { anyOf: [{ type: 'string' }] }] },
    ],
    [
      'what only answers have',
      {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'string', readOnly: true }, name: { type: 'string' } },
      },
      { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    ],
    [
      'what only answers have, of a schema of several parts',
      {
        required: ['id', 'name'],
        allOf: [
          { properties: { id: { type: 'string', readOnly: true } } },
          { required: ['id'], properties: { name: { type: 'string' } } },
        ],
      },
      { required: ['name'], allOf: [{ properties: {} }, { properties: { name: { type: 'string' } } }] },
    ],
    [
      'properties that are called like keywords',
      {
        properties: { example: { type: 'string' }, nullable: { type: 'boolean' }, $ref: { type: 'string' } },
      },
      {
        properties: { example: { type: 'string' }, nullable: { type: 'boolean' }, $ref: { type: 'string' } },
      },
    ],
    ['a pattern that does not compile', { type: 'string', pattern: '(' }, { type: 'string' }],
    ['formats of numbers', { type: 'integer', format: 'int64' }, { type: 'integer' }],
    ['unknown types', { type: ['string', 'money', 'string'] }, { type: 'string' }],
    [
      'what models have no use for',
      { example: 1, xml: {}, externalDocs: {}, title: 't', 'x-a': 1, deprecated: true },
      {},
    ],
    [
      'a reference that leads nowhere',
      { $ref: '#/components/schemas/None', description: 'd' },
      { description: 'd' },
    ],
    ['a reference to something inherited', { $ref: '#/constructor/prototype' }, {}],
    ['booleans', true, true],
    ['no schema at all', 'text', {}],
  ])('writes %s', (_name, schema, expected) => {
    expect(write(schema)).toEqual(expected);
  });

  it.each([
    ['3.0.3', { $ref: '#/$defs/X', description: 'd' }],
    ['3.1.0', { $ref: '#/$defs/X', description: 'd', type: 'number' }],
  ])('takes what is written next to a reference as OpenAPI %s has it', (openapi, expected) => {
    const writer = new SchemaWriter({ openapi, a: { X: { type: 'object' } } }, BOUNDS);
    expect(writer.write({ $ref: '#/a/X', type: 'number', description: 'd' })).toEqual(expected);
  });

  it('keeps schemas that contain themselves finite', () => {
    const Tree = { type: 'object', properties: { left: ref('Tree'), other: ref('Forest') } };
    const Forest = { type: 'array', items: ref('Tree') };
    expect(write(ref('Tree'), { Tree, Forest })).toEqual({
      written: { $ref: '#/$defs/Tree' },
      definitions: {
        Tree: {
          type: 'object',
          properties: { left: { $ref: '#/$defs/Tree' }, other: { $ref: '#/$defs/Forest' } },
        },
        Forest: { type: 'array', items: { $ref: '#/$defs/Tree' } },
      },
    });
  });

  it('takes anything of the right type beyond its depth', () => {
    const schemas = {
      A: { properties: { b: ref('B') } },
      B: { properties: { c: ref('C') } },
      C: { type: 'array' },
    };
    expect(write(ref('A'), schemas, { depth: 2 })).toEqual({
      written: { $ref: '#/$defs/A' },
      definitions: {
        A: { properties: { b: { $ref: '#/$defs/B' } } },
        B: { properties: { c: { type: 'array' } } },
      },
    });
  });

  it('gives different schemas of one name different names', () => {
    const root = { a: { X: { type: 'string' } }, b: { X: { type: 'integer' } } };
    const writer = new SchemaWriter(root, BOUNDS);
    expect([writer.write({ $ref: '#/a/X' }), writer.write({ $ref: '#/b/X' })]).toEqual([
      { $ref: '#/$defs/X' },
      { $ref: '#/$defs/X_2' },
    ]);
    expect(writer.definitions()).toEqual({ X: { type: 'string' }, X_2: { type: 'integer' } });
  });
});
