import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { PAGE_BYTES, setUpQueries } from './query-support.ts';

const { home, queries, ask, askAll, keepItems, keepJson, keepText } = await setUpQueries();
afterAll(() => rm(home, { recursive: true, force: true }));
const { signal } = new AbortController();

const products = Array.from({ length: 18_000 }, (_, at) => ({
  sku: `SKU-${at}`,
  name: `Product "${at}" – Größe ${at % 7}`,
  price: (at * 7_919) % 1_000,
  state: at % 3 === 0 ? 'sold' : 'open',
}));
const shop = await keepItems(products);

describe('search', () => {
  it('finds a text of one item among many, with what is around it', async () => {
    expect(await ask(shop, { search: 'SKU-12345' })).toEqual({
      output_handle: shop,
      offset: 0,
      limit: 50,
      returned: 1,
      total: 18_000,
      next_offset: null,
      content: [{ index: 12_345, match: 'SKU-12345', context: expect.stringContaining('Product') as string }],
      eof: true,
    });
  });

  it('answers one match of an item, and goes from page to page', async () => {
    const rows = await askAll(shop, { search: 'SKU-1234', limit: 4 });
    const found = products.flatMap(({ sku }, at) => (sku.includes('SKU-1234') ? [at] : []));
    expect(rows.map((row) => (row as { index: number }).index)).toEqual(found);
  });

  it('names the byte of a text that oc_output_fetch takes', async () => {
    const handle = await keepText('äöü needle\n', 'x'.repeat(3_000_000), ' needle ü');
    expect(await ask(handle, { search: 'needle' })).toMatchObject({
      content: [{ offset: 7 }, { offset: 3_000_000 + 15 }],
      total: 3_000_024,
    });
  });

  it('finds what every simple search finds, wherever parts of the text are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 1_190_000 }), { minLength: 1, maxLength: 12 }),
        fc.nat({ max: 2 }),
        async (places, way) => {
          const needle = 'nädel';
          const bytes = Buffer.alloc(1_200_000, 'abc\n');
          for (const at of places) bytes.write(needle, at - (at % 4));
          const text = bytes.toString();
          const handle = await keepText(text);
          const question = [{ search: needle }, { regex: 'n.del' }, { regex: '(?i)N[äx]DEL' }][way] ?? {};
          const rows = await askAll(handle, { ...question, limit: 3 });
          const expected: number[] = [];
          const stored = Buffer.from(text);
          for (let at = stored.indexOf(needle); at >= 0; at = stored.indexOf(needle, at + 1))
            expected.push(at);
          expect(rows.map((row) => (row as { offset: number }).offset)).toEqual(expected);
        },
      ),
      { numRuns: rounds(12, 6) },
    );
  });

  it.each([['('], ['(?=a)'], ['a{2000}'], ['\\1']])(
    'refuses the expression %s and says why',
    async (regex) => {
      await expect(ask(shop, { regex })).rejects.toMatchObject({
        code: 'invalid_argument',
        message: expect.stringMatching(/^regex: /) as string,
      });
    },
  );

  it('is linear in the length of the text', async () => {
    const handle = await keepText('a'.repeat(300_000), '!');
    expect(await ask(handle, { regex: '(o|pe)*n"' })).toMatchObject({ content: [], eof: true });
  });
});

