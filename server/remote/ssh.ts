import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitAtMost } from '../../shared/base/async.ts';
import { PRODUCT, WIRE_RANGE } from '../../shared/core/bridge/wire.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { VERSION } from '../../shared/base/version.ts';
import { startTimeIn } from '../core/machine/process-identity.ts';
import type { LocatedHost } from '../core/bridge/discovery.ts';
import { relay, type RelayOptions } from './relay.ts';

const LEAVE_MS = 3_000;
const ERROR_UNITS = 4_000;
const READY = 'spillway-ready';

export interface RemoteOptions extends Pick<RelayOptions, 'target' | 'name'> {
  /** As `ssh` takes it. */
  readonly host: string;
  /** Whom the other machine's servers find. */
  readonly browser: Pick<LocatedHost['registration'], 'browser' | 'extension_instance'>;
  /** No person is there to be asked for a password. */
  readonly isBatch: boolean;
}

/** A connection to another machine, until `ended`. */
export interface RemoteConnection {
  /** There: the bridge folder for its servers. */
  readonly directory: string;
  /** Resolves when `ssh` has ended, to its last words. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

const failed = (message: string, hint?: string): SpillwayError =>
  new SpillwayError('remote_failed', message, { hint });

/** Quoted for `sh`. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Runs in a shell of the other machine, from its standard input, so that no argument shows the secret. The files
 * are private and end with the shell; those of a connection that was cut are removed by the next.
 */
const openScript = (folder: string, name: string, secret: string): string =>
  [
    'umask 077',
    `d="$HOME/.spillway/remote/"${quoted(folder)}`,
    'mkdir -p "$d" && chmod 700 "$HOME/.spillway/remote" "$d" || exit 1',
    'rm -f "$d"/*.json "$d"/*.sock "$d"/*.tmp',
    `end() { rm -f "$d"/${name}.json "$d"/${name}.sock; [ "$(cat "$d/secret" 2>/dev/null)" = ${secret} ] && rm -f "$d/secret"; }`,
    `trap end EXIT; trap 'exit 0' HUP INT TERM`,
    `printf %s ${secret} > "$d/secret.tmp" && mv -f "$d/secret.tmp" "$d/secret" || exit 1`,
    `printf '\\n%s\\n%s\\n%s\\n%s\\n' ${READY} "$d" "$$" "$(cat /proc/$$/stat 2>/dev/null)"`,
    '',
  ].join('\n');

const registerScript = (path: string, registration: object): string =>
  `printf %s ${quoted(JSON.stringify(registration))} > ${quoted(`${path}.tmp`)} && mv -f ${quoted(`${path}.tmp`)} ${quoted(`${path}.json`)} && echo\n`;

/** Collects the standard error of a child; its last line is the reason of a failure. */
function collectStderr(child: ChildProcess): () => string {
  let output = '';
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (text: string) => (output = (output + text).slice(-ERROR_UNITS)));
  return () => output.trim().split(/\r?\n/).at(-1)?.trim() ?? '';
}

