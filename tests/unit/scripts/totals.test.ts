import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'spillway-totals-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Report {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
}

const good: Report = { success: true, numPassedTests: 5, numFailedTests: 0 };

const cases: readonly [string, readonly (Report | null)[], string, number][] = [
  ['two good reports', [good, { ...good, numPassedTests: 2 }], '7 passed, 0 failed', 0],
  ['a failed test', [{ success: false, numPassedTests: 4, numFailedTests: 1 }], '4 passed, 1 failed', 1],
  ['an error outside the tests', [{ ...good, success: false }], '5 passed, 0 failed', 1],
  ['no test', [{ ...good, numPassedTests: 0 }], '0 passed, 0 failed', 1],
  ['a report that is missing', [good, null], '5 passed, 0 failed', 1],
];

test.each(cases)('%s', (_name, reports, line, code) => {
  const paths = reports.map((report, index) => {
    const path = join(folder, `${_name}-${index}.json`);
    if (report !== null) writeFileSync(path, JSON.stringify(report));
    return path;
  });
  const script = resolve(import.meta.dirname, '../../../scripts/totals.mjs');
  const ended = spawnSync(process.execPath, [script, ...paths], { encoding: 'utf8' });
  expect(ended.stdout.trim().split('\n').at(-1)).toBe(line);
  expect(ended.status).toBe(code);
});
