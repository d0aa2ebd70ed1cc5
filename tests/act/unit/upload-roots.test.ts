import { once } from 'node:events';
import { createServer } from 'node:net';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createScratch } from '../../../server/core/machine/private-folder.ts';
import { createUploads } from '../../../server/act/uploads.ts';
import { silentLogger as logger } from '../../support/app-options.ts';
import { codeIn } from '../../support/code-of.ts';
import { PATIENCE } from '../../support/patience.ts';
import { testFolder } from '../../support/test-folder.ts';

let folder: string;
let root: string;
let outside: string;
let client: AbortController;
const at = (...parts: string[]): string => join(folder, ...parts);

beforeEach(() => {
  folder = testFolder();
  root = at('root');
  outside = at('outside');
  for (const path of [root, outside, at('root-2')]) mkdirSync(path);
  writeFileSync(join(root, 'cv.pdf'), 'cv');
  writeFileSync(join(root, 'two words é.txt'), 'words');
  writeFileSync(join(outside, 'secret.txt'), 'secret');
  writeFileSync(at('root-2', 'near.txt'), 'near');
  client = new AbortController();
});
afterEach(() => client.abort());

const uploads = (...roots: string[]) =>
  createUploads(roots, createScratch({ home: at('home'), logger }), logger);
const session = () => ({ id: 's1', signal: client.signal });

async function whyNot(path: string, roots: readonly string[] = [root]): Promise<string> {
  const staging = uploads(...roots).stage([path], session());
  const thrown: unknown = await staging.catch((error: unknown) => error);
  expect(codeIn(thrown), path).toBe('upload_refused');
  return (thrown as Error).message;
}

const NOT_BELOW = 'it is not below a folder of --upload-root';

it('files below a root are copied, with their names, for the owner alone', async () => {
  const paths = [join(root, 'cv.pdf'), join(root, 'two words é.txt'), join(root, 'cv.pdf')];
  const staged = await uploads(root).stage(paths, session());
  const cv = { source: paths[0], name: 'cv.pdf', size: 2, mime: 'application/pdf' };
  const words = { source: paths[1], name: 'two words é.txt', size: 5, mime: 'text/plain' };
  expect(staged).toMatchObject([cv, words, cv]);
  for (const { path } of staged) {
    expect(relative(at('home'), path)).not.toMatch(/^\.\./);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  }
  expect(readFileSync(staged[1]?.path ?? '', 'utf8')).toBe('words');
  expect(new Set(staged.map(({ path }) => path)).size).toBe(3);
});

it('files below a root are removed with the session', async () => {
  const [staged] = await uploads(root).stage([join(root, 'cv.pdf')], session());
  client.abort();
  await vi.waitFor(() => expect(existsSync(staged?.path ?? '')).toBe(false), PATIENCE);
});

describe('other files are refused', () => {
  it('everywhere, without a root', async () =>
    expect(await whyNot(join(root, 'cv.pdf'), [])).toContain('no folder is open for uploads'));

  it('outside, by any path, and in the same words whether they exist or not', async () => {
    symlinkSync(join(outside, 'secret.txt'), join(root, 'innocent.txt'));
    symlinkSync(outside, join(root, 'innocent'));
    symlinkSync('/etc/passwd', join(root, 'passwd'));
    const paths = [
      join(outside, 'secret.txt'),
      join(outside, 'missing.txt'),
      `${root}/../outside/secret.txt`,
      `${root}/../outside/missing.txt`,
      join(root, 'innocent.txt'),
      join(root, 'innocent', 'secret.txt'),
      join(root, 'passwd'),
      at('root-2', 'near.txt'),
      `${root}-2/near.txt`,
      '/etc/passwd',
      '/',
      folder,
    ];
    for (const path of paths) {
      expect(await whyNot(path)).toBe(`${path}: ${NOT_BELOW}.`);
      // A person chooses instead.
      expect(await uploads(root).cover(path), path).toBe(false);
    }
  });

  it('that are missing, or no files', async () => {
    const pipe = createServer().listen(join(root, 'pipe'));
    await once(pipe, 'listening');
    expect(await whyNot(join(root, 'missing.txt'))).toContain('it does not exist');
    expect(await whyNot(root)).toContain('it is not a regular file');
    expect(await whyNot(join(root, 'pipe'))).toMatch(/it cannot be read|it is not a regular file/);
    pipe.close();
    expect(await whyNot(join(root, 'CV.PDF'))).toContain('it does not exist');
  });

  it.each(['cv.pdf', './cv.pdf', '~/cv.pdf', '', 'file:///etc/passwd', '/a\0b'])('%j', async (path) => {
    expect(await whyNot(path)).toContain('it is not an absolute path');
    expect(await uploads(root).cover(path)).toBe(false);
  });

  it('and only a path below a root is covered, if it exists or not', async () => {
    for (const name of ['cv.pdf', 'missing.txt']) {
      expect(await uploads(root).cover(join(root, name))).toBe(true);
      expect(await uploads().cover(join(root, name))).toBe(false);
    }
  });

  it('that are too large together, or too many', async () => {
    writeFileSync(join(root, 'large'), '');
    truncateSync(join(root, 'large'), 40 * 1024 * 1024);
    const stage = (count: number, name: string) =>
      uploads(root).stage(Array<string>(count).fill(join(root, name)), session());
    await expect(stage(1, 'large')).resolves.toHaveLength(1);
    await expect(stage(2, 'large')).rejects.toThrow('larger than 67108864 bytes together');
    await expect(stage(21, 'cv.pdf')).rejects.toThrow('at most 20');
  });
});
