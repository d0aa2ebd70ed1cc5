import { expect, it } from 'vitest';
import { SchemaWriter, type SchemaBounds } from '../../../../server/upstreams/openapi/schema.ts';
import type { JsonObject, JsonValue } from '../../../../shared/base/json.ts';

const BOUNDS: SchemaBounds = { textUnits: 100, depth: 40, values: 100 };
function write(schema: JsonValue, schemas: JsonObject = {}): unknown {
  const writer = new SchemaWriter({ components: { schemas } }, BOUNDS);
  const written = writer.write(schema);
  const definitions = writer.definitions();
  return Object.keys(definitions).length === 0 ? written : { written, definitions };
}

const text = { type: 'string' };
it.each<[JsonValue, unknown]>([
  [
    { ...text, nullable: true, enum: ['a'] },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [
    { nullable: true, description: 'd', allOf: [text] },
    { description: 'd', anyOf: [{ allOf: [text] }, { type: 'null' }] },
  ],
  [
    { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    { type: 'integer', exclusiveMinimum: 1, maximum: 9 },
  ],
  [{ oneOf: [text, { type: 'integer' }] }, { anyOf: [text, { type: 'integer' }] }],
  [
    { required: ['id', 'name'], properties: { id: { ...text, readOnly: true }, name: text } },
    { required: ['name'], properties: { name: text } },
  ],
  [
    { properties: { example: text, nullable: { type: 'boolean' }, $ref: text } },
    { properties: { example: text, nullable: { type: 'boolean' }, $ref: text } },
  ],
  [{ ...text, pattern: '(' }, text],
  [{ example: 1, xml: {}, externalDocs: {}, title: 't', 'x-a': 1, deprecated: true }, {}],
  [{ $ref: '#/components/schemas/None', description: 'd' }, { description: 'd' }],
  [{ $ref: '#/constructor/prototype' }, {}],
])('schemas of arguments writes %j', (schema, expected) => expect(write(schema)).toEqual(expected));
