import { createInterface } from 'node:readline/promises';
import { withOwnCommands } from '../core/machine/command-line.ts';
import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import { MANIFESTS } from '../../shared/core/tools/index.ts';
import { isReserved } from '../core/registry/registry.ts';
import type { OfferedTool } from '../core/upstreams.ts';
import { createRedactor } from '../libraries/redaction/index.ts';
import {
  createUpstreams,
  readUpstreams,
  trustOf,
  type ConfigPlaces,
  type UpstreamReport,
  type Upstreams,
  isDocument,
  type RemoteEntry,
} from './index.ts';
import { escapeControls, plain, quiet, styleOf, type CommandIo, type Style } from '../core/command-io.ts';
import { deadlineSignal } from '../../shared/base/async.ts';
import { distinctIds, unknownUpstream } from './names.ts';

/** Flags of `spillway upstream accept`. */
export interface UpstreamAcceptOptions extends ConfigPlaces {
  readonly id: string;
  /** Without a question, for scripts. */
  readonly yes: boolean;
  /** Asks the person; resolves to whether they said yes. */
  readonly ask: (question: string) => Promise<boolean>;
}

const CONNECT_MS = 40_000;

/** Connects to every upstream once, inspects it, and ends it again. */
export async function withUpstreams<T>(
  options: ConfigPlaces,
  work: (upstreams: Upstreams) => Promise<T>,
): Promise<T> {
  const names = new Set<string>(MANIFESTS.map(({ name }) => name));
  const upstreams = createUpstreams({
    entries: readUpstreams(options),
    trust: trustOf(options.home),
    isTaken: (name) => names.has(name) || isReserved(name),
    redactorsWith: (secrets) => ({
      all: createRedactor({ enabled: true, secrets }),
      known: createRedactor({ enabled: false, secrets }),
    }),
    logger: quiet,
    home: options.home,
    isVisitor: true,
  });
  try {
    await upstreams.awaitSettled(AbortSignal.timeout(CONNECT_MS));
    return await work(upstreams);
  } finally {
    await upstreams.close();
  }
}

/**
 * `spillway upstream list`: each upstream, its state, and tools that wait for acceptance. Resolves to the
 * exit code: 1 if one has failed.
 * @throws SpillwayError `invalid_argument` for an invalid file of upstreams
 */
export async function runUpstreamList(options: ConfigPlaces, io: CommandIo): Promise<number> {
  return withUpstreams(options, async (upstreams) => {
    const report = upstreams.report();
    if (report.length === 0) io.write('There are no upstreams.\n');
    for (const each of report) io.write(`${formatReport(each, styleOf(io))}\n`);
    return report.some(({ state }) => state !== 'ready') ? 1 : 0;
  });
}

function formatReport(
  { id, target, state, problem, tools, unaccepted }: UpstreamReport,
  style: Style,
): string {
  const mark = state === 'ready' ? style.good('✓') : style.bad('✗');
  const facts = state === 'ready' ? `${tools} tools` : plain(problem ?? 'it did not answer in time');
  const count = tools === 0 ? '' : `${unaccepted} `;
  const waits =
    unaccepted === 0
      ? ''
      : style.caution(withOwnCommands(`, ${count}not accepted: \`spillway upstream accept ${id}\``));
  return `${mark} ${id}  ${plain(target)}  ${facts}${waits}`;
}

/**
 * `spillway upstream accept ID`: shows an upstream and its current tools, and records that the person accepts
 * them. Resolves to the exit code: 1 if they do not.
 * @throws SpillwayError `invalid_argument` for an unknown id, `upstream_error` for one that is not connected
 */
export async function runUpstreamAccept(options: UpstreamAcceptOptions, io: CommandIo): Promise<number> {
  return withUpstreams(options, async (upstreams) => {
    const { id, yes, ask } = options;
    const { revision, tools: offered } = upstreams.offer(id);
    const found = upstreams.report().find((each) => each.id === id);
    if (found?.state !== 'ready')
      throw new SpillwayError(
        'upstream_error',
        `The upstream ${id} is not connected: ${found?.problem ?? 'it did not answer in time'}.`,
      );
    const style = styleOf(io);
    io.write(`${style.strong(id)}: ${escapeControls(found.target)}\n\n`);
    for (const offer of offered) io.write(`${describeTool(offer, style)}\n`);
    const what = offered.length === 0 ? 'the resources and prompts' : `these ${offered.length} tools`;
    const question = `\nMay agents see and use ${what} of ${id}?`;
    if (!yes && !(await ask(question))) {
      io.write('Nothing was accepted.\n');
      return 1;
    }
    await upstreams.accept(id, revision);
    io.write(`Accepted: ${what.replace('these ', '')} of ${id}.\n`);
    return 0;
  });
}

