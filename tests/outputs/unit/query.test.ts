import { expect, it } from 'vitest';
import type { JsonValue } from '../../../shared/base/json.ts';
import { MIME } from '../../../shared/base/mime.ts';
import type { QueryRequest } from '../../../server/core/output/index.ts';
import { createOutputQueries } from '../../../server/outputs/query/index.ts';
import { rounds, sample } from '../../support/depth.ts';
import { itemsPayload, textPayload } from '../../support/payloads.ts';
import fc from '../../support/property.ts';
import { FakeClock, setUp } from './support.ts';
import { testFolder } from '../../support/test-folder.ts';

const PAGE_BYTES = 32_768;
type Question = Omit<Partial<QueryRequest>, 'output_handle'>;

const { keep, store } = await setUp({ home: testFolder() });
const queries = createOutputQueries(store, new FakeClock(), PAGE_BYTES);
const { signal } = new AbortController();
const ask = async (handle: string, question: Question) =>
  (await queries.query({ output_handle: handle, offset: 0, limit: 50, ...question }, signal)).page;
const keepItems = (items: readonly JsonValue[]): Promise<string> => keep(itemsPayload(items));
const keepText = (text: string): Promise<string> => keep(textPayload(MIME.text, text));

async function askAll(handle: string, question: Question): Promise<readonly JsonValue[]> {
  const rows: JsonValue[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const page = await ask(handle, { ...question, offset });
    expect(page.next_offset === null).toBe(page.eof);
    expect(page.returned).toBe(page.content.length);
    // The last row may begin within the page.
    expect(Buffer.byteLength(JSON.stringify(page.content))).toBeLessThan(2 * PAGE_BYTES);
    rows.push(...page.content);
    offset = page.next_offset;
  }
  return rows;
}

const column = async (handle: string, question: Question, name: string): Promise<readonly unknown[]> =>
  (await askAll(handle, question)).map((row): unknown => Object(row)[name]);

const refused = (handle: string, question: Question, message = '', code = 'invalid_argument') =>
  expect(ask(handle, question), JSON.stringify(question)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message) as string,
  });

const products = Array.from({ length: 14_000 }, (_, at) => ({
  sku: `SKU-${at}`,
  name: `Product "${at}" – Größe ${at % 7}`,
  price: (at * 7_919) % 1_000,
  state: at % 2 === 0 ? 'sold' : 'open',
}));
const shop = await keepItems(products);
const csv = '\uFEFFsku,name,price,zip\r\n1,"Desk, ""large""",12.50,01234\r\n2,"two\nlines",,10115\r\n\r\n';
const desks = [
  { sku: 1, name: 'Desk, "large"', price: 12.5, zip: '01234' },
  { sku: 2, name: 'two\nlines', price: null, zip: '10115' },
];

it.each([
  ['CSV', MIME.csv, csv],
  ['TSV', MIME.tsv, csv.replaceAll(/,(?! )/g, '\t')],
])('a table of %s is asked as records are', async (_, type, text) => {
  const handle = await keep(textPayload(type, text));
  expect((await ask(handle, { where: 'price > `0` || zip == `10115`' })).content).toEqual([desks[0]]);
  const last = await ask(handle, { fields: ['index', 'name'], sort: '-sku', limit: 1 });
  expect(last.content).toEqual([{ index: 1, name: 'two\nlines' }]);
  expect((await ask(handle, { jmespath: 'length(@)' })).content).toEqual([2]);
  expect((await ask(handle, { stats: true })).total).toBe(4);
  expect((await ask(handle, { search: 'two' })).content).toMatchObject([{ match: 'two' }]);
  const now = await keep(textPayload(type, text.replace('12.50', '9')));
  expect((await ask(handle, { diff: now })).content).toEqual([
    { change: 'added', index: 0, item: { ...desks[0], price: 9 } },
    { change: 'removed', index: 0, item: desks[0] },
  ]);
});

it('JSON that was stored as text is asked as a whole', async () => {
  const har = await keep(textPayload(MIME.json, '{ "log": { "entries": [{ "status": 404 }] } }'));
  expect((await ask(har, { jmespath: 'log.entries[].status' })).content).toEqual([404]);
  expect((await ask(har, { schema: true })).content).toMatchObject([{ required: ['log'] }]);
});

