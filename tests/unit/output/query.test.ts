import { compile } from '@jmespath-community/jmespath';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { JsonValue } from '../../../shared/json.ts';
import { MIME } from '../../../shared/mime.ts';
import type { QueryRequest } from '../../../server/core/output-query.ts';
import { createOutputQueries } from '../../../server/output/query/index.ts';
import { rounds, sample } from '../../support/depth.ts';
import { itemsPayload, jsonPayload, textPayload } from '../../support/payloads.ts';
import fc from '../../support/property.ts';
import { FakeClock, setUp } from './support.ts';

const PAGE_BYTES = 32_768;
type Question = Omit<Partial<QueryRequest>, 'output_handle'>;

const home = await mkdtemp(join(tmpdir(), 'spillway-test-'));
afterAll(() => rm(home, { recursive: true, force: true }));
const { keep, store } = await setUp({ home });
const queries = createOutputQueries({ store, clock: new FakeClock(), pageBytes: PAGE_BYTES });
const { signal } = new AbortController();
const query = (handle: string, question: Question) =>
  queries.query({ output_handle: handle, offset: 0, limit: 50, ...question }, signal);
const ask = async (handle: string, question: Question) => (await query(handle, question)).page;
const keepItems = (items: readonly JsonValue[]): Promise<string> => keep(itemsPayload(items));
const keepText = (text: string): Promise<string> => keep(textPayload(MIME.text, text));

/** All rows of a question, page by page. */
async function askAll(handle: string, question: Question): Promise<readonly JsonValue[]> {
  const rows: JsonValue[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const page = await ask(handle, { ...question, offset });
    expect(page.next_offset === null).toBe(page.eof);
    expect(page.returned).toBe(page.content.length);
    rows.push(...page.content);
    offset = page.next_offset;
  }
  return rows;
}

/** One member of all rows. */
const column = async (handle: string, question: Question, name: string): Promise<readonly unknown[]> =>
  (await askAll(handle, question)).map((row): unknown => Object(row)[name]);

const refused = (handle: string, question: Question, message = '', code = 'invalid_argument') =>
  expect(ask(handle, question), JSON.stringify(question)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message) as string,
  });

// More than one chunk of the store.
const products = Array.from({ length: 14_000 }, (_, at) => ({
  sku: `SKU-${at}`,
  name: `Product "${at}" – Größe ${at % 7}`,
  price: (at * 7_919) % 1_000,
  state: at % 2 === 0 ? 'sold' : 'open',
}));
const shop = await keepItems(products);

