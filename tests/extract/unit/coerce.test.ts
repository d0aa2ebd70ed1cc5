import { expect, test } from 'vitest';
import { coerce } from '../../../shared/libraries/values/coerce.ts';
import type { JsonObject, JsonValue } from '../../../shared/base/json.ts';
import { Columns } from '../../../shared/libraries/values/columns.ts';
import { planFields } from '../../../server/extract/plan.ts';

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

/** Values of a field named so, and what they are, read together. */
test.each<[name: string, values: string, read: string, lang?: string]>([
  [
    'price',
    'Was $99 Now $79 | 7,99 € (10,65 €/l) | 2,49 € (1 kg = 4,98 €) | 1,99 € 3,98 €/kg',
    '79 | 7.99 | 2.49 | 1.99',
  ],
  [
    'price',
    '原价￥299 现价￥199 | Statt 99 € jetzt 79 € | $50 (was $60) | $4.99 ($0.31/oz)',
    '199 | 79 | 50 | 4.99',
  ],
  [
    'price',
    'Rent $1,200 Deposit $800 | $99 $79 | $199 – $249 | AED 8000 (USD 2179)',
    'null | null | null | null',
  ],
  ['old_price', 'Was $99 $79', '99'],
  ['unit_price', '7,99 € (10,65 €/l)', '10.65'],
  ['rating', '(4.5)', '4.5'],
  ['amount', '1/2 cup | 3 cups | ⅔ cup | 5/8" | 1 5/8"', 'null | 3 | 0.666666666666667 | null | 1.625'],
  ['price', '12 € 3 Stück | 12 zł 50 gr | ▼ 3.2%', 'null | null | null'],
  ['net_income', '1,204 | (3,450) | (780)', '1204 | -3450 | -780'],
  ['review_count', '0 | (12,345)', '0 | 12345'],
  ['year', '2021 | (2020)', '2021 | 2020'],
  ['date', '2/5/2019 | 15/4/2019', '2019-05-02 | 2019-04-15'],
  ['date', '2/5/2019 | 15/4/2019', '2019-05-02 | 2019-04-15', 'en-US'],
  ['date', '2/5/2019 | 4/15/2019', '2019-02-05 | 2019-04-15', 'en-GB'],
  ['date', '2/5/2019 | 15/4/2019 | 4/15/2019', 'null | 2019-04-15 | 2019-04-15', 'en-US'],
  ['date', '2/5/2019 | 3/6/2019', 'null | null'],
])('the values of %s, %s, are %s', (name, values, read, lang = 'en') => {
  const schema = name === 'date' ? { type: 'string', format: 'date' } : { type: 'number' };
  const columns = new Columns();
  const once = () =>
    planFields({ properties: { [name]: schema } }).flatMap((field) =>
      values.split(' | ').map((raw) => coerce(field, raw, { lang, isMachine: false, columns }, name).value),
    );
  once();
  expect(once().join(' | ')).toBe(read.replaceAll('null', ''));
});

test('both ends of a range are a list of numbers', () =>
  expect(make({ type: 'array', items: { type: 'number' } }, '$199 – $249')?.value).toEqual([199, 249]));
