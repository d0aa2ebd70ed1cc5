import { expect, it } from 'vitest';
import { MIME } from '../../../shared/base/mime.ts';
import type { ReadFormat } from '../../../shared/read/read_page.methods.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { PageSearch } from '../../../server/read/page-search.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function find(query: string, page: string, format: ReadFormat = 'markdown'): Promise<[string, string]> {
  const search = new PageSearch(query, format);
  const { payload } = await createRedactor({ enabled: true }).payload({
    kind: 'text',
    mimeType: MIME.markdown,
    chunks: inPieces(page, 7),
  });
  const picked = search.pick(payload);
  let text = '';
  if (picked.kind === 'text') for await (const chunk of picked.chunks) text += chunk;
  return [text, search.summarise()];
}

const rows = Array.from({ length: 2_000 }, (_, at) => `| ${at + 1} | Item ${at + 1} | ${at}.50 EUR |`);
const table = [
  '# Stock',
  '',
  'All prices with tax.',
  '',
  '| No | Name | Price |',
  '| --- | --- | --- |',
  ...rows,
  '',
  'End.',
].join('\n');

it('shows a row with its heading, the head of its table and its neighbours', async () => {
  const [text, summary] = await find('item 1377 ', table);
  expect(text.split('\n')).toEqual([
    '# Stock',
    '…',
    '| No | Name | Price |',
    '| --- | --- | --- |',
    '…',
    '| 1375 | Item 1375 | 1374.50 EUR |',
    '| 1376 | Item 1376 | 1375.50 EUR |',
    '| 1377 | Item 1377 | 1376.50 EUR |',
    '| 1378 | Item 1378 | 1377.50 EUR |',
    '| 1379 | Item 1379 | 1378.50 EUR |',
    '…',
    '',
  ]);
  expect(summary).toBe('find: 1 of 2005 lines contains "item 1377 ".');
});

it('shows each line once, and joins matches that are near each other', async () => {
  const page = ['# A', 'one', 'hit', 'two', 'hit', 'three', 'four', 'five', 'six', '## B', 'hit'].join(
    '\n\n',
  );
  const [text] = await find('hit', page);
  expect(text.split('\n')).toEqual([
    ...['# A', 'one', 'hit', 'two', 'hit', 'three', 'four', '…', 'six', '## B', 'hit', ''],
  ]);
});

it.each([
  // What the person sees, and what the line has.
  [String.raw`\d`, String.raw`matches \d+`, 'a dull day'],
  ['a.b*c', String.raw`a.b\*c`, 'a.bc'],
  ['2 * 3', '2 * 3 = 6', '2 3'],
  ['id_x of', 'the **id_x** of', 'idx of'],
  ['H2O', 'of H_2O', 'H 2 O'],
  ['(x) [y]', String.raw`of (x) \[y]`, '(x) y'],
  ['**Total** 5', 'the **Total** 5', 'Totally 5'],
])('finds %j where it is, and in no line that has its letters alone', async (wanted, line, other) => {
  expect((await find(wanted, `# Head\n\n${other}\n${line}\n`))[1]).toContain('find: 1 of 3 lines');
});

it('cuts a long line around its match', async () => {
  const [text] = await find('needle', `${'a '.repeat(5_000)}needle${' b'.repeat(5_000)}`);
  expect(text).toMatch(/^…(a )+needle( b)+…\n$/);
  expect(text.length).toBeLessThan(600);
});

it('searches redacted text: a line of a key alone would not show that it is one', async () => {
  const key = [
    '-----BEGIN PRIVATE KEY-----',
    ...Array(20).fill('MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'),
    '-----END PRIVATE KEY-----',
  ];
  const [text] = await find('MIIEvQIBADAN', ['before', ...key, 'after'].join('\n'));
  expect(text).toBe('');
});

it('keeps whole items', async () => {
  const search = new PageSearch('b2', 'nodes');
  const items = [{ name: 'a1' }, { name: 'x', child: ['B2'] }, 'b2', 3, null];
  const source = (async function* () {
    yield* items;
  })();
  const { payload } = await createRedactor({ enabled: false }).payload({
    kind: 'items',
    mimeType: MIME.json,
    items: source,
  });
  const picked = search.pick(payload);
  const kept: unknown[] = [];
  if (picked.kind === 'items') for await (const item of picked.items) kept.push(item);
  expect(kept).toEqual([items[1], 'b2']);
  expect(search.summarise()).toBe('find: 2 of 5 items contain "b2".');
});