describe('search', () => {
  it('finds a text of one item among many, with what is around it', async () => {
    expect(await ask(shop, { search: 'SKU-12345' })).toEqual({
      ...{ output_handle: shop, offset: 0, limit: 50, returned: 1, total: 14_000, next_offset: null },
      content: [{ index: 12_345, match: 'SKU-12345', context: expect.stringContaining('Product') as string }],
      eof: true,
    });
  });

  it('answers one match of an item, and goes from page to page', async () => {
    const found = products.flatMap(({ sku }, at) => (sku.includes('SKU-1234') ? [at] : []));
    expect(await column(shop, { search: 'SKU-1234', limit: 4 }, 'index')).toEqual(found);
  });

  it('finds what every simple search finds, at its byte, wherever parts of the text are cut', async () => {
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
});

describe('regex', () => {
  it.each(['(', '(?=a)', 'a{2000}', '\\1'])('refuses the expression %s and says why', async (regex) => {
    await refused(shop, { regex }, 'regex: ');
  });

  it('is linear in the length of the text', async () => {
    const handle = await keepText(`${'a'.repeat(300_000)}!`);
    expect(await ask(handle, { regex: '(o|pe)*n"' })).toMatchObject({ content: [], eof: true });
  });

  it.each([
    ['^a', [0, 15]],
    [String.raw`\bbar|foo`, [4, 11]],
    ['a$', [2]],
    [String.raw`^\w+$`, [0, 15]],
  ])('has the anchors of %s at ends of lines and words, wherever a page ends', async (regex, expected) => {
    const handle = await keepText('aaa\nfoobar foo\nabc\n');
    for (const limit of [1, 50]) expect(await column(handle, { regex, limit }, 'offset')).toEqual(expected);
    // A page that begins within a line does not begin a line.
    const inside = await ask(handle, { regex: '^.', offset: 1, limit: 1 });
    expect(inside).toMatchObject({ content: [{ offset: 4 }] });
  });

  it('finds an expression in a line that is longer than what is read together', async () => {
    const places = [10, 1_032_180, 1_032_190, 1_048_570, 2_080_760, 2_999_990];
    const bytes = Buffer.alloc(3_000_000, '.');
    for (const at of places) bytes.write('SKU-01234', at);
    const handle = await keepText(bytes.toString());
    const rows = await askAll(handle, { regex: String.raw`SKU-\d+`, limit: 2 });
    expect(rows).toMatchObject(places.map((offset) => ({ offset, match: 'SKU-01234' })));
    expect(await column(handle, { regex: '^.|[.]$' }, 'offset')).toEqual([0, 2_999_999]);
  });

  const items = [7, { name: 'a', tags: ['x', 'y'] }, { name: 'b', text: 'one,' }, 'text,', {}];
  it.each<[string, number[]]>([
    ['^7$', [0]],
    [String.raw`\}$`, [1, 2, 4]],
    ['^"', [3]],
    [',"?$', [3]],
    [String.raw`\]\}?$`, [1]],
    ['^[^[]', [0, 1, 2, 3, 4]],
    // Nothing of another item is taken for a part of one, as . * would with the flag s and [^…] without.
    ['"a"[^b]*"b"', []],
    ['(?s)"a".*"b"', []],
    [String.raw`(?s)\{.*\}`, [1, 2, 4]],
  ])('%s sees one item, without what separates it', async (regex, expected) => {
    const handle = await keepItems(items);
    for (const limit of [1, 50]) expect(await column(handle, { regex, limit }, 'index')).toEqual(expected);
  });

  it('shows around a match nothing that is of another item', async () => {
    const handle = await keepItems(items);
    for (const question of [{ search: '"b"' }, { regex: '"b"' }])
      expect((await ask(handle, question)).content).toEqual([
        { index: 2, match: '"b"', context: JSON.stringify(items[2]) },
      ]);
  });
});

describe('select, where and sort', () => {
  it('answers fields of items for which a condition holds', async () => {
    const question = { where: "state == 'sold' && price > `990`", select: ['sku', 'cost: price'] };
    const expected = products.flatMap(({ sku, price, state }, index) =>
      state === 'sold' && price > 990 ? [{ index, sku, cost: price }] : [],
    );
    expect((await ask(shop, { ...question, limit: 2 })).content).toEqual(expected.slice(0, 2));
    expect(await askAll(shop, question)).toEqual(expected);
  });

  it.each([
    ['price', 1],
    ['-price', -1],
  ])('sorts by %s, and pages through what is sorted', async (sort, sign) => {
    const first = await ask(shop, { sort, select: ['price'], limit: 30 });
    const second = await ask(shop, { sort, select: ['price'], limit: 30, offset: first.next_offset ?? 0 });
    const expected = products
      .map(({ price }, index) => ({ index, price }))
      .sort((a, b) => (a.price - b.price) * sign || a.index - b.index);
    expect([...first.content, ...second.content]).toEqual(expected.slice(0, 60));
    expect(first.total).toBe(14_000);
  });

  it.each([
    ['v', [-1, 2, 10, '10', 'a', true, null, null]],
    ['-v', [true, 'a', '10', 10, 2, -1, null, null]],
  ])('by %s has what has no value last', async (sort, expected) => {
    const mixed = await keepItems([{}, ...[null, 'a', 10, true, '10', -1, 2].map((v) => ({ v }))]);
    expect(await column(mixed, { sort, select: ['v'], limit: 3 }, 'v')).toEqual(expected);
  });

  it('leaves no page without a row, however large a row is', async () => {
    const texts = ['x'.repeat(100_000), 'y'.repeat(3_000_000), 'z'];
    const large = await keepItems(texts.map((text) => ({ text })));
    const rows = await askAll(large, { where: 'text' });
    expect(rows).toEqual([
      { too_large_bytes: 100_011, begins: expect.stringMatching(/^\{"text":"x{300,}/) },
      { too_large_bytes: 3_000_011, begins: expect.any(String) },
      { text: 'z' },
    ]);
    expect(await askAll(large, { where: 'text', sort: '-text' })).toEqual(rows.toReversed());
    expect((await query(large, { where: 'text', limit: 1 })).notes.join()).toContain('too_large_bytes');
  });
});

describe('jmespath', () => {
  it('asks each item where it can, the whole list where it has to, and answers the same both ways', async () => {
    expect(await ask(shop, { jmespath: '[?price > `998`].sku', limit: 3 })).toMatchObject({ total: 14_000 });
    expect(await ask(shop, { jmespath: 'length(@)' })).toMatchObject({ content: [14_000], total: 1 });
    const joined = await ask(shop, { jmespath: '[?price == $[0].price] | length(@)' });
    expect(joined).toMatchObject({ content: [14] });
    const each = await askAll(shop, { jmespath: "[?state == 'sold'].price", limit: 5_000 });
    const whole = await askAll(shop, { jmespath: "[?state == 'sold'].price | [*]", limit: 5_000 });
    expect(each).toEqual(whole);
  });

  it('asks JSON other than a list', async () => {
    const handle = await keep(jsonPayload({ a: { b: [1, 2, 3] } }));
    expect((await ask(handle, { jmespath: 'a.b[1:]' })).content).toEqual([2, 3]);
  });
});

describe('diff', () => {
  it('tells items that are new and gone, however they are ordered and their members are', async () => {
    const before = await keepItems([{ a: 1, b: 2 }, { a: 2 }, { a: 2 }, { a: 3 }]);
    const now = await keepItems([{ a: 4 }, { b: 2, a: 1 }, { a: 2 }]);
    expect((await ask(before, { diff: now })).content).toEqual([
      { change: 'added', index: 0, item: { a: 4 } },
      { change: 'removed', index: 1, item: { a: 2 } },
      { change: 'removed', index: 3, item: { a: 3 } },
    ]);
  });

  it('tells lines of texts', async () => {
    const before = await keepText('one\ntwo\nthree\n');
    const now = await keepText('one\n2\nthree\nfour');
    expect((await ask(before, { diff: now })).content).toEqual([
      { change: 'removed', line: 2, text: 'two' },
      { change: 'added', line: 2, text: '2' },
      { change: 'added', line: 4, text: 'four' },
    ]);
    await refused(before, { diff: shop });
  });
});

describe('schema and stats', () => {
  it('infers what items have in common', async () => {
    const properties = {
      sku: { type: 'string' },
      name: { type: 'string' },
      price: { type: 'integer' },
      state: { type: 'string', enum: ['sold', 'open'] },
    };
    expect((await ask(shop, { schema: true })).content).toEqual([
      { type: 'object', properties, required: Object.keys(properties) },
    ]);
    const mixed = await keepItems([{ a: 1, b: [{ c: null }] }, { a: 'x' }, { a: 1.5, b: [] }]);
    const list = { type: 'array', items: { properties: { c: { type: 'null' } } } };
    expect((await ask(mixed, { schema: true })).content).toMatchObject([
      { properties: { a: { type: ['string', 'number'] }, b: list }, required: ['a'] },
    ]);
  });

  it('leaves out the depth that a page has no room for', async () => {
    const nest = (levels: number): JsonValue =>
      levels === 0
        ? 1
        : Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`member${at}`, nest(levels - 1)]));
    const { page, notes } = await query(await keepItems([nest(3)]), { schema: true });
    expect(JSON.stringify(page.content).length).toBeLessThan(PAGE_BYTES);
    expect(page.content).toMatchObject([{ properties: { member7: { type: 'object' } } }]);
    expect(notes.join()).toContain('is left out');
  });

  it('counts the values of each field', async () => {
    const present = 14_000;
    const top = ['sold', 'open'].map((value) => ({ value, count: 7_000 }));
    const prices = expect.arrayContaining([{ value: '0', count: 14 }]) as unknown[];
    expect((await ask(shop, { stats: true })).content).toEqual([
      { field: 'sku', present, shortest: 5, longest: 9, distinct: 'more than 1000' },
      expect.anything(),
      { field: 'price', present, min: 0, max: 999, mean: 499.5, distinct: 1_000, top: prices },
      { field: 'state', present, shortest: 4, longest: 4, distinct: 2, top },
    ]);
  });
});

describe('expressions that would take too much', () => {
  // Each step has four times the values of the one before.
  const growing = `${'[@,@,@,@][].'.repeat(40)}[@][] | length(@)`;
  const COSTLY = [
    'map(&map(&map(&sku, $), $), @) | length(@)',
    growing,
    'let $a = @ in [*].[$a[*].[$a[*].sku]] | length(@)',
    `${'to_string('.repeat(20)}@${')'.repeat(20)}`,
  ];
  it.each(sample(COSTLY, 3))('%s', async (jmespath) => {
    await refused(shop, { jmespath }, 'jmespath: it takes too much work.');
    // The next one has all of it again.
    expect(await ask(shop, { jmespath: 'length(@)' })).toMatchObject({ content: [14_000] });
  });

  it('are refused for each item', async () => {
    const where = `${growing} > \`5\``;
    for (const question of [{ where }, { select: [where] }, { sort: where }]) await refused(shop, question);
    const long = await ask(shop, { jmespath: '[*].pad_left(sku, `900000`)', limit: 3 });
    expect(JSON.stringify(long.content).length).toBeLessThan(PAGE_BYTES);
  });

  it('are counted each by itself, also where the module is there twice', async () => {
    const load = () => import('../../../server/output/query/metered.ts');
    const first = await load();
    vi.resetModules();
    const second = await load();
    expect(second).not.toBe(first);
    const node = compile('a.b');
    const value = { a: { b: 1 } };
    for (let time = 0; time < 10; time += 1)
      for (const { evaluate } of [first, second]) expect(evaluate(node, value, 5)).toBe(1);
    expect(() => second.evaluate(node, value, 1)).toThrow('it takes too much work.');
  });
});

it('a question sees the members of an item alone', async () => {
  const odd = await keepItems([{ constructor: 1, length: 2 }, { a: 1 }, 'text', [1, 2]]);
  expect(await ask(odd, { where: 'toString' })).toMatchObject({ content: [] });
  expect(await ask(odd, { jmespath: '[*].constructor' })).toMatchObject({ content: [1] });
  expect(await ask(odd, { jmespath: '[*].length' })).toMatchObject({ content: [2] });
  expect(await ask(odd, { select: ['x: constructor', 'y: __proto__'], limit: 2 })).toMatchObject({
    content: [
      { index: 0, x: 1, y: null },
      { index: 1, x: null, y: null },
    ],
  });
  expect(await ask(odd, { sort: 'valueOf', limit: 1 })).toMatchObject({ total: 4 });
});

describe('bad questions', () => {
  it.each<[Question, string]>([
    [{ jmespath: '[?' }, 'jmespath: '],
    [{ where: 'length(price) > `1`' }, 'where: '],
    [{ select: ['a..b'] }, 'select: '],
    [{ sort: '-' }, 'sort: '],
    [{}, 'A query has one of search'],
    [{ search: 'a', regex: 'b' }, 'search cannot be used together with regex.'],
    [{ where: 'a', stats: true }, 'stats cannot be used together with select, where and sort.'],
    [{ sort: 'price', offset: 9_990 }, 'offset: a sorted answer has at most 10000 rows.'],
  ])('%j: %s', async (question, message) => {
    await refused(shop, question, message);
  });

  it('are refused where the output is not of their kind', async () => {
    const text = await keepText('hello');
    for (const question of [{ where: 'a' }, { jmespath: 'a' }, { schema: true }])
      await refused(text, question, '', 'invalid_format_for_payload');
    await refused('oh_AAAAAAAAAAAA', { search: 'a' }, '', 'output_handle_not_found');
  });

  it('end when they are cancelled', async () => {
    const reason = new Error('enough');
    await expect(
      queries.query({ output_handle: shop, search: 'a', offset: 0, limit: 1 }, AbortSignal.abort(reason)),
    ).rejects.toBe(reason);
  });
});
