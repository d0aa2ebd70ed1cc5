import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { ofChanged, unlessPassed } from '../../../scripts/lib/checks/passed.mjs';
import { Tree } from '../../../scripts/lib/checks/tree.mjs';
import { testFolder } from '../../support/test-folder.ts';

const FILES = {
  'server/mill.ts': "import { grain } from '../shared/grain.ts';\nexport const mill = grain;\n",
  'server/miller.ts': "import {\n  // It's what turns.\n  mill,\n} from './mill.ts';\nexport { mill };\n",
  'server/late.ts': "export const late = () => import('./mill.ts');\n",
  'server/typed.ts': "export type Mill = typeof import(\n  './mill.ts'\n);\n",
  'server/again.ts': "export * from './late.ts';\n",
  'shared/grain.ts': "export const grain = './alone.ts';\n",
  'shared/alone.ts': "import 'zod';\n",
  'ignored/mill.ts': '',
  '.gitignore': 'ignored\n',
};

const root = testFolder();
beforeAll(() => {
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});

test('what imports a changed file is found, however the import is written', () => {
  const tree = new Tree(root);
  const dependents = ['again', 'late', 'mill', 'miller', 'typed'].map((name) => `server/${name}.ts`);
  expect(tree.withImporters(['shared/grain.ts']).sort()).toEqual([...dependents, 'shared/grain.ts']);
  expect(tree.withImporters(['shared/alone.ts'])).toEqual(['shared/alone.ts']);
  expect(tree.withImported(['server/miller.ts']).sort()).toEqual([
    'server/mill.ts',
    'server/miller.ts',
    'shared/grain.ts',
  ]);
  expect(tree.paths()).not.toContain('ignored/mill.ts');
  expect(tree.importsOf('server/miller.ts').join()).toContain("mill,\n} from './mill.ts'");
});

test('a check runs again when its key changes, and after a failure', async () => {
  const store = join(root, '.cache');
  const work = vi.fn(async () => {});
  await unlessPassed('mill', 'one', work, store);
  expect(await unlessPassed('mill', 'one', work, store)).toBe('unchanged');
  expect(work).toHaveBeenCalledTimes(1);
  work.mockRejectedValueOnce(new Error('broken'));
  await expect(unlessPassed('mill', 'two', work, store)).rejects.toThrow('broken');
  await unlessPassed('mill', 'two', work, store);
  expect(work).toHaveBeenCalledTimes(3);
});

test('a check of files looks at all, then at those that changed, came or went', async () => {
  const store = join(root, '.cache');
  const seen: (readonly string[] | null)[] = [];
  const look = (config: string, hashes: Record<string, string>, fails = false): Promise<string> =>
    ofChanged(
      'files',
      config,
      hashes,
      async (changed: string[] | null) => {
        seen.push(changed?.sort() ?? null);
        if (fails) throw new Error('broken');
      },
      store,
    );
  await look('c', { a: '1', b: '1', c: '1' });
  await expect(look('c', { a: '2', b: '1', d: '1' }, true)).rejects.toThrow('broken');
  await look('c', { a: '2', b: '1', d: '1' });
  expect(await look('c', { a: '2', b: '1', d: '1' })).toBe('unchanged');
  await look('other', { a: '2', b: '1', d: '1' });
  expect(seen).toEqual([null, ['a', 'c', 'd'], ['a', 'c', 'd'], null]);
});
