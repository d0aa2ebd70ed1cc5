import { mkdirSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn } from '../../core/machine/files.ts';
import {
  identityOf,
  isRunning,
  ownProcess,
  type ProcessIdentity,
} from '../../core/machine/process-identity.ts';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { waitAtMost } from '../../../shared/base/async.ts';
import { READ_UNITS } from './news.ts';
import { MessageBytes, type ReceivedMessage } from '../../core/message-bytes.ts';
import { MESSAGE_MAX_BYTES, type Intake } from './intake.ts';

/** `<boot>-<pid>-<start of the server>-<pid>-<start of the process>` */
const NOTE = /^(?<boot>[0-9a-f]{8})-(?<ours>\d+-\d+)-(?<theirs>\d+-\d+)$/;

const folderOf = (home: string): string => join(home, 'upstreams');

/**
 * Identifies this boot of the machine, since pids and process starts repeat after the next. Null if it has no
 * id.
 */
function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
  } catch {
    return null;
  }
}

function parseIdentity(text: string | undefined): ProcessIdentity {
  const [pid = '0', startTime = '0'] = (text ?? '').split('-');
  return { pid: Number(pid), startTime };
}

/**
 * Notes a process that this server has started, as an empty file in its home, so that a later server can end
 * it if this one is killed. Returns a function to call when it has ended. If a process's start is unknown,
 * nothing is noted: a pid alone does not identify it.
 */
export function noteProcess(home: string, pid: number): () => void {
  const boot = bootId();
  const started = identityOf(pid);
  if (boot === null || started === null) return () => undefined;
  const own = ownProcess();
  const name = [boot, own.pid, own.startTime, started.pid, started.startTime].join('-');
  const path = join(folderOf(home), name);
  try {
    mkdirSync(folderOf(home), { recursive: true, mode: 0o700 });
    writeFileSync(path, '', { mode: 0o600 });
  } catch {
    // A full disk: the process ends with us, but not if we are killed.
  }
  return () => rmSync(path, { force: true });
}

/** Ends processes, with their children, that a killed server of this home has left behind. */
export async function endLeftovers(home: string): Promise<void> {
  const boot = bootId();
  for (const name of await namesIn(folderOf(home))) {
    const { boot: since, ours, theirs } = NOTE.exec(name)?.groups ?? {};
    if (since === undefined || isRunning(parseIdentity(ours))) continue;
    const left = parseIdentity(theirs);
    if (since === boot && isRunning(left)) kill(left, 'SIGKILL');
    await rm(join(folderOf(home), name), { force: true });
  }
}

const GARBAGE_MAX_BYTES = 1_024 * 1_024;
/** Time to exit by itself, then after SIGTERM. */
const LEAVE_MS = 400;
const IS_POSIX = process.platform !== 'win32';

export interface StdioCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Its complete environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** Called with each line of its stderr. */
  readonly onErrorLine: (line: string) => void;
  /** Called with its pid. Returns a function to call when it has ended. */
  readonly onStart: (pid: number) => () => void;
  readonly intake: Intake;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Live processes: they end with this one, however it exits. */
const alive = new Set<Child>();
let isWatching = false;

function endWithUs(child: Child): void {
  alive.add(child);
  if (isWatching) return;
  isWatching = true;
  process.once('exit', () => {
    for (const each of alive) kill(each, 'SIGKILL');
  });
}

/** Ends the process and its children. */
function kill({ pid }: Pick<Child, 'pid'>, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(IS_POSIX ? -pid : pid, signal);
  } catch {
    // It has gone.
  }
}

/**
 * MCP over the standard streams of a process of our own. Unlike the SDK's transport it reads a large message
 * in linear time, up to a bound, and ends the process's own children.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  #child: Child | null = null;
  #exited: Promise<void> = Promise.resolve();
  readonly #messages = new MessageBytes(MESSAGE_MAX_BYTES);
  #garbageBytes = 0;
  #delivery: Promise<void> = Promise.resolve();

  constructor(private readonly command: StdioCommand) {}

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.command;
    const child = spawn(command, args, {
      env,
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      // A separate group, which can be ended as one.
      detached: IS_POSIX,
      windowsHide: true,
    });
    await once(child, 'spawn').catch((thrown: unknown) => {
      // For a missing folder, the system reports that the program is missing.
      throw cwd === undefined || existsSync(cwd) ? thrown : new Error(`the folder ${cwd} is not there`);
    });
    this.#child = child;
    endWithUs(child);
    const ended = this.command.onStart(child.pid ?? 0);
    this.#exited = new Promise((resolve) => {
      child.once('exit', () => {
        // Children that it left behind.
        kill(child, 'SIGKILL');
        alive.delete(child);
        ended();
        resolve();
      });
    });
    // Its last output arrives after its end: an answer, or why it ended.
    const written = new Promise<void>((resolve) => child.once('close', () => resolve()));
    void this.#exited
      .then(() => waitAtMost(written, LEAVE_MS))
      .then(() => this.#delivery)
      .then(() => this.onclose?.());
    child.on('error', (error) => this.onerror?.(error));
    // It has ended, or is about to: its end will be reported.
    child.stdin.on('error', () => undefined);
    void this.#readAll(child.stdout);
    this.#readErrors(child.stderr);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child;
    if (child === null || !child.stdin.writable) throw new Error('the process has ended');
    if (child.stdin.write(`${JSON.stringify(message)}\n`)) return;
    await Promise.race([new Promise((resolve) => child.stdin.once('drain', resolve)), this.#exited]);
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    child.stdin.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await waitAtMost(this.#exited, LEAVE_MS);
      if (!alive.has(child)) return;
      kill(child, signal);
    }
    await waitAtMost(this.#exited, LEAVE_MS);
  }

  async #readAll(stdout: Readable): Promise<void> {
    try {
      for await (const chunk of stdout)
        if (chunk instanceof Uint8Array)
          for (const received of this.#messages.lines(chunk)) this.#take(received);
    } catch (thrown) {
      if (thrown instanceof Error) this.onerror?.(thrown);
    } finally {
      await waitAtMost(this.#exited, LEAVE_MS);
      // It could not answer any more.
      if (this.#child !== null && alive.has(this.#child)) kill(this.#child, 'SIGKILL');
    }
  }

  #take(received: ReceivedMessage): void {
    const { message } = this.command.intake.read(received);
    if (message === null && received.isTooLarge) return this.#giveUp('its message is too large');
    if (message === null) {
      this.#garbageBytes += Buffer.byteLength(received.text) + 1;
      if (this.#garbageBytes > GARBAGE_MAX_BYTES) this.#giveUp('it writes output that is not MCP');
      return;
    }
    this.#garbageBytes = 0;
    // The client processes a step one microtask after receiving it, and forgets steps at once with an answer.
    this.#delivery = this.#delivery.then(() => this.onmessage?.(message));
  }

  #giveUp(why: string): void {
    this.#garbageBytes = 0;
    this.onerror?.(new Error(why));
    if (this.#child !== null) kill(this.#child, 'SIGKILL');
  }

  /** Lines, with only the beginning of long ones: a process may write without end. */
  #readErrors(stderr: Readable): void {
    let rest = '';
    stderr.setEncoding('utf8');
    stderr.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = (lines.pop() ?? '').slice(0, READ_UNITS);
      for (const line of lines) if (line.trim() !== '') this.command.onErrorLine(line);
    });
    stderr.on('error', () => undefined);
  }
}
