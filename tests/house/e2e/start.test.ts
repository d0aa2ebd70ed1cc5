import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { sample } from '../../support/depth.ts';
import { waitForNoProcess } from '../../support/processes.ts';

const START = resolve(import.meta.dirname, '../../../scripts/start.mjs');

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Runs `npm start -- …args` as a person would; everything it started must be gone afterwards. */
async function start(...args: string[]): Promise<Ended> {
  const mark = randomUUID();
  const env = { ...process.env, SPILLWAY_TEST_MARK: mark, NO_COLOR: '1' };
  const ended = await new Promise<Ended>((fulfil) => {
    execFile(process.execPath, [START, ...args], { env }, (error, stdout, stderr) => {
      fulfil({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
  await waitForNoProcess(mark);
  return ended;
}

test.each(sample(['chromium', 'firefox'], 2))(
  'reads the bundled page in every mode, pages the handle, and says where it lies: %s',
  async (browser) => {
    const { code, stdout, stderr } = await start('--browser', browser);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/inline +[\d,]+ +[\d,]+ +[\d.]+ m?s +the page/);
    expect(stdout).toMatch(/handle +[\d,]+ +[\d,]+ +[\d.]+ m?s +oh_[A-Z2-7]{12} and a preview/);
    expect(stdout).toMatch(/auto +[\d,]+ +[\d,]+ +[\d.]+ m?s +oh_[A-Z2-7]{12} and a preview/);
    const stored = /^ +stored +(\S+)$/m.exec(stdout)?.[1] ?? '';
    expect(existsSync(stored)).toBe(true);
  },
);
