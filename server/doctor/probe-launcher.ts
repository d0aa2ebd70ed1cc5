import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { HostHello } from '../../shared/bridge/hello.ts';
import { openEnvelope } from '../bridge/envelope.ts';
import { FrameDecoder, parseFrame } from '../bridge/frames.ts';
import { EXTENSION_ORIGIN } from '../bridge/install/manifest.ts';
import type { Machine } from '../bridge/install/machine.ts';
import { waitAtMost } from '../../shared/async/wait.ts';

/** What a launcher did when it was started as a browser starts it. */
export type LauncherProbe =
  | { readonly ok: true; readonly hello: HostHello; readonly tookMs: number }
  | { readonly ok: false; readonly seen: string };

const EXIT_TIMEOUT_MS = 1_000;
const STDERR_BYTES = 2_000;

/**
 * Starts the launcher with a bare environment, as a browser does, and waits for the host's hello.
 * Without a worker's hello the host opens no socket, so that this disturbs nothing.
 */
export async function probeLauncher(
  machine: Machine,
  launcher: string,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<LauncherProbe> {
  const { timeoutMs, signal } = options;
  const startedAt = performance.now();
  const child = start(machine, launcher);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
    child.once('close', (code, killer) =>
      resolve(killer === null ? `ended with code ${String(code)}` : `was ended by ${killer}`),
    );
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-STDERR_BYTES)));
  const outcome = Promise.race([
    firstFrame(child),
    ended.then((how) => `The launcher ${launcher} ${how}.${lastLine(stderr)}`),
  ]);
  try {
    const silent = `The launcher ${launcher} runs, but sent nothing within ${timeoutMs} ms.`;
    const first = (await waitAtMost(outcome, timeoutMs, signal)) ?? silent;
    if (typeof first === 'string') return { ok: false, seen: first };
    const hello = HostHello.safeParse(first.message);
    if (!hello.success)
      return { ok: false, seen: `The launcher ${launcher} starts a program that is not a Spillway host.` };
    return { ok: true, hello: hello.data, tookMs: Math.round(performance.now() - startedAt) };
  } finally {
    await finish(child, ended);
  }
}

function start({ platform, env, userHome }: Machine, launcher: string): ChildProcessWithoutNullStreams {
  if (platform !== 'win32')
    return spawn(launcher, [EXTENSION_ORIGIN], { env: { PATH: '/usr/bin:/bin', HOME: userHome }, cwd: '/' });
  // The way Chromium starts a batch file (native_process_launcher_win.cc).
  return spawn(env['ComSpec'] ?? 'cmd.exe', ['/d', '/s', '/c', `""${launcher}" ${EXTENSION_ORIGIN}"`], {
    windowsVerbatimArguments: true,
    windowsHide: true,
  });
}

/** Resolves to the first frame's message, or to a sentence when what comes is not a frame. */
function firstFrame(child: ChildProcessWithoutNullStreams): Promise<{ readonly message: unknown } | string> {
  const decoder = new FrameDecoder();
  return new Promise((resolve) => {
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (chunk: Buffer) => {
      try {
        for (const frame of decoder.push(chunk))
          resolve({ message: parseFrame(openEnvelope(frame).message) });
      } catch {
        resolve(`The launcher wrote an invalid frame: ${JSON.stringify(chunk.toString('latin1', 0, 60))}.`);
      }
    });
  });
}

/** The end of its input ends a host; one that ignores it is killed. */
async function finish(child: ChildProcessWithoutNullStreams, ended: Promise<string>): Promise<void> {
  child.stdin.end();
  await waitAtMost(ended, EXIT_TIMEOUT_MS);
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
}

/** The line of a program's last words that says most: Node ends a crash with its own version. */
function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('Node.js v'));
  const line = lines.findLast((each) => /^\w*Error\b/.test(each)) ?? lines.at(-1);
  return line === undefined ? '' : ` It said: ${line.trim().slice(0, 300)}`;
}
