import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { errnoOf } from '../machine/errno.ts';

/** A person may have to touch a key, or to unlock the vault. */
const ANSWER_MS = 30_000;
const OUTPUT_BYTES = 64 * 1_024;
const IS_POSIX = process.platform !== 'win32';

/**
 * The first line that a vault's command prints. It runs without a shell and without input, and what it prints on
 * standard error is dropped: both may hold secrets.
 * @param name of the secret, for the error
 * @throws SpillwayError `secret_unavailable`, which names the program and no text of it
 */
export async function askVault(
  name: string,
  [program = '', ...args]: readonly string[],
  answerMs = ANSWER_MS,
): Promise<string> {
  const failed = (why: string): SpillwayError =>
    new SpillwayError(
      'secret_unavailable',
      `secret:${name}: its command (${JSON.stringify(basename(program))}) ${why}.`,
    );
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    // A group of its own: programs that it started end with it.
    detached: IS_POSIX,
    windowsHide: true,
  });
  let problem: string | null = null;
  const stop = (why: string): void => {
    problem ??= why;
    end(child);
  };
  const timer = setTimeout(
    () => stop(`did not answer within ${answerMs / 1_000} s, and was ended`),
    answerMs,
  );
  const chunks: Buffer[] = [];
  let size = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > OUTPUT_BYTES) stop(`printed more than ${OUTPUT_BYTES / 1_024} KiB, and was ended`);
    else chunks.push(chunk);
  });
  try {
    await once(child, 'close');
    const { exitCode: code, signalCode: signal } = child;
    if (problem === null && code !== 0) problem = `ended with ${signal ?? `code ${code}`}`;
  } catch (thrown) {
    throw failed(`cannot be started (${errnoOf(thrown) ?? 'unknown error'})`);
  } finally {
    clearTimeout(timer);
  }
  if (problem !== null) throw failed(problem);
  const [line = ''] = decodeUtf8(Buffer.concat(chunks)).split(/\r?\n/);
  if (line.trim() === '') throw failed('printed no text on its first line');
  return line;
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return '';
  }
}

function end(child: ChildProcess): void {
  const { pid, stdout } = child;
  if (pid === undefined) return;
  try {
    process.kill(IS_POSIX ? -pid : pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
  // A program that left its group may hold the pipe open.
  stdout?.destroy();
}
