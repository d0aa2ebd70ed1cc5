import { describe, expect, test } from 'vitest';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { planJob } from '../../../server/extract/job.ts';
import { compileSchema } from '../../../server/core/record-schema.ts';

function refusal(schema: JsonObject): string {
  try {
    compileSchema(schema);
  } catch (thrown) {
    if (thrown instanceof SpillwayError) return `${thrown.code} ${thrown.message}`;
    throw thrown;
  }
  return 'taken';
}

function deep(levels: number): JsonObject {
  let schema: JsonObject = { type: 'string' };
  for (let at = 0; at < levels; at += 1) schema = { type: 'object', properties: { x: schema } };
  return schema;
}

/** Each definition asks for the next one twice. */
const doubling = (steps: number): JsonObject => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: steps }, (_, at) => [
      `d${at}`,
      at + 1 < steps
        ? { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] }
        : { type: 'object' },
    ]),
  ),
});

describe('schemas that are refused, with the path', () => {
  const x = (schema: JsonObject): JsonObject => ({ properties: { x: schema } });
  test.each<[string, JsonObject, string]>([
    ['an unknown type', x({ type: 'nmber' }), 'schema_invalid schema/properties/x/type'],
    ['another document', x({ $ref: 'https://x.test/s.json' }), 'schema_invalid schema/properties/x/$ref'],
    [
      'a circle',
      { ...x({ $ref: '#/$defs/y' }), $defs: { y: { anyOf: [{ $ref: '#/$defs/y' }] } } },
      'is circular',
    ],
    ['depth', deep(60), 'is nested deeper than'],
    ['any depth', deep(20_000), 'schema_invalid schema/properties/x'],
    ['many bytes', { description: 'é'.repeat(150_000) }, 'is larger than 256 KiB'],
    ['doubling', doubling(30), 'multiply to more than'],
    ['an invalid pattern', x({ type: 'string', pattern: '(' }), 'schema_invalid schema'],
    ['a pattern of any length', x({ pattern: 'a'.repeat(2_000) }), 'at most 1000 characters'],
    ['a list', { type: 'array', items: {} }, 'pass multiple: true'],
  ])('%s', (_, schema, said) => expect(refusal(schema)).toContain(said));

  const draft7 = 'http://json-schema.org/draft-07/schema#';
  test.each<[string, JsonObject]>([
    ['a tree of itself', { $defs: { node: x({ $ref: '#/$defs/node' }) }, $ref: '#/$defs/node' }],
    ['an older draft', { $schema: draft7, ...x({ $ref: '#/definitions/s' }), definitions: { s: {} } }],
    ['unknown keywords', { 'x-aliases': ['y'], ...x({ type: 'string', example: 'b' }) }],
  ])('%s is taken', (_, schema) => expect(refusal(schema)).toBe('taken'));
});

test.each<[string, string, boolean, boolean?]>([
  ['^[A-Z]{2}\\d+$', 'AB12', true],
  ['^\\d+\\s€$', '12\u00a0€', true],
  ['^[\\s\\d]+$', '1\u2003', true],
  ['^\\S+$', 'a\u00a0b', false],
  ['^(?<y>\\u0041)\\/b$', 'A/b', true],
  ['^(a+)+$', `${'a'.repeat(50_000)}b`, false],
  ['a{0,99}a{0,99}a{0,99}a{0,99}b', 'a'.repeat(600), false],
  ['^(?!a)', 'a', true, true],
  ['(a)\\1', 'b', true, true],
])('pattern %s, %j: %s', (pattern, text, fits, isSkipped = false) => {
  const schema = compileSchema({ type: 'string', pattern });
  expect(schema.validate(text).length === 0).toBe(fits);
  expect(schema.skippedPatterns.has(pattern)).toBe(isSkipped);
});

const properties = { name: {}, offer: { type: 'object', properties: { price: {} } } };
const plan = (schema: JsonObject, selectors: JsonObject) =>
  planJob({ schema, selectors, multiple: false, explain: false }).fields.map(({ name }) => name);

test.each<[JsonObject, string]>([
  [{ nam: 'td' }, 'selectors.nam: the schema has no such property; it has name, offer.'],
  [
    { offer: { selector: 'p', fields: { prize: 'b' } } },
    'selectors.offer.fields.prize: the schema has no such property; it has price.',
  ],
])('selectors %j name what the schema lacks', (selectors, message) => {
  expect(() => plan({ properties }, selectors)).toThrow(
    expect.objectContaining({ code: 'invalid_argument', message: expect.stringContaining(message) }),
  );
});
