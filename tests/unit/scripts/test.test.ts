import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');
const COPIED = ['scripts', 'server/widgets', 'package.json', 'vitest.config.ts', 'tests/support'];

/** A checkout with the scripts of this one, its installed packages, no build, and small tests. */
let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'spillway-npm-test-'));
  for (const path of COPIED) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  mkdirSync(join(copy, 'tests/unit'));
  const bodies = {
    grain: 'expect(1).toBe(1)',
    broken: 'expect(3).toBe(4)',
    'flour.deep': 'expect(5).toBe(5)',
  };
  for (const [name, body] of Object.entries(bodies))
    writeFileSync(
      join(copy, `tests/unit/${name}.test.ts`),
      `import { expect, test } from 'vitest';\ntest('${name} turns', () => ${body});\ntest('it stops', () => {});\n`,
    );
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test.each([
  {
    what: 'a pattern and options of the runner select tests: no check, no build, no deep test',
    args: ['-t', 'turns', 'grain', 'flour', '--profile'],
    status: 0,
    says: ['tests: 1 passed, 0 failed', /total \(1 files\)/, /tests\/unit\/grain\.test\.ts/],
  },
  { what: 'a deep test', args: ['--deep', 'flour'], status: 0, says: ['tests: 2 passed, 0 failed'] },
  { what: 'a test that fails', args: ['broken'], status: 1, says: ['tests: 1 passed, 1 failed'] },
  {
    what: 'a pattern that no file matches',
    args: ['no-such-file'],
    status: 1,
    says: ['Failed: vitest ended with 1, no test passed'],
  },
])('npm test -- $args: $what', ({ args, status: expected, says }) => {
  const { SPILLWAY_DEEP: _deep, ...rest } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/test.mjs', ...args], {
    cwd: copy,
    env: { ...rest, NO_COLOR: '1', FORCE_COLOR: '0', CI: 'true' },
    encoding: 'utf8',
  });
  const output = stdout + stderr;
  for (const text of says) expect(output).toMatch(text);
  expect(output).not.toMatch(/Checks|[✔✘] (?:build|Chromium)|^ {4}at /m);
  expect(status).toBe(expected);
});
