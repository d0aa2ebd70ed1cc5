import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from '../../support/property.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LineFile } from '../../../server/machine/line-file.ts';
import { expectOwnerOnly } from '../../support/posix.ts';

let folder = '';
let made = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spillway-lines-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const newPath = (): string => join(folder, `${(made += 1)}.jsonl`);

async function append(path: string, texts: readonly string[]): Promise<void> {
  const file = await LineFile.open(path);
  try {
    for (const text of texts) await file.append(Buffer.from(text));
  } finally {
    await file.close();
  }
}

it('keeps every line whole that is appended after existing content', async () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => `${text.replaceAll('\n', '')}\n`);
  const lines = fc.array(line, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 40 }),
      fc.array(lines, { minLength: 1 }),
      async (old, all) => {
        const path = newPath();
        await writeFile(path, old);
        await append(
          path,
          all.map((each) => each.join('')),
        );
        const isTorn = old.length > 0 && old.at(-1) !== 0x0a;
        const expected = [Buffer.from(old), Buffer.from(`${isTorn ? '\n' : ''}${all.flat().join('')}`)];
        expect(await readFile(path)).toEqual(Buffer.concat(expected));
      },
    ),
    { numRuns: 60 },
  );
});

it('is made for its owner alone', async () => {
  const path = newPath();
  await append(path, ['{}\n']);
  await expectOwnerOnly(path);
  expect(await readFile(path, 'utf8')).toBe('{}\n');
});

it.runIf(process.platform === 'linux')('tells what the system refuses, and follows no link', async () => {
  const path = newPath();
  await symlink('/dev/full', path);
  await expect(append(path, ['{}\n'])).rejects.toMatchObject({ code: 'ELOOP' });
});
