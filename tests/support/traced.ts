import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { bundleProgram } from './bundle-program.ts';
import { rounds } from './depth.ts';
import { temporaryHome } from './home.ts';

const DEADLINE_MS = 110_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  readonly lines: readonly object[];
}

export type RunOptions = { readonly stdin?: string; readonly onOutput?: (kill: () => void) => void };

/** Runs a command with JSON lines to its end, or kills it at a deadline. */
export function runProgram(
  command: readonly string[],
  { stdin = '', onOutput }: RunOptions = {},
): Promise<Ended> {
  return new Promise((done, fail) => {
    const [file = '', ...args] = command;
    // One thread for files, since strace counts calls per thread.
    const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };
    const child = spawn(file, args, { env, timeout: DEADLINE_MS, killSignal: 'SIGKILL' });
    const texts = { stdout: '', stderr: '' };
    child.on('error', fail);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      texts.stdout += text;
      onOutput?.(() => child.kill('SIGKILL'));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text));
    // A killed process may not have read all its input.
    child.stdin.on('error', () => undefined).end(stdin);
    child.on('close', (code, signal) => {
      const whole = texts.stdout.split('\n').slice(0, -1);
      done({ code, signal, stderr: texts.stderr, lines: whole.map((line) => JSON.parse(line)) });
    });
  });
}

/** Kills a program at a moment after its first output. */
export const killedSoon = (command: readonly string[], withinMs = 60): Promise<Ended> => {
  const delayMs = randomInt(withinMs);
  return runProgram(command, { onOutput: (kill) => void delay(delayMs).then(kill) });
};

export async function answerOf<T extends object>(command: readonly string[], stdin = ''): Promise<T> {
  const { code, stderr, lines } = await runProgram(command, { stdin });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return lines.at(-1) as T;
}

/** A home after its server died, and the lines of that server. */
export type Wreck = { readonly home: string; readonly lines: readonly object[] };

/** Wrecks are checked by a process of its own, as the next server would see them. */
export async function expectSound(node: (verb: string) => string[], wrecks: readonly Wreck[]): Promise<void> {
  const lines = wrecks.map((wreck) => JSON.stringify(wreck)).join('\n');
  expect(await answerOf(node('verify'), lines)).toEqual({ homes: wrecks.length, problems: {} });
}

export async function startOf(source: URL): Promise<(...args: string[]) => string[]> {
  const program = await bundleProgram(source);
  return (...args) => [process.execPath, program, ...args];
}

/** Runs strace with an action at the `at`th occurrence of a system call; strace exits as the program does. */
export const traced = (call: string, action: string, at: number, command: readonly string[]): string[] => [
  ...['strace', '-f', '-qq', '-o', '/dev/null'],
  ...['-e', `trace=${call}`, '-e', `inject=${call}:${action}:when=${at}`],
  ...command,
];

export const onDisk = (options: string, home: string, command: readonly string[]): string[] => [
  ...['unshare', '-rm', 'sh', '-c'],
  `mount -t tmpfs -o ${options} none "$1" && shift && exec "$@"`,
  ...['sh', home, ...command],
];

interface Kills {
  readonly call: string;
  readonly before?: number;
  readonly atLeast: number;
  command(home: string): string[];
  prepare?(home: string): Promise<unknown>;
}

/**
 * Kills a program at each occurrence of a system call until it ends by itself; in the gate at two of them.
 * @returns the remains of each run; in the deep run the last one ended by itself
 */
export async function killAtEvery({ call, before = 0, atLeast, command, prepare }: Kills): Promise<Wreck[]> {
  const wrecks: Wreck[] = [];
  const most = rounds(Infinity, 2);
  for (let at = before + 1; wrecks.length < most; at += rounds(1, Math.ceil(atLeast / 2))) {
    const home = await temporaryHome();
    await prepare?.(home);
    const { code, signal, lines } = await runProgram(traced(call, 'signal=KILL', at, command(home)));
    wrecks.push({ home, lines });
    if (code === 0) {
      expect(wrecks.length).toBeGreaterThan(atLeast);
      break;
    }
    expect(signal).toBe('SIGKILL');
  }
  return wrecks;
}
