import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { announcement, resolveToken } from '../../../server/cli/http-token.ts';
import { isPosix } from '../../support/posix.ts';
import { testFolder } from '../../support/test-folder.ts';

const URL = 'http://127.0.0.1:8931/mcp';
const folder = testFolder();
const fromFile = (file: string, given = '') => resolveToken({ noToken: false, file }, given);

it('--http-token-file makes a private file once, and keeps its token', () => {
  const path = join(folder, 'new', 'token');
  const first = fromFile(path);
  expect(first.value).toMatch(/^[\w-]{43}$/);
  expect(fromFile(path)).toEqual(first);
  expect(readFileSync(path, 'utf8')).toBe(`${first.value}\n`);
  if (isPosix) expect(statSync(path).mode & 0o777).toBe(0o600);
  writeFileSync(path, 'my-own-token-0123\n');
  expect(fromFile(path, 'my-own-token-0123').value).toBe('my-own-token-0123');
});

it.each([
  ['is short', 'secret\n'],
  ['has two lines', 'my-own-token-0123\nand-another-line\n'],
])('--http-token-file refuses a file that %s', (_what, content) => {
  const path = join(folder, 'bad');
  writeFileSync(path, content, { mode: 0o600 });
  expect(() => fromFile(path)).toThrow('--http-token-file: it takes at least 16 printable characters');
});

it.runIf(isPosix)('--http-token-file refuses a file that others can read, and a folder', () => {
  const path = join(folder, 'open');
  writeFileSync(path, 'my-own-token-0123\n');
  chmodSync(path, 0o644);
  expect(() => fromFile(path)).toThrow(`other users can read ${path}`);
  chmodSync(folder, 0o700);
  expect(() => fromFile(folder)).toThrow(`${folder} is not a file`);
});

it('what is printed has a new token, since nothing else keeps it', () => {
  const token = resolveToken({ noToken: false, file: undefined }, '');
  expect(announcement(URL, token).split(token.value ?? '-')).toHaveLength(5);
});

it('what is printed has no token that is kept elsewhere', () => {
  const path = join(folder, 'kept');
  const given = resolveToken({ noToken: false, file: undefined }, 'my-own-token-0123');
  for (const token of [fromFile(path), given]) expect(announcement(URL, token)).not.toContain(token.value);
  expect(announcement(URL, fromFile(path))).toContain(
    `claude mcp add --transport http spillway ${URL} --header "Authorization: Bearer $(cat ${path})"`,
  );
});
