import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { JsonValue } from '../../../shared/base/json.ts';
import { MIME } from '../../../shared/base/mime.ts';
import { createOutputSaves } from '../../../server/outputs/save.ts';
import { itemsPayload, textPayload } from '../../support/payloads.ts';
import { setUp } from './support.ts';
import { testFolder } from '../../support/test-folder.ts';

const { keep, store } = await setUp({ home: testFolder() });
const keepItems = (items: readonly JsonValue[]): Promise<string> => keep(itemsPayload(items));

let root: string;
beforeEach(async () => {
  root = join(testFolder(), 'root');
  await mkdir(join(root, 'sub'), { recursive: true });
});

const save = (handle: string, name: string, overwrite = false) =>
  createOutputSaves(store, root).save({ handle, name, overwrite }, new AbortController().signal);

it('writes records as a table that only this user can read, with the names of all', async () => {
  const handle = await keepItems([
    { name: 'Desk, "large"', price: -3.5 },
    { name: '=1+1', tags: ['a'] },
  ]);
  const text = `name,price,tags\r\n"Desk, ""large""",-3.5,\r\n'=1+1,,"[""a""]"\r\n`;
  const path = join(root, 'sub/desks.csv');
  expect(await save(handle, 'sub/desks.csv')).toEqual({ path, sizeBytes: text.length, records: 2 });
  expect(await readFile(path, 'utf8')).toBe(text);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await save(handle, join(root, 'desks.TSV'));
  expect(await readFile(join(root, 'desks.TSV'), 'utf8')).toContain(`'=1+1\t\t"[""a""]"\r\n`);
});

it('writes anything else as it is, of any size', async () => {
  const items = Array.from({ length: 30_000 }, (_, at) => ({ at, text: 'x'.repeat(90) }));
  await save(await keepItems(items), 'all.json');
  expect(JSON.parse(await readFile(join(root, 'all.json'), 'utf8'))).toEqual(items);
  expect(await save(await keepItems(items), 'all.csv')).toMatchObject({ records: 30_000 });
  await save(await keep(textPayload(MIME.csv, 'a;b\n')), 'own.csv');
  expect(await readFile(join(root, 'own.csv'), 'utf8')).toBe('a;b\n');
});

it('replaces a file only where that is asked for, and a link never', async () => {
  const handle = await keep(textPayload(MIME.text, 'new'));
  const secret = join(testFolder(), 'secret');
  await writeFile(secret, 'theirs');
  await writeFile(join(root, 'a.txt'), 'old');
  await symlink(secret, join(root, 'b.txt'));
  for (const name of ['a.txt', 'b.txt'])
    await expect(save(handle, name)).rejects.toMatchObject({
      code: 'save_refused',
      hint: expect.stringContaining('overwrite'),
    });
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('old');
  for (const name of ['a.txt', 'b.txt']) await save(handle, name, true);
  expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe('new');
  expect(await readFile(secret, 'utf8')).toBe('theirs');
});

it.each([
  ['the folder above', '../out.txt'],
  ['an absolute path elsewhere', '/etc/out.txt'],
  ['a way through a folder', 'sub/../../out.txt'],
  ['a link that leads out', 'away/out.txt'],
  ['a folder', 'sub/'],
  ['the root', '.'],
  ['a folder that is missing', 'none/out.txt'],
  ['a name with a zero byte', 'a\0.txt'],
])('refuses %s, and leaves nothing behind', async (_, name) => {
  await symlink(testFolder(), join(root, 'away'));
  const handle = await keep(textPayload(MIME.text, 'new'));
  await expect(save(handle, name)).rejects.toMatchObject({ code: 'save_refused' });
  expect((await readdir(root)).toSorted()).toEqual(['away', 'sub']);
});

it('refuses a table of what is not records, and leaves nothing behind', async () => {
  for (const handle of [await keepItems([{ a: 1 }, 2]), await keep(textPayload(MIME.json, '[{ "a": 1 }]'))])
    await expect(save(handle, 'a.csv')).rejects.toMatchObject({ code: 'invalid_format_for_payload' });
  expect(await readdir(root)).toEqual(['sub']);
});
