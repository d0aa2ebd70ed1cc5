import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../shared/json.ts';
import { PAGE_BYTES, setUpQueries } from './query-support.ts';

const { home, ask, askAll, notesOf, keepItems, keepText } = await setUpQueries();
afterAll(() => rm(home, { recursive: true, force: true }));

describe('regex', () => {
  it.each([
    ['^a', [0, 15]],
    [String.raw`\bbar|foo`, [4, 11]],
    ['a$', [2]],
    [String.raw`^\w+$`, [0, 15]],
  ])('has the anchors of %s at ends of lines and words, wherever a page ends', async (regex, expected) => {
    const handle = await keepText('aaa\nfoobar foo\nabc\n');
    for (const limit of [1, 50]) {
      const rows = await askAll(handle, { regex, limit });
      expect(rows.map((row) => Number(Object(row)['offset']))).toEqual(expected);
    }
    // A page that begins within a line does not begin a line.
    expect(await ask(handle, { regex: '^.', offset: 1, limit: 1 })).toMatchObject({
      content: [{ offset: 4 }],
    });
  });

  it('finds an expression in a line that is longer than what is read together', async () => {
    const places = [10, 1_032_180, 1_032_190, 1_048_570, 2_080_760, 2_999_990];
    const bytes = Buffer.alloc(3_000_000, '.');
    for (const at of places) bytes.write('SKU-01234', at);
    const handle = await keepText(bytes.toString());
    const rows = await askAll(handle, { regex: String.raw`SKU-\d+`, limit: 2 });
    expect(rows).toMatchObject(places.map((offset) => ({ offset, match: 'SKU-01234' })));
    expect(await askAll(handle, { regex: '^.|[.]$' })).toMatchObject([{ offset: 0 }, { offset: 2_999_999 }]);
  });
});

describe('search and regex in items', () => {
  const items: readonly JsonValue[] = [
    7,
    { name: 'a', tags: ['x', 'y'] },
    { name: 'b', text: 'one,' },
    'text,',
    {},
  ];

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
    for (const limit of [1, 50]) {
      const rows = await askAll(handle, { regex, limit });
      expect(rows.map((row) => Number(Object(row)['index']))).toEqual(expected);
    }
  });

  it('shows around a match nothing that is of another item', async () => {
    const handle = await keepItems(items);
    for (const question of [{ search: '"b"' }, { regex: '"b"' }])
      expect((await ask(handle, question)).content).toEqual([
        { index: 2, match: '"b"', context: JSON.stringify(items[2]) },
      ]);
  });
});

describe('sort', () => {
  it.each([
    ['v', [-1, 2, 10, '10', 'a', true, null, null]],
    ['-v', [true, 'a', '10', 10, 2, -1, null, null]],
  ])('by %s has what has no value last', async (sort, expected) => {
    const mixed = await keepItems([{}, ...[null, 'a', 10, true, '10', -1, 2].map((v) => ({ v }))]);
    const rows = await askAll(mixed, { sort, select: ['v'], limit: 3 });
    expect(rows.map((row) => Object(row)['v'] as JsonValue)).toEqual(expected);
  });
});

describe('schema and stats of what is large', () => {
  it('leaves out the depth that a page has no room for', async () => {
    const nest = (levels: number): JsonValue =>
      levels === 0
        ? 1
        : Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`member${at}`, nest(levels - 1)]));
    const deep = await keepItems([nest(3)]);
    const { content } = await ask(deep, { schema: true });
    expect(JSON.stringify(content).length).toBeLessThan(PAGE_BYTES);
    expect(content).toMatchObject([{ properties: { member7: { type: 'object' } } }]);
    expect(await notesOf(deep, { schema: true })).toContain('is left out');
  });
});
