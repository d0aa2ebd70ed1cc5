import { fork } from 'node:child_process';
import { expect, it } from 'vitest';
import { temporaryHome } from '../../support/home.ts';
import { bundleProgram } from '../../support/bundle-program.ts';

/*
 * Servers that share a home, in processes of their own: a process whose thread hangs
 * cannot report it, so each has a deadline from outside.
 */

const DEADLINE_MS = 300_000;
const PROGRAM = await bundleProgram(new URL('../../support/neighbours-program.ts', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly answer: string;
}

function start(args: readonly string[]): Promise<Ended> {
  const child = fork(PROGRAM, args, {
    execArgv: [],
    silent: true,
    timeout: DEADLINE_MS,
    killSignal: 'SIGKILL',
  });
  let answer = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (answer += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, answer: answer }));
  });
}

it(
  'two servers in two processes look at the runs of each other while both commit, and neither stops',
  { timeout: DEADLINE_MS + 10_000 },
  async () => {
    const home = await temporaryHome();
    const both = await Promise.all([start([home]), start([home])]);
    expect(
      both.map(({ code }) => code),
      both.map(({ answer }) => answer).join('\n'),
    ).toEqual([0, 0]);
  },
);
