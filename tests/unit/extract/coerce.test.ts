import { expect, test } from 'vitest';
import { coerce } from '../../../shared/extract/coerce.ts';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { planFields } from '../../../server/tools/extract_data/plan.ts';

const HINTS = { lang: 'en', isMachine: false };

const make = (schema: JsonObject, raw: JsonValue) =>
  planFields({ properties: { x: schema } }).map((field) => coerce(field, raw, HINTS, 'x'))[0];

test.each<[JsonObject, JsonValue, JsonValue]>([
  [{ type: 'number' }, '€49.95', 49.95],
  [{ type: 'string' }, 4.5, '4.5'],
  [{ type: 'boolean' }, 'https://schema.org/InStock', true],
  [{ type: 'boolean' }, 'http://www.schema.org/OutOfStock', false],
  [{ type: 'boolean' }, '✔\ufe0f', true],
  [{ type: 'boolean' }, 'Sold out', false],
  [{ anyOf: [{ type: 'null' }, { type: 'integer' }] }, '7', 7],
  [{ enum: ['in_stock', 'out_of_stock'] }, 'https://schema.org/InStock', 'in_stock'],
  [{ type: 'string', format: 'date' }, 'May 3, 2024', '2024-05-03'],
  [{ type: 'string', format: 'date-time' }, '1714732200', '2024-05-03T10:30:00.000Z'],
  [{ type: 'string', format: 'date-time' }, '202405031030', '2024-05-03T10:30:00'],
  [{ type: 'string', format: 'email' }, 'mailto:a@b.test?subject=x', 'a@b.test'],
  [{ type: 'object', properties: { a: { type: 'number' } } }, { a: '3 kg', b: 'no' }, { a: 3 }],
  [{ type: 'object', properties: { constructor: {} } }, { b: 'no' }, { constructor: null }],
])('values become what a schema asks for %j of %j is %j', (schema, raw, value) => {
  expect(make(schema, raw)).toEqual({ value, problems: [] });
});

test.each<[JsonObject, JsonValue, string]>([
  [{ type: 'integer' }, '4.5', 'is not an integer'],
  [{ type: 'number', title: 'Price' }, '-40% today', 'is a percentage'],
  [{ type: 'string', format: 'date' }, 'soon', 'is not a date'],
  [{ type: 'string', format: 'date-time' }, '2024-05-03', 'has a day but no time'],
  [{ type: 'object', properties: { a: {} } }, 'text', 'is not a group of values'],
])('values become what a schema asks for %j of %j: null, and %s', (schema, raw, reason) => {
  expect(make(schema, raw)).toEqual({ value: null, problems: [{ path: 'x', raw, reason }] });
});