function describeTool({ tool, distrust }: OfferedTool, style: Style): string {
  const state = distrust === null ? '' : style.caution(distrust === 'changed' ? ' (changed)' : ' (new)');
  const kind = tool.isReadOnly ? 'says that it only reads' : 'may change things';
  // A person sees all of it: text meant only for the agent may be at its end.
  const { rawName, title, description, inputSchema, outputSchema } = tool;
  const texts = [...(title === undefined ? [] : [`called “${title}”`]), ...description.split('\n')];
  const fields = [
    `takes ${JSON.stringify(inputSchema)}`,
    ...(outputSchema === undefined ? [] : [`answers ${JSON.stringify(outputSchema)}`]),
  ];
  const indented = (line: string): string => `      ${escapeControls(line)}`;
  return [
    `  ${style.strong(escapeControls(rawName))}${state}, ${kind}`,
    ...texts.map(indented),
    ...fields.map((line) => style.faint(indented(line))),
  ].join('\n');
}

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
    throw invalidArgument(
      `The upstream ${id} is not an MCP server at an address.`,
      'Sign-ins are for entries with url. Others take their credentials from env or headers.',
    );
  const named = Object.keys(entry.headers).find((name) => name.toLowerCase() === 'authorization');
  if (named !== undefined || entry.oauth?.grant === 'client_credentials')
    throw invalidArgument(
      `The upstream ${id} has credentials in its entry.`,
      `Remove ${named === undefined ? 'oauth.grant' : `headers.${named}`} of the entry to sign in as a person.`,
    );
  return entry;
}

/**
 * `spillway upstream login ID`: opens the browser at an upstream's sign-in, and waits until the person
 * returns. Resolves to the exit code.
 * @throws SpillwayError `invalid_argument`, `upstream_error`, `timeout` after five minutes
 */
export async function runUpstreamLogin(options: UpstreamLoginOptions, io: CommandIo): Promise<number> {
  const { home, id, open, onLine, signal } = options;
  const entry = entryOf(options);
  const { login } = await import('./mcp/oauth/login.ts');
  const style = styleOf(io);
  const late = (): SpillwayError =>
    new SpillwayError('timeout', 'Nobody has signed in within five minutes.', {
      hint: 'Run the command again.',
    });
  const until = deadlineSignal(LOGIN_MS, late, signal);
  let stop = (): void => undefined;
  try {
    const { server, scope } = await login({
      home,
      id,
      entry,
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
    until.release();
    stop();
  }
}

/**
 * `spillway upstream logout ID`: forgets the sign-in to an upstream, and tells its service. Resolves to the
 * exit code.
 * @throws SpillwayError `invalid_argument`
 */
export async function runUpstreamLogout(
  options: ConfigPlaces & { readonly id: string },
  io: CommandIo,
): Promise<number> {
  const { home, id } = options;
  const { url } = entryOf(options);
  const { logout } = await import('./mcp/oauth/login.ts');
  const { wasSignedIn, isRevoked } = await logout({ home, id, url }, AbortSignal.timeout(LOGOUT_MS));
  const why = isRevoked === null ? 'offers no way to take tokens back' : 'did not take the tokens back';
  if (!wasSignedIn) io.write(`Nobody was signed in to ${id}.\n`);
  else if (isRevoked === true) io.write(`Signed out of ${id}. Its service has taken the tokens back.\n`);
  else
    io.write(`Signed out of ${id} here. Its service ${why}: remove Spillway in your account there, too.\n`);
  return 0;
}

/** Lines that a person types. Returns an unsubscribe function. */
export function onTerminalLine(listener: (line: string) => void): () => void {
  if (!process.stdin.isTTY) return () => undefined;
  const lines = createInterface({ input: process.stdin });
  lines.on('line', listener);
  return () => lines.close();
}

/** Anything but yes means no, even if nobody can answer. */
export async function askOnTerminal(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}
