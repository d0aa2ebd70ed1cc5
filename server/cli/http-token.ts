import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { invalidArgument, SpillwayError } from '../../shared/base/errors.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { commandLine } from '../core/machine/command-line.ts';
import { errnoOf } from '../core/machine/errno.ts';
import { readIfGiven } from '../core/machine/given-file.ts';

export interface HttpToken {
  /** Null if the person declined one. */
  readonly value: string | null;
  /** Where a client's owner finds it. */
  readonly about: string;
  /** Its form for a shell and for a JSON file. Contains the token only if that is new and stored nowhere. */
  readonly header: { readonly shell: string; readonly json: string } | null;
}

const TOKEN_VARIABLE = 'SPILLWAY_TOKEN';
const TOKEN_MIN_LENGTH = 16;
const FILE_MAX_BYTES = 64 * 1_024;
const IF_READ = 'if others may have read it, delete it to get a new token.';
const BEARER = 'Authorization: Bearer';

const makeToken = (): string => randomBytes(32).toString('base64url');

/**
 * The token in the file, which is created with a new one of 256 bits if missing; `SPILLWAY_TOKEN`; or a new
 * one.
 * @param wish.noToken `--http-no-token`
 * @param wish.file `--http-token-file`, absolute
 * @throws SpillwayError `invalid_argument` for a token that could be guessed, a file that other users
 *   can read, or two sources that differ.
 */
export function resolveToken(
  { noToken, file }: { readonly noToken: boolean; readonly file: string | undefined },
  given = process.env[TOKEN_VARIABLE] ?? '',
): HttpToken {
  if (file !== undefined && noToken)
    throw invalidArgument('--http-token-file and --http-no-token exclude each other.');
  if (noToken)
    return {
      value: null,
      about: 'WITHOUT a token: any program of any user on this machine can now control the browser',
      header: null,
    };
  // The lines printed for Codex export the token of the file.
  if (file !== undefined && given !== '' && !(existsSync(file) && readOrMake(file) === given))
    throw invalidArgument(
      `--http-token-file and ${TOKEN_VARIABLE} exclude each other.`,
      'Leave one of them out.',
    );
  if (file !== undefined)
    return {
      value: expectToken(readOrMake(file), '--http-token-file'),
      about: `${BEARER}, with the token in ${file}`,
      header: { shell: `$(cat ${commandLine([file])})`, json: `<the token in ${file}>` },
    };
  if (given !== '')
    return {
      value: expectToken(given, TOKEN_VARIABLE),
      about: `${BEARER}, with the token of ${TOKEN_VARIABLE}`,
      header: { shell: `$${TOKEN_VARIABLE}`, json: `\${${TOKEN_VARIABLE}}` },
    };
  const made = makeToken();
  return { value: made, about: `${BEARER} ${made}`, header: { shell: made, json: made } };
}

function expectToken(token: string, name: string): string {
  if (token.length >= TOKEN_MIN_LENGTH && /^[\x21-\x7e]+$/.test(token)) return token;
  throw invalidArgument(
    `${name}: it takes at least ${TOKEN_MIN_LENGTH} printable characters without spaces.`,
  );
}

function readOrMake(path: string): string {
  try {
    return readPrivate(path) ?? makeFile(path);
  } catch (cause) {
    if (cause instanceof SpillwayError) throw cause;
    throw invalidArgument(`--http-token-file: ${path} cannot be used (${messageOf(cause)}).`);
  }
}

const readPrivate = (path: string): string | null =>
  readIfGiven({
    flag: '--http-token-file',
    path,
    maxBytes: FILE_MAX_BYTES,
    isSecret: true,
    ifRead: IF_READ,
  })?.trimEnd() ?? null;

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

/** The server's address, the token to send, and the configuration of three clients. */
export function announcement(url: string, { about, header }: HttpToken): string {
  const claude = header === null ? '' : ` --header "${BEARER} ${header.shell}"`;
  const codex = header === null ? '' : ` --bearer-token-env-var ${TOKEN_VARIABLE}`;
  // Codex reads the token from its environment each time it starts.
  const isExported = header === null || header.shell === `$${TOKEN_VARIABLE}`;
  const before = isExported ? '' : `export ${TOKEN_VARIABLE}="${header.shell}"; `;
  const headers = header === null ? {} : { headers: { Authorization: `Bearer ${header.json}` } };
  return [
    `spillway listens on ${url}`,
    `  ${about}`,
    '',
    `  Claude Code   claude mcp add --transport http spillway ${url}${claude}`,
    `  Codex         ${before}codex mcp add spillway --url ${url}${codex}`,
    `  Others        ${JSON.stringify({ mcpServers: { spillway: { type: 'http', url, ...headers } } })}`,
    '',
  ].join('\n');
}
