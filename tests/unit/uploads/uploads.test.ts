import { once } from 'node:events';
import { createServer } from 'node:net';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SpillwayError } from '../../../shared/errors.ts';
import { createScratch } from '../../../server/machine/scratch.ts';
import { createUploads } from '../../../server/uploads/index.ts';
import { PATIENCE } from '../../support/patience.ts';

const nothing = (): void => undefined;
const logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

let folder: string;
let root: string;
let outside: string;
let client: AbortController;
const at = (...parts: string[]): string => join(folder, ...parts);

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'spillway-uploads-')));
  root = at('root');
  outside = at('outside');
  for (const path of [root, outside, at('root-2')]) mkdirSync(path);
  writeFileSync(join(root, 'cv.pdf'), 'cv');
  writeFileSync(join(root, 'two words é.txt'), 'words');
  writeFileSync(join(outside, 'secret.txt'), 'secret');
  writeFileSync(at('root-2', 'near.txt'), 'near');
  client = new AbortController();
});
afterEach(() => {
  client.abort();
  rmSync(folder, { recursive: true, force: true });
});

const uploads = (...roots: string[]) =>
  createUploads({ roots, scratch: createScratch({ home: at('home'), logger }), logger });
const session = () => ({ id: 's1', signal: client.signal });

async function whyNot(path: string, roots: readonly string[] = [root]): Promise<string> {
  const thrown: unknown = await uploads(...roots)
    .stage([path], session())
    .then(() => null)
    .catch((error: unknown) => error);
  if (!(thrown instanceof SpillwayError)) throw new Error(`${path} was not refused.`);
  expect(thrown.code).toBe('upload_refused');
  return thrown.message;
}

const NOT_BELOW = 'it is not below a folder of --upload-root';

describe('files below a root', () => {
  it('are copied, with their names, for the owner alone', async () => {
    const paths = [join(root, 'cv.pdf'), join(root, 'two words é.txt'), join(root, 'cv.pdf')];
    const staged = await uploads(root).stage(paths, session());
    expect(staged.map(({ source, name, size, mime }) => ({ source, name, size, mime }))).toEqual([
      { source: paths[0], name: 'cv.pdf', size: 2, mime: 'application/pdf' },
      { source: paths[1], name: 'two words é.txt', size: 5, mime: 'text/plain' },
      { source: paths[0], name: 'cv.pdf', size: 2, mime: 'application/pdf' },
    ]);
    for (const { path } of staged) {
      expect(relative(at('home'), path)).not.toMatch(/^\.\./);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    }
    expect(readFileSync(staged[1]?.path ?? '', 'utf8')).toBe('words');
    expect(new Set(staged.map(({ path }) => path)).size).toBe(3);
  });

  it('are found by any path that leads to them, and in a root that is a link', async () => {
    symlinkSync(root, at('link-to-root'));
    symlinkSync(join(root, 'cv.pdf'), join(root, 'renamed.pdf'));
    mkdirSync(join(root, 'sub'));
    for (const [path, from] of [
      [join(root, 'cv.pdf'), at('link-to-root')],
      [at('link-to-root', 'cv.pdf'), root],
      [join(root, 'renamed.pdf'), root],
      [`${root}/sub/../cv.pdf`, root],
      [`${root}//./cv.pdf`, root],
      [join(root, 'cv.pdf'), folder],
    ] as const)
      expect((await uploads(from).stage([path], session()))[0]?.size, path).toBe(2);
  });

  it('are those that a root holds now', async () => {
    const late = uploads(at('later'));
    mkdirSync(at('later'));
    writeFileSync(at('later', 'a.txt'), 'a');
    expect(await late.stage([at('later', 'a.txt')], session())).toHaveLength(1);
  });

  it('are removed with the session', async () => {
    const [staged] = await uploads(root).stage([join(root, 'cv.pdf')], session());
    client.abort();
    await vi.waitFor(() => expect(existsSync(staged?.path ?? '')).toBe(false), PATIENCE);
  });

  it('count by their name where they are hard links', async () => {
    linkSync(join(outside, 'secret.txt'), join(root, 'linked.txt'));
    expect(await uploads(root).stage([join(root, 'linked.txt')], session())).toHaveLength(1);
  });
});

describe('other files are refused', () => {
  it('everywhere, without a root', async () => {
    expect(await whyNot(join(root, 'cv.pdf'), [])).toContain('no folder is open for uploads');
  });

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
    for (const path of paths) expect(await whyNot(path)).toBe(`${path}: ${NOT_BELOW}.`);
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
  });

  it('that are too large together, or too many', async () => {
    writeFileSync(join(root, 'large'), '');
    truncateSync(join(root, 'large'), 40 * 1024 * 1024);
    const large = uploads(root);
    await expect(large.stage([join(root, 'large')], session())).resolves.toHaveLength(1);
    await expect(large.stage([join(root, 'large'), join(root, 'large')], session())).rejects.toThrow(
      'larger than 67108864 bytes together',
    );
    await expect(large.stage(Array(21).fill(join(root, 'cv.pdf')), session())).rejects.toThrow('at most 20');
  });
});