/** Runs `ssh` to its end. */
async function run(
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly words: string }> {
  const child = spawn('ssh', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const words = collectStderr(child);
  await once(child, 'close');
  return { code: child.exitCode, words: words() };
}

/** @throws SpillwayError `remote_failed` if `ssh` is missing, or too old to forward a socket */
export async function checkSsh(): Promise<void> {
  const { words } = await run(['-V']).catch(() => ({ words: null }));
  if (words === null)
    throw failed(
      'The program ssh was not found.',
      'Install OpenSSH 6.7 or newer, and make sure that PATH has it.',
    );
  const [, major = '', minor = ''] = /^OpenSSH\D*(\d+)\.(\d+)/.exec(words) ?? [];
  if (major !== '' && Number(major) * 100 + Number(minor) < 607)
    throw failed(
      `ssh is ${words.split(',')[0]}, which forwards no sockets.`,
      'Install OpenSSH 6.7 or newer.',
    );
}

/**
 * Opens a connection over which servers of another machine reach the native host here.
 * @throws SpillwayError `remote_failed`, with the words of `ssh`
 */
export async function openRemote(options: RemoteOptions): Promise<RemoteConnection> {
  const { host, isBatch, browser } = options;
  const folder = mkdtempSync(join(tmpdir(), 'spillway-remote-'));
  const [control, local] = [join(folder, 'ctl'), join(folder, 'host.sock')];
  const secret = randomBytes(32).toString('hex');
  const stopListening = await listen(local, { ...options, secret });
  const flags = ['ServerAliveInterval=15', 'ServerAliveCountMax=3', 'ConnectTimeout=20', 'ControlPersist=no'];
  flags.push('ClearAllForwardings=yes', `BatchMode=${isBatch ? 'yes' : 'no'}`);
  const child = spawn(
    'ssh',
    ['-M', '-S', control, '-T', '-a', '-x', ...flags.flatMap((flag) => ['-o', flag]), '--', host, 'exec sh'],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  child.stdin.on('error', () => undefined);
  const words = collectStderr(child);
  const ended = once(child, 'close').then(words, () => 'ssh could not be started');
  const close = async (): Promise<void> => {
    child.stdin.end();
    if ((await waitAtMost(ended, LEAVE_MS)) === undefined) child.kill('SIGTERM');
    await ended;
    stopListening();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const name = randomBytes(8).toString('hex');
    const place =
      hostname()
        .replaceAll(/[^A-Za-z0-9-]+/g, '-')
        .slice(0, 32) || 'here';
    child.stdin.write(openScript(place, name, secret));
    const ready = await answer(child.stdout, ended, (output) => readyIn(output));
    if (ready === null)
      throw failed(
        `ssh could not connect to ${host}: ${await ended}`,
        'Make `ssh` to this host work in a terminal first.',
      );
    const { directory, pid, stat } = ready;
    const path = `${directory}/${name}`;
    if (Buffer.byteLength(`${path}.sock`) > LIMITS.socketPathBytes)
      throw failed(`The path ${path}.sock on ${host} is too long for a socket.`);
    // Without a configuration: its forwardings would be opened too.
    const forward = [
      '-F',
      '/dev/null',
      '-S',
      control,
      '-O',
      'forward',
      '-R',
      `${path}.sock:${local}`,
      '--',
      host,
    ];
    const { code, words: why } = await run(forward);
    if (code !== 0)
      throw failed(
        `${host} does not forward a socket: ${why}`,
        'Its sshd has to be OpenSSH 6.7 or newer, and AllowStreamLocalForwarding must not be switched off there.',
      );
    const registration = {
      ...{ product: PRODUCT, version: VERSION, wire: WIRE_RANGE, ...browser },
      ...{ pid, start_time: startTimeIn(stat), socket: `${path}.sock` },
    };
    child.stdin.write(registerScript(path, registration));
    if ((await answer(child.stdout, ended, (output) => (output.includes('\n') ? output : null))) === null)
      throw failed(`${host} could not keep the connection's files: ${await ended}`);
    return { directory, ended, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** Resolves to what ends it, with its connections. */
async function listen(path: string, options: RelayOptions): Promise<() => void> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    void relay(socket, options);
  });
  server.listen(path);
  await once(server, 'listening');
  chmodSync(path, 0o600);
  return () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
}

/** Other lines may come from the other machine's profile. */
function readyIn(output: string) {
  const [, directory, pid, stat] =
    new RegExp(String.raw`^${READY}\n(/[^\n]*)\n(\d+)\n([^\n]*)\n`, 'm').exec(output) ?? [];
  return directory === undefined || stat === undefined ? null : { directory, pid: Number(pid), stat };
}

/** The first result that `find` gives for what has come; null if `ssh` ends before. */
async function answer<T>(
  from: NodeJS.ReadableStream,
  ended: Promise<unknown>,
  find: (output: string) => T | null,
): Promise<T | null> {
  let output = '';
  const heard = new Promise<T>((resolve) => {
    from.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-64_000);
      const found = find(output);
      if (found !== null) resolve(found);
    });
  });
  return Promise.race([heard, ended.then(() => null)]);
}
