import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SpillwayError } from '../../shared/errors.ts';
import { messageOf } from '../../shared/message-of.ts';
import { commandLine } from '../machine/command-line.ts';
import { errnoOf, isMissing } from '../machine/errno.ts';

export type HttpToken =
  | { readonly source: 'none'; readonly value: null }
  | { readonly source: 'environment' | 'made'; readonly value: string }
  | { readonly source: 'file'; readonly value: string; readonly path: string };

export interface TokenWish {
  /** `--http-no-token`. */
  readonly noToken: boolean;
  /** `--http-token-file`, absolute. */
  readonly file: string | undefined;
}

const TOKEN_VARIABLE = 'SPILLWAY_TOKEN';
const TOKEN_MIN_LENGTH = 16;
const GROUP_AND_OTHERS = 0o077;

const refuse = (message: string, hint?: string): never => {
  throw new SpillwayError('invalid_argument', message, hint === undefined ? {} : { hint });
};

const makeToken = (): string => randomBytes(32).toString('base64url');

/**
 * The token in the file, which is created with a new one of 256 bits if missing; `SPILLWAY_TOKEN`; or a new
 * one. Null if the caller declined one.
 * @throws SpillwayError `invalid_argument` for a token that could be guessed, a file that other users
 *   can read, or two sources at once.
 */
export function resolveToken(
  { noToken, file }: TokenWish,
  given = process.env[TOKEN_VARIABLE] ?? '',
): HttpToken {
  if (file !== undefined && noToken)
    return refuse('--http-token-file and --http-no-token exclude each other.');
  if (noToken) return { value: null, source: 'none' };
  if (file !== undefined && given !== '')
    return refuse(`--http-token-file and ${TOKEN_VARIABLE} exclude each other.`, 'Leave one of them out.');
  if (file !== undefined)
    return { value: checked(readOrMake(file), '--http-token-file'), source: 'file', path: file };
  if (given === '') return { value: makeToken(), source: 'made' };
  return { value: checked(given, TOKEN_VARIABLE), source: 'environment' };
}

function checked(token: string, name: string): string {
  if (token.length >= TOKEN_MIN_LENGTH && /^[\x21-\x7e]+$/.test(token)) return token;
  return refuse(`${name}: it takes at least ${TOKEN_MIN_LENGTH} printable characters without spaces.`);
}

function readOrMake(path: string): string {
  try {
    return readPrivate(path) ?? makeFile(path);
  } catch (cause) {
    if (cause instanceof SpillwayError) throw cause;
    return refuse(`--http-token-file: ${path} cannot be used (${messageOf(cause)}).`);
  }
}

function readPrivate(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  try {
    const stats = fstatSync(file);
    if (process.platform !== 'win32' && (stats.mode & GROUP_AND_OTHERS) !== 0)
      return refuse(
        `--http-token-file: other users can read ${path}.`,
        'Run `chmod 600` on it; if others may have read it, delete it to get a new token.',
      );
    return readFileSync(file, 'utf8').trimEnd();
  } finally {
    closeSync(file);
  }
}

function makeFile(path: string): string {
  const token = makeToken();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, `${token}\n`, { mode: 0o600, flag: 'wx' });
    return token;
  } catch (error) {
    // Another server has just created it.
    const winner = errnoOf(error) === 'EEXIST' ? readPrivate(path) : null;
    if (winner === null || winner === '') throw error;
    return winner;
  }
}

/** Prints on stderr, once, the server's address, the token to send, and the configuration of three clients. */
export function announceHttp(url: string, token: HttpToken): void {
  process.stderr.write(announcement(url, token));
}

/** The text of {@link announceHttp}. It contains the token only if that is new and stored nowhere. */
export function announcement(url: string, token: HttpToken): string {
  return [`spillway listens on ${url}`, `  ${authorization(token)}`, ...clients(url, token), ''].join('\n');
}

function authorization(token: HttpToken): string {
  switch (token.source) {
    case 'made':
      return `Authorization: Bearer ${token.value}`;
    case 'environment':
      return `Authorization: Bearer, with the token of ${TOKEN_VARIABLE}`;
    case 'file':
      return `Authorization: Bearer, with the token in ${token.path}`;
    case 'none':
      return 'WITHOUT a token: any program of any user on this machine can now control the browser';
  }
}

function clients(url: string, token: HttpToken): string[] {
  const header = headerFor(token);
  const claude = header === null ? '' : ` --header "Authorization: Bearer ${header.shell}"`;
  const codex = header === null ? '' : ` --bearer-token-env-var ${TOKEN_VARIABLE}`;
  // Codex reads the token from its environment each time it starts.
  const isExported = header === null || token.source === 'environment';
  const before = isExported ? '' : `export ${TOKEN_VARIABLE}="${header.shell}"; `;
  const entry = {
    type: 'http',
    url,
    ...(header === null ? {} : { headers: { Authorization: `Bearer ${header.json}` } }),
  };
  return [
    '',
    `  Claude Code   claude mcp add --transport http spillway ${url}${claude}`,
    `  Codex         ${before}codex mcp add spillway --url ${url}${codex}`,
    `  Others        ${JSON.stringify({ mcpServers: { spillway: entry } })}`,
  ];
}

/** The token in the form for a shell and for a JSON file. */
function headerFor(token: HttpToken): { readonly shell: string; readonly json: string } | null {
  switch (token.source) {
    case 'made':
      return { shell: token.value, json: token.value };
    case 'environment':
      return { shell: `$${TOKEN_VARIABLE}`, json: `\${${TOKEN_VARIABLE}}` };
    case 'file':
      return { shell: `$(cat ${commandLine([token.path])})`, json: `<the token in ${token.path}>` };
    case 'none':
      return null;
  }
}