describe('select, where and sort', () => {
  it('answers fields of items for which a condition holds', async () => {
    const page = await ask(shop, {
      where: "state == 'sold' && price > `990`",
      select: ['sku', 'cost: price'],
      limit: 2,
    });
    const expected = products.flatMap(({ sku, price, state }, index) =>
      state === 'sold' && price > 990 ? [{ index, sku, cost: price }] : [],
    );
    expect(page.content).toEqual(expected.slice(0, 2));
    expect(
      await askAll(shop, { where: "state == 'sold' && price > `990`", select: ['sku', 'cost: price'] }),
    ).toEqual(expected);
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
    expect(first.total).toBe(18_000);
  });

  it('leaves no page without a row, however large a row is', async () => {
    const large = await keepItems([
      { text: 'x'.repeat(100_000) },
      { text: 'y'.repeat(3_000_000) },
      { text: 'z' },
    ]);
    const rows = await askAll(large, { where: 'text' });
    expect(rows).toEqual([
      { too_large_bytes: 100_011, begins: expect.stringMatching(/^\{"text":"x{300,}/) },
      { too_large_bytes: 3_000_011, begins: expect.any(String) },
      { text: 'z' },
    ]);
    expect(await askAll(large, { where: 'text', sort: '-text' })).toEqual(rows.toReversed());
    const { notes } = await queries.query(
      { output_handle: large, where: 'text', offset: 0, limit: 1 },
      signal,
    );
    expect(notes.join()).toContain('too_large_bytes');
  });
});

describe('jmespath', () => {
  it('asks each item where it can, and the whole list where it has to', async () => {
    expect(await ask(shop, { jmespath: '[?price > `998`].sku', limit: 3 })).toMatchObject({ total: 18_000 });
    expect(await ask(shop, { jmespath: 'length(@)' })).toMatchObject({ content: [18_000], total: 1 });
    expect(await ask(shop, { jmespath: '[?price == $[0].price] | length(@)' })).toMatchObject({
      content: [18],
    });
  });

  it('answers the same both ways', async () => {
    const each = await askAll(shop, { jmespath: "[?state == 'sold'].price", limit: 5_000 });
    const whole = await askAll(shop, { jmespath: "[?state == 'sold'].price | [*]", limit: 5_000 });
    expect(each).toEqual(whole);
  });

  it('asks JSON other than a list', async () => {
    const handle = await keepJson({ a: { b: [1, 2, 3] } });
    expect((await ask(handle, { jmespath: 'a.b[1:]' })).content).toEqual([2, 3]);
  });

  it.each([
    [{ jmespath: '[?' }, 'jmespath: '],
    [{ where: 'length(price) > `1`' }, 'where: '],
    [{ select: ['a..b'] }, 'select: '],
    [{ sort: '-' }, 'sort: '],
  ])('refuses %j and names the field', async (question, begin) => {
    await expect(ask(shop, question)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(begin) as string,
    });
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
    await expect(ask(before, { diff: shop })).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

describe('schema and stats', () => {
  it('infers what items have in common', async () => {
    expect((await ask(shop, { schema: true })).content).toEqual([
      {
        type: 'object',
        properties: {
          sku: { type: 'string' },
          name: { type: 'string' },
          price: { type: 'integer' },
          state: { type: 'string', enum: ['sold', 'open'] },
        },
        required: ['sku', 'name', 'price', 'state'],
      },
    ]);
    const mixed = await keepItems([{ a: 1, b: [{ c: null }] }, { a: 'x' }, { a: 1.5, b: [] }]);
    const list = { type: 'array', items: { properties: { c: { type: 'null' } } } };
    expect((await ask(mixed, { schema: true })).content).toMatchObject([
      { properties: { a: { type: ['string', 'number'] }, b: list }, required: ['a'] },
    ]);
  });

  it('counts the values of each field', async () => {
    expect((await ask(shop, { stats: true })).content).toEqual([
      { field: 'sku', present: 18_000, shortest: 5, longest: 9, distinct: 'more than 1000' },
      expect.anything(),
      {
        field: 'price',
        present: 18_000,
        min: 0,
        max: 999,
        mean: 499.5,
        distinct: 1_000,
        top: expect.arrayContaining([{ value: '0', count: 18 }]) as unknown[],
      },
      {
        field: 'state',
        present: 18_000,
        shortest: 4,
        longest: 4,
        distinct: 2,
        top: [
          { value: 'open', count: 12_000 },
          { value: 'sold', count: 6_000 },
        ],
      },
    ]);
  });
});

describe('expressions that would take too much', () => {
  it.each([
    // Each step has four times the values of the one before.
    `${'[@,@,@,@][].'.repeat(40)}[@][] | length(@)`,
    'map(&map(&map(&sku, $), $), @) | length(@)',
    'let $a = @ in [*].[$a[*].[$a[*].sku]] | length(@)',
    `${'to_string('.repeat(20)}@${')'.repeat(20)}`,
  ])('%s', async (jmespath) => {
    await expect(ask(shop, { jmespath })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: 'jmespath: it takes too much work.',
    });
    // The next one has all of it again.
    expect(await ask(shop, { jmespath: 'length(@)' })).toMatchObject({ content: [18_000] });
  });

  it('are refused for each item', async () => {
    const where = `${'[@,@,@,@][].'.repeat(40)}[@][] | length(@) > \`5\``;
    for (const question of [{ where }, { select: [where] }, { sort: where }])
      await expect(ask(shop, question)).rejects.toMatchObject({ code: 'invalid_argument' });
    const long = await ask(shop, { jmespath: '[*].pad_left(sku, `900000`)', limit: 3 });
    expect(JSON.stringify(long.content).length).toBeLessThan(PAGE_BYTES);
  });

  it('see the members of an item alone', async () => {
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
});

describe('bad questions', () => {
  it.each([
    [{}, 'A query has one of search'],
    [{ search: 'a', regex: 'b' }, 'search cannot be used together with regex.'],
    [{ where: 'a', stats: true }, 'stats cannot be used together with select, where and sort.'],
    [{ sort: 'price', offset: 9_990 }, 'offset: a sorted answer has at most 10000 rows.'],
  ])('%j: %s', async (question, message) => {
    await expect(ask(shop, question)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(message) as string,
    });
  });

  it('are refused where the output is not of their kind', async () => {
    const text = await keepText('hello');
    for (const question of [{ where: 'a' }, { jmespath: 'a' }, { schema: true }])
      await expect(ask(text, question)).rejects.toMatchObject({ code: 'invalid_format_for_payload' });
    await expect(ask('oh_AAAAAAAAAAAA', { search: 'a' })).rejects.toMatchObject({
      code: 'output_handle_not_found',
    });
  });

  it('end when they are cancelled', async () => {
    const reason = new Error('enough');
    const ended = AbortSignal.abort(reason);
    await expect(
      queries.query({ output_handle: shop, search: 'a', offset: 0, limit: 1 }, ended),
    ).rejects.toBe(reason);
  });
});
