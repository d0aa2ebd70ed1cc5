import { abortable, delay } from '../../shared/base/async.ts';
import { SpillwayError, invalidArgument, toSpillwayError } from '../../shared/base/errors.ts';
import { BRIDGE_DIR_VARIABLE, bridgeDirectories, readSecret } from '../core/bridge/directory.ts';
import { chooseBrowser } from '../core/bridge/choose-browser.ts';
import { look, type LocatedHost } from '../core/bridge/discovery.ts';
import { checkSsh, openRemote, type RemoteConnection } from './ssh.ts';
import { CLIENT_ARGUMENTS, commandLine } from '../core/machine/command-line.ts';
import { plain, type CommandIo } from '../core/command-io.ts';

/** Flags of `spillway remote`. */
export interface RemoteCommandOptions {
  /** As `ssh` takes it: an alias, a name, or `user@name`. */
  readonly host: string;
  /** Name or label of the browser. */
  readonly browser?: string | undefined;
}

const HOST = /^[A-Za-z0-9_[][\w.@:%[\]-]{0,47}$/;
const AGAIN_MS = { first: 1_000, max: 30_000 } as const;

/**
 * `spillway remote`: lets agents of another machine use a browser of this one, until it is interrupted. Connects again
 * when the connection is lost. Resolves to the exit code.
 * @throws SpillwayError `invalid_argument`, `browser_not_connected`, `browser_ambiguous`, and `remote_failed` if the
 * first connection fails, or a later one that a person would have to answer
 */
export async function runRemote(
  { host, browser }: RemoteCommandOptions,
  io: CommandIo,
  signal: AbortSignal = interrupted(),
): Promise<number> {
  if (!HOST.test(host))
    throw invalidArgument(
      'host: takes an alias of your SSH configuration, a name, or user@name, of at most 48 characters.',
    );
  if (process.platform === 'win32')
    throw invalidArgument('remote: the ssh of Windows forwards no sockets. See docs/remote.md for WSL.');
  await checkSsh();
  const { registration } = findHost(browser);
  const target = () => {
    const { directory, registration: now } = findHost(browser);
    const secret = readSecret(directory);
    if (secret === null) throw new SpillwayError('host_refused', `${directory} contains no secret.`);
    return { socketPath: now.socket, secret };
  };
  const open = (isBatch: boolean): Promise<RemoteConnection> =>
    openRemote({ host, browser: registration, target, name: host, isBatch });
  let connection: RemoteConnection | null = await open(false);
  io.write(instructions(host, connection.directory));
  for (let againMs: number = AGAIN_MS.first; ;) {
    const words = connection === null ? null : await untilEnded(connection, signal);
    await connection?.close();
    if (signal.aborted) break;
    if (words !== null) io.write(`The connection to ${host} was lost (${plain(words)}). Connecting again.\n`);
    await delay(againMs, signal).catch(() => undefined);
    if (signal.aborted) break;
    connection = await open(true).catch((thrown: unknown) => {
      const { message } = toSpillwayError(thrown);
      if (/permission denied|host key/i.test(message)) throw thrown;
      return null;
    });
    againMs = connection === null ? Math.min(2 * againMs, AGAIN_MS.max) : AGAIN_MS.first;
    if (connection !== null) io.write(`Connected to ${host} again.\n`);
  }
  io.write(`The connection to ${host} is closed.\n`);
  return 0;
}

/** The words of `ssh` if it ends first; null if the person ends it. */
function untilEnded({ ended }: RemoteConnection, signal: AbortSignal): Promise<string | null> {
  return abortable(ended, signal).catch(() => null);
}

function interrupted(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
  return stop.signal;
}

/** @throws SpillwayError `browser_not_connected`, `browser_ambiguous` */
function findHost(wanted: string | undefined): LocatedHost {
  const running = look(bridgeDirectories()).hosts.map((host) => ({ ...host.registration.browser, host }));
  return chooseBrowser(running, wanted).host;
}

function instructions(host: string, directory: string): string {
  const program = ['npx', '-y', 'spillway@latest', ...CLIENT_ARGUMENTS];
  const [command = '', ...args] = program;
  const variable = `${BRIDGE_DIR_VARIABLE}=${directory}`;
  const line = commandLine(['claude', 'mcp', 'add', 'spillway', '-e', variable, '--', ...program], 'linux');
  const entry = { command, args, env: { [BRIDGE_DIR_VARIABLE]: directory } };
  const json = JSON.stringify({ mcpServers: { spillway: entry } }, null, 2);
  return `Connected to ${host}. Agents there use your browser as long as this runs; cards add “on ${host}” to their names.

There, tell Claude Code once:

  ${line}

Other clients:

${json.replaceAll(/^/gm, '  ')}

Ctrl+C ends it.
`;
}
