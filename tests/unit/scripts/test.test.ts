import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');

/** A checkout with the scripts of this one, its installed packages, no build, and three small tests. */
let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'spillway-npm-test-'));
  for (const path of [
    'scripts',
    'server/widgets',
    'package.json',
    'vitest.config.ts',
    'tests/support/global-setup.ts',
  ])
    cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  mkdirSync(join(copy, 'tests/unit'));
  const bodies = { grain: 'expect(1).toBe(1)', wheel: 'expect(2).toBe(2)', broken: 'expect(3).toBe(4)' };
  for (const [name, body] of Object.entries(bodies))
    writeFileSync(
      join(copy, `tests/unit/${name}.test.ts`),
      `import { expect, test } from 'vitest';\ntest('${name} turns', () => ${body});\n`,
    );
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** What `npm test -- …args` does. */
function npmTest(...args: readonly string[]): { status: number | null; output: string } {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', CI: 'true' };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/test.mjs', ...args], {
    cwd: copy,
    env,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

test('a pattern runs the tests that match it: no check, no build, no other test', () => {
  const { status, output } = npmTest('grain');
  expect(output).toContain('tests: 1 passed, 0 failed');
  expect(output).not.toContain('Checks');
  expect(output).not.toMatch(/[✔✘] (build|Chromium)/);
  expect(status).toBe(0);
});

test('options go to the test runner, and select as a pattern does', () => {
  const { status, output } = npmTest('-t', 'wheel turns', 'grain', 'wheel');
  expect(output).toContain('tests: 1 passed, 0 failed');
  expect(output).not.toContain('Checks');
  expect(status).toBe(0);
});

test('a selected test that fails is a failure', () => {
  const { status, output } = npmTest('broken');
  expect(output).toContain('tests: 0 passed, 1 failed');
  expect(status).toBe(1);
});

test('a pattern that no file matches is a failure', () => {
  const { status, output } = npmTest('no-such-file');
  expect(output).toContain('Failed: vitest ended with 1, no test passed');
  expect(output).not.toContain('    at ');
  expect(status).toBe(1);
});
