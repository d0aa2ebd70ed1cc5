import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import { sample } from '../../support/depth.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { isCompilable } from '../../../server/core/registry/json-schema.ts';
import type { JsonObject, JsonValue } from '../../../shared/base/json.ts';

const compile = (schema: JsonObject): unknown => new AjvJsonSchemaValidator().getValidator(schema);

/** Compilers with a cache: the SDK's, and plain ajv, which also validates schemas against the meta-schema. */
const sdk = new AjvJsonSchemaValidator();
const plain = new Ajv({ strict: false, logger: false });
formatsPlugin.default(plain, { keywords: true });

beforeAll(() => {
  // The SDK's compiler warns about each unknown format.
  vi.spyOn(console, 'warn').mockReturnValue();
});
afterAll(() => vi.restoreAllMocks());

function expectCompiles(schema: JsonObject): void {
  const { $schema: _dialect, ...rest } = schema;
  expect(() => sdk.getValidator(schema), JSON.stringify(schema)).not.toThrow();
  expect(() => plain.compile(rest), JSON.stringify(rest)).not.toThrow();
}

/** Every keyword that clients' compilers know, and some that none knows. */
const KEYWORDS = [
  ...[...Object.keys(new Ajv2020().RULES.keywords), ...Object.keys(plain.RULES.keywords)],
  ...['$schema', '$id', 'id', '$anchor', '$async', '$defs', 'definitions', 'nullable', 'examples', 'x-own'],
];

const VALUES: readonly JsonValue[] = [
  ...['object', 'string', 'strin', 'date', '#', '#/$defs/a', '#/properties/a', '#a', 'http://a.test/b'],
  ...['(', '^[a-z]+$', '', 0, 3, -1, 0.5, true, false, null, [], ['a'], ['string', 'null'], {}],
  ...[
    ['a', 'a'],
    [
      { a: 1, b: [] },
      { b: [], a: 1 },
    ],
    ['string', 'string'],
    [{}],
    [5],
  ],
  ...[{ a: 'x' }, { a: ['a'] }, { a: ['a', 'a'] }, { a: {} }, { '(': {} }],
];

const BESIDE: readonly JsonObject[] = [
  {},
  { type: 'string', format: 'email' },
  { type: 'string', format: 'date' },
  { type: 'array', items: {} },
  { items: [{}] },
  { properties: { a: {} } },
  { if: {} },
];

it.each(sample([...new Set(KEYWORDS)], 4))('what it takes of %s, compilers take', (keyword) => {
  const all = VALUES.flatMap((value) => BESIDE.map((other) => ({ ...other, [keyword]: value })));
  const within = (parts: readonly JsonObject[]): JsonObject => ({
    properties: Object.fromEntries(parts.entries()),
    $defs: { a: {} },
  });
  expectCompiles(within(all.filter((each) => isCompilable(within([each])))));
});

const nested = (levels: number): JsonObject =>
  levels === 0 ? {} : { type: 'object', properties: { a: nested(levels - 1) } };

it.each<[string, JsonObject]>([
  ['of an unknown type', { properties: { a: { type: 'strin' } } }],
  ['with a broken pattern', { properties: { a: { pattern: '(' } } }],
  ['with a reference to nothing', { properties: { a: { $ref: '#/nope' } } }],
  ['with a reference to no schema', { properties: { a: { $ref: '#/x' } }, x: { type: 7 } }],
  ['with a reference to another document', { properties: { a: { $ref: 'https://a.test/b' } } }],
  ['with a bound that is a text', { properties: { a: { minimum: '3' } } }],
  ['deeper than compilers go', nested(2_000)],
])('a schema %s is not', (_, each) => {
  expect(isCompilable(each)).toBe(false);
  expect(() => compile({ type: 'object', ...each })).toThrow();
});