it('search finds what every simple search finds, at its byte, wherever parts of the text are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 1_190_000 }), { minLength: 1, maxLength: 12 }),
      fc.constantFrom({ search: 'nädel' }, { regex: 'n.del' }, { regex: '(?i)N[äx]DEL' }),
      async (places, question) => {
        const bytes = Buffer.alloc(1_200_000, 'abc\n');
        for (const at of places) bytes.write('nädel', at - (at % 4));
        const handle = await keepText(bytes.toString());
        const stored = Buffer.from(bytes.toString());
        const expected: number[] = [];
        for (let at = stored.indexOf('nädel'); at >= 0; at = stored.indexOf('nädel', at + 1))
          expected.push(at);
        expect(await column(handle, { ...question, limit: 3 }, 'offset')).toEqual(expected);
      },
    ),
    { numRuns: rounds(12, 4) },
  );
});

const mixed = [7, { name: 'a', tags: ['x', 'y'] }, { name: 'b', text: 'one,' }, 'text,', {}];
it.each<[Question, number[]]>([
  [{ regex: '^7$' }, [0]],
  [{ regex: '^"' }, [3]],
  [{ regex: '^[^[]' }, [0, 1, 2, 3, 4]],
  // No part of another item is matched, as . * would with the flag s and [^…] without.
  [{ regex: '"a"[^b]*"b"' }, []],
  [{ regex: String.raw`(?s)\{.*\}` }, [1, 2, 4]],
  [{ search: ',' }, [1, 2, 3]],
  [{ search: '",' }, [1, 2]],
])('%j sees one item, without what separates it', async (asked, expected) => {
  const handle = await keepItems(mixed);
  for (const limit of [1, 50]) expect(await column(handle, { ...asked, limit }, 'index')).toEqual(expected);
});

it('fields, where and sort answers fields of items for which a condition holds', async () => {
  const question = { where: "state == 'sold' && price > `990`", fields: ['sku', 'cost: price'] };
  const expected = products.flatMap(({ sku, price, state }, index) =>
    state === 'sold' && price > 990 ? [{ index, sku, cost: price }] : [],
  );
  expect((await ask(shop, { ...question, limit: 2 })).content).toEqual(expected.slice(0, 2));
  expect(await askAll(shop, question)).toEqual(expected);
});

it('jmespath asks each item where it can, the whole list where it has to, and answers the same both ways', async () => {
  expect(await ask(shop, { jmespath: '[?price > `998`].sku', limit: 3 })).toMatchObject({ total: 14_000 });
  expect(await ask(shop, { jmespath: 'length(@)' })).toMatchObject({ content: [14_000], total: 1 });
  const same = await ask(shop, { jmespath: '[?price == $[0].price] | length(@)' });
  expect(same).toMatchObject({ content: [14] });
  const each = await askAll(shop, { jmespath: "[?state == 'sold'].price", limit: 5_000 });
  const whole = await askAll(shop, { jmespath: "[?state == 'sold'].price | [*]", limit: 5_000 });
  expect(each).toEqual(whole);
});

it('pages, their rows and a schema are measured in bytes', async () => {
  const units = [...Array<number>(100).fill(300), 20_000];
  const wide = await keepItems(units.map((count) => ({ t: '漢'.repeat(count) })));
  const named = await keepItems([{ a: { ['漢'.repeat(15_000)]: 1 } }]);
  const place = { offset: 91_002, limit: 60_008 };
  const cut = (how: object) => ({
    oversized_bytes: expect.any(Number),
    read_with: { arguments: { output_handle: wide, format: 'bytes', ...how } },
  });
  for (const question of [{ where: 't' }, { fields: ['t'] }, { jmespath: '[?t].t' }])
    expect((await askAll(wide, { ...question, limit: 200 })).at(-1)).toMatchObject(cut(place));
  const [longest] = (await ask(wide, { sort: '-t' })).content;
  expect(longest).toMatchObject({ ...cut(place), t: expect.stringMatching(/^漢{500,} ?…$/) });
  expect(await ask(wide, { jmespath: "join('', [].t)" })).toMatchObject({ content: [cut({})] });
  expect((await ask(wide, { sort: 't', limit: 200 })).returned).toBeLessThan(50);
  expect(await askAll(wide, { regex: '漢+', limit: 200 })).toHaveLength(101);

  expect(JSON.stringify(await ask(named, { schema: true }))).not.toContain('漢');
});

