import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { commandLine } from '../../core/machine/command-line.ts';
import { TOOL_NAMES } from '../../../shared/core/tools/names.generated.ts';

/*
 * Where the server of a session of commands is found. A command that a session runs reads this file, the names of
 * tools and `client.ts` alone.
 */

/** `oc_output_fetch` is `output-fetch`. */
export const commandName = (tool: string): string => tool.replace(/^oc_/, '').replaceAll('_', '-');

const SESSION_COMMANDS: ReadonlySet<string> = new Set([
  'read',
  ...Object.entries(TOOL_NAMES).flatMap(([name, { isHidden }]) => (isHidden ? [] : [commandName(name)])),
]);

/** Commands that run outside sessions; their names may also be arguments of others. */
const OTHER_COMMANDS =
  /^(?:install|uninstall|doctor|verify-bundle|run|ledger|upstream|skill|stop|help|--help|-h)$/;

/** Whether an unparsed command line runs in a session. */
export function isForSession(words: readonly string[]): boolean {
  // The names of tools are also values of this flag.
  const at = words.findIndex((word, index) => SESSION_COMMANDS.has(word) && words[index - 1] !== '--tools');
  return (
    at !== -1 &&
    !words.slice(0, at).some((word) => OTHER_COMMANDS.test(word)) &&
    !words.slice(at).some((word) => word === '--help' || word === '-h')
  );
}

/** A session of commands: its name, and the file that points to its server. */
export interface SessionPlace {
  /** From `--session`, else the working folder. */
  readonly name: string;
  readonly home: string;
  readonly notePath: string;
}

/** The content of that file. */
export interface SessionNote {
  readonly name: string;
  readonly socket: string;
  /** Proves to the server that a client could read this file. */
  readonly token: string;
  readonly pid: number;
  /** The build that the server runs, see {@link ownBuild}. */
  readonly build: string;
}

/** The argument that makes this program a session's server; not a command for people. */
export const SESSION_WORD = '__session';
/** The server prints this once commands can reach it. */
export const READY = 'ready';

export const sessionsOf = (home: string): string => join(home, 'sessions');

/** The value of an option on an unparsed command line. */
function getOption(words: readonly string[], option: string): string | undefined {
  const at = words.findIndex((word) => word === option || word.startsWith(`${option}=`));
  return words[at]?.includes('=') === true
    ? words[at]?.slice(option.length + 1)
    : words[at + 1 || words.length];
}

/** The session of a command line: by its name, else by the working folder. */
export function parseSessionPlace(words: readonly string[], folder: string): SessionPlace {
  const fromEnvironment = process.env['SPILLWAY_HOME'] ?? '';
  const home = resolve(getOption(words, '--home') ?? (fromEnvironment || join(homedir(), '.spillway')));
  const named = getOption(words, '--session');
  const key = createHash('sha256')
    .update(named === undefined ? `folder ${folder}` : `name ${named}`)
    .digest('hex')
    .slice(0, 16);
  return { name: named ?? folder, home, notePath: join(sessionsOf(home), `${key}.json`) };
}

/** The command that ends the session of a command line. */
export function stopCommand(words: readonly string[]): string {
  const named = ['--session', '--home'].flatMap((option) => {
    const value = getOption(words, option);
    return value === undefined ? [] : [option, value];
  });
  return `\`${commandLine(['spillway', 'stop', ...named])}\``;
}

const isNote = (value: unknown): value is SessionNote =>
  typeof value === 'object' &&
  value !== null &&
  ['name', 'socket', 'token', 'build'].every((key) => typeof Reflect.get(value, key) === 'string');

/** Reads a session's note. Null if it is missing, or if another user could have written it. */
export function readNote(path: string): SessionNote | null {
  try {
    const stats = lstatSync(path);
    const isOurs =
      process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o077) === 0);
    const note: unknown = isOurs && stats.isFile() ? JSON.parse(readFileSync(path, 'utf8')) : null;
    return isNote(note) ? note : null;
  } catch {
    return null;
  }
}

/** Identifies the running program, and changes with each build or installation. */
export function ownBuild(started: string = process.argv[1] ?? ''): string {
  try {
    // npm starts it by a link, messages name the file.
    const program = realpathSync(started);
    return `${program} ${statSync(program).mtimeMs}`;
  } catch {
    return started;
  }
}
