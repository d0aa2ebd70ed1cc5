import { spawn } from 'node:child_process';

/** How a program ended, and what it had said. */
export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly stdin?: string;
  /** Called with each piece of output. */
  readonly onOutput?: (kill: () => void) => void;
}

/** Runs a command to its end; after `deadlineMs` it is killed. */
export function runProgram(
  command: readonly string[],
  { stdin = '', onOutput, deadlineMs }: RunOptions & { readonly deadlineMs: number },
): Promise<Ended> {
  return new Promise((done, fail) => {
    const [file = '', ...args] = command;
    // One thread for files, since strace counts calls per thread.
    const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };
    const child = spawn(file, args, { env, timeout: deadlineMs, killSignal: 'SIGKILL' });
    const texts = { stdout: '', stderr: '' };
    child.on('error', fail);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      texts.stdout += text;
      onOutput?.(() => child.kill('SIGKILL'));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text));
    // A process that is killed may not have read all that it was given.
    child.stdin.on('error', () => undefined).end(stdin);
    child.on('close', (code, signal) => done({ code, signal, ...texts }));
  });
}

/** strace that does something to the `at`th of one system call; strace ends as the program did. */
export const traced = (call: string, action: string, at: number, command: readonly string[]): string[] => [
  'strace',
  '-f',
  '-qq',
  '-o',
  '/dev/null',
  '-e',
  `trace=${call}`,
  '-e',
  `inject=${call}:${action}:when=${at}`,
  ...command,
];