it('a schema describes an object of many members as a map, with the types of all', async () => {
  const member = (at: number): JsonValue => (at % 2 === 0 ? 1 : at > 99 ? '' : { a: 1, [at]: 1 });
  const members = Array.from({ length: 150 }, (_, at) => [`k${at}`, member(at)]);
  const many = await keepItems([Object.fromEntries(members)]);
  const values = { type: ['integer', 'object', 'string'], required: ['a'] };
  expect((await ask(many, { schema: true })).content).toMatchObject([{ additionalProperties: values }]);
});

it('diff tells items that are new and gone, however they are ordered and their members are', async () => {
  const before = await keepItems([{ a: 1, b: 2 }, { a: 2 }, { a: 2 }, { a: 3 }]);
  const now = await keepItems([{ a: 4 }, { b: 2, a: 1 }, { a: 2 }]);
  expect((await ask(before, { diff: now })).content).toEqual([
    { change: 'added', index: 0, item: { a: 4 } },
    { change: 'removed', index: 1, item: { a: 2 } },
    { change: 'removed', index: 3, item: { a: 3 } },
  ]);
});

// Each step has four times as many values as the one before.
const growing = `${'[@,@,@,@][].'.repeat(40)}[@][] | length(@)`;
const COSTLY = [
  'map(&map(&map(&sku, $), $), @) | length(@)',
  growing,
  'let $a = @ in [*].[$a[*].[$a[*].sku]] | length(@)',
  `${'to_string('.repeat(20)}@${')'.repeat(20)}`,
];
it.each(sample(COSTLY, 3))('expressions that would take too much %s', async (jmespath) => {
  await refused(shop, { jmespath }, 'jmespath: it takes too much work.');
  // The next item has its full allowance again.
  expect(await ask(shop, { jmespath: 'length(@)' })).toMatchObject({ content: [14_000] });
});

it('expressions that would take too much are refused for each item', async () => {
  const where = `${growing} > \`5\``;
  for (const question of [{ where }, { fields: [where] }, { sort: where }]) await refused(shop, question);
  const long = await ask(shop, { jmespath: '[*].pad_left(sku, `900000`)', limit: 3 });
  expect(JSON.stringify(long.content).length).toBeLessThan(PAGE_BYTES);
});

it('a question sees the members of an item alone', async () => {
  const odd = await keepItems([{ constructor: 1, length: 2 }, { a: 5 }, 'text', [1, 2]]);
  expect(await ask(odd, { where: 'toString' })).toMatchObject({ content: [] });
  expect(await ask(odd, { jmespath: '[*].constructor' })).toMatchObject({ content: [1] });
  expect(await ask(odd, { jmespath: '[*].length' })).toMatchObject({ content: [2] });
  const fields = ['x: constructor', 'y: __proto__', 'index: a'];
  expect((await ask(odd, { fields, limit: 2 })).content).toEqual([
    { index: 0, x: 1, y: null },
    { index: 5, x: null, y: null },
  ]);
  expect(await ask(odd, { sort: 'valueOf', limit: 1 })).toMatchObject({ total: 4 });
});

it.each<[Question, string]>([
  [{ jmespath: '[?' }, 'jmespath: '],
  [{ where: 'length(price) > `1`' }, 'where: '],
  [{ fields: ['a..b'] }, 'fields: '],
  [{}, 'A query has one of search'],
  ...['(', '(?=a)', 'a{2000}', '\\1'].map((regex): [Question, string] => [{ regex }, 'regex: ']),
  [{ search: 'a', regex: 'b' }, 'search cannot be used together with regex.'],
  [{ sort: 'price', offset: 9_990 }, 'offset: a sorted answer has at most 10000 rows.'],
])('bad questions %j: %s', async (question, message) => {
  await refused(shop, question, message);
});

it('bad questions end when they are cancelled', async () => {
  const reason = new Error('enough');
  const question = { output_handle: shop, search: 'a', offset: 0, limit: 1 };
  await expect(queries.query(question, AbortSignal.abort(reason))).rejects.toBe(reason);
});

it('bad questions are refused where the output is not of their kind, or a table ends within quotes', async () => {
  const [text, cut] = [await keepText('hello'), await keep(textPayload(MIME.json, '{"a":'))];
  for (const question of [{ where: 'a' }, { jmespath: 'a' }, { schema: true }])
    for (const handle of [text, cut]) await refused(handle, question, '', 'invalid_format_for_payload');
  const broken = await keep(textPayload(MIME.csv, 'a,b\n1,"2\n'));
  await refused(broken, { where: 'a' }, 'not a table', 'invalid_format_for_payload');
  await refused('oh_AAAAAAAAAAAA', { search: 'a' }, '', 'output_handle_not_found');
});
