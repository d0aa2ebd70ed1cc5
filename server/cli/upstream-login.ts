import { anySignal } from '../../shared/async/abort.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { isDocument, readUpstreams, type ConfigPlaces, type RemoteEntry } from '../upstream/index.ts';
import { distinctIds, unknownUpstream } from '../upstream/names.ts';
import { plain, styleOf, type CommandIo } from './command-io.ts';

const LOGIN_MS = 5 * 60_000;
const LOGOUT_MS = 20_000;

/** Flags of `spillway upstream login`. */
export interface UpstreamLoginOptions extends ConfigPlaces {
  readonly id: string;
  /** Opens an address in the person's browser. Rejects if no browser can be started. */
  readonly open: (address: string) => Promise<unknown>;
  /** Calls back with each line that the person types. Returns an unsubscribe function. */
  readonly onLine: (listener: (line: string) => void) => () => void;
  /** Ends the wait for the person. */
  readonly signal?: AbortSignal;
}

/** @throws SpillwayError `invalid_argument` for an unknown id, or one that is not of an MCP server at an address */
function entryOf(options: ConfigPlaces & { readonly id: string }): RemoteEntry {
  const { id } = options;
  const entries = readUpstreams(options);
  const ids = distinctIds(entries.map((entry) => entry.id));
  const entry = entries[ids.indexOf(id)];
  if (entry === undefined) throw unknownUpstream(id, ids);
  if ('command' in entry || isDocument(entry))
    throw new SpillwayError('invalid_argument', `The upstream ${id} is not an MCP server at an address.`, {
      hint: 'Sign-ins are for entries with url. Others take their credentials from env or headers.',
    });
  const named = Object.keys(entry.headers).find((name) => name.toLowerCase() === 'authorization');
  if (named !== undefined || entry.oauth?.grant === 'client_credentials')
    throw new SpillwayError('invalid_argument', `The upstream ${id} has credentials in its entry.`, {
      hint: `Remove ${named === undefined ? 'oauth.grant' : `headers.${named}`} of the entry to sign in as a person.`,
    });
  return entry;
}

/**
 * `spillway upstream login ID`: opens the browser at the sign-in of an upstream, and waits until the person comes back.
 * Resolves to the exit code.
 *
 * @throws SpillwayError `invalid_argument`, `upstream_error`, `timeout` after five minutes
 */
export async function runUpstreamLogin(options: UpstreamLoginOptions, io: CommandIo): Promise<number> {
  const { home, id, open, onLine, signal } = options;
  const entry = entryOf(options);
  const { login } = await import('../upstream/mcp/oauth/login.ts');
  const style = styleOf(io);
  const late = new AbortController();
  const timer = setTimeout(
    () =>
      late.abort(
        new SpillwayError('timeout', 'Nobody has signed in within five minutes.', {
          hint: 'Run the command again.',
        }),
      ),
    LOGIN_MS,
  );
  const until = anySignal([late.signal, signal]);
  let stop = (): void => undefined;
  try {
    const { server, scope } = await login({
      home,
      id,
      entry,
      environment: process.env,
      signal: until.signal,
      show: ({ href, host }, paste) => {
        io.write(
          `Sign in to ${style.strong(id)} at ${host}. Your browser opens; if it does not, go to\n\n  ${href}\n\n`,
        );
        io.write('Is that browser on another machine? Then paste the address here at which it ends.\n');
        stop = onLine((line) => {
          if (line.trim() !== '' && !paste(line.trim()))
            io.write('That is not the answer to this sign-in: paste the whole address.\n');
        });
        open(href).catch(() => undefined);
      },
    });
    const allowed = scope === null ? '' : ` It allows: ${plain(scope)}.`;
    io.write(
      `${style.good('✓')} Signed in to ${id} by ${plain(server)}.${allowed} Servers that run notice it by themselves.\n`,
    );
    return 0;
  } finally {
    clearTimeout(timer);
    until.release();
    stop();
  }
}

/**
 * `spillway upstream logout ID`: forgets the sign-in to an upstream, and tells its service. Resolves to the exit code.
 *
 * @throws SpillwayError `invalid_argument`
 */
export async function runUpstreamLogout(
  options: ConfigPlaces & { readonly id: string },
  io: CommandIo,
): Promise<number> {
  const { home, id } = options;
  const { url } = entryOf(options);
  const { logout } = await import('../upstream/mcp/oauth/logout.ts');
  const { wasSignedIn, isRevoked } = await logout({ home, id, url }, AbortSignal.timeout(LOGOUT_MS));
  if (!wasSignedIn) io.write(`Nobody was signed in to ${id}.\n`);
  else if (isRevoked === true) io.write(`Signed out of ${id}. Its service has taken the tokens back.\n`);
  else
    io.write(
      `Signed out of ${id} here. Its service ${isRevoked === null ? 'offers no way to take tokens back' : 'did not take the tokens back'}: remove Spillway in your account there, too.\n`,
    );
  return 0;
}
