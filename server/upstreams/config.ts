import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { invalidArgument } from '../../shared/base/errors.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { isObject, canonicalJson } from '../../shared/base/json.ts';
import { jsonIn, JsonRecord } from '../../shared/base/json-schema.ts';
import { sha256, readRegularSync } from '../core/machine/files.ts';
import { errnoOf, isMissing } from '../core/machine/errno.ts';
import { readGiven } from '../core/machine/given-file.ts';

/** A part of a word: quoted, a backslash with the next character, or plain. */
const PART =
  /"(?<double>(?:[^"\\]|\\[^])*)"|'(?<single>[^']*)'|\\(?<kept>[^])|(?<plain>[^\s"'\\]+)|(?<space>\s+)/guy;

/**
 * The words of a command line: quotes keep spaces, a backslash keeps the next character. Null for an unclosed
 * quote.
 */
function splitWords(text: string): readonly string[] | null {
  const words: string[] = [];
  let isNew = true;
  let end = 0;
  for (const { 0: all, index, groups = {} } of text.matchAll(PART)) {
    end = index + all.length;
    const { double, single, kept, plain, space } = groups;
    if (space === undefined) {
      const part = double?.replaceAll(/\\([^])/gu, '$1') ?? single ?? kept ?? plain ?? '';
      words.push((isNew ? '' : words.pop()) + part);
    }
    isNew = space !== undefined;
  }
  return end === text.length ? words : null;
}

const CONFIG_FILE = 'spillway.json';

const ID_ERROR = 'It takes 1 to 32 letters, digits, "-" or "_"';

function whole(least: number, most: number) {
  const error = `It takes a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, error).max(most, error);
}

const common = () => ({
  id: z.string({ error: ID_ERROR }).regex(/^[A-Za-z0-9_-]{1,32}$/, ID_ERROR),
  /** Time limit of a call; progress restarts it. */
  timeoutMs: whole(1_000, 3_600_000).default(60_000),
});

/** Fields of both kinds of MCP servers. */
const ofMcp = () => ({
  ...common(),
  /** `policy`: answers are redacted, and stored if they are large. `passthrough`: they pass unchanged. */
  output: z.enum(['policy', 'passthrough'], { error: 'It takes policy or passthrough' }).default('policy'),
  sampling: z.boolean({ error: 'It takes true or false' }).default(false),
});
const address = () =>
  z
    .url({ protocol: /^https?$/, error: 'It takes an http or https address' })
    .refine((url) => !/^\w+:[/\\]*[^/\\?#]*@/.test(url), {
      error: 'It takes an address without a user name or password. Give credentials in headers',
    });
const texts = () =>
  z.array(z.string({ error: 'It takes text' }), { error: 'It takes a list of texts' }).default([]);
const describeNamed = () =>
  z
    .record(z.string(), z.string({ error: 'It takes text' }), { error: 'It takes an object of texts' })
    .default({});
export const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const headers = () =>
  describeNamed().superRefine((given, context) => {
    for (const name of Object.keys(given))
      if (!HEADER_NAME.test(name))
        context.addIssue({ code: 'custom', path: [name], message: 'It is not the name of a header' });
  });
const word = (what: string) => z.string({ error: `It takes ${what}` }).min(1, `It takes ${what}`);

/** An MCP server that Spillway starts. Its environment has `env` and a few common variables, nothing else of ours. */
const commandEntry = () =>
  z.strictObject({
    ...ofMcp(),
    command: word('the name or path of a program'),
    args: texts(),
    env: describeNamed(),
    cwd: word('a folder').optional(),
  });

/** An MCP server at an address. */
const remoteEntry = () =>
  z.strictObject({
    ...ofMcp(),
    url: address(),
    transport: z.enum(['http', 'sse'], { error: 'It takes http or sse' }).default('http'),
    headers: headers(),
    oauth: oauth().optional(),
  });

/**
 * How Spillway signs in to a server that asks for it by OAuth. Absent: as a client that is registered at the
 * sign-in.
 */
const oauth = () =>
  z
    .strictObject({
      clientId: word('the id of a client').optional(),
      clientSecret: word('the secret of a client').optional(),
      /** The authorization server that the client belongs to: its secret goes to no other. */
      issuer: address().optional(),
      /** A document about this program, as its client id (if the service accepts that). */
      clientMetadataUrl: z.url({ protocol: /^https$/, error: 'It takes an https address' }).optional(),
      /** Replaces the scopes that the service requests. */
      scope: word('scopes with blanks between').optional(),
      /** The loopback port that the browser returns to, if a service wants to know it in advance. */
      redirectPort: whole(1, 65_535).optional(),
      /** `client_credentials`: the program signs in as itself, without a person. */
      grant: z
        .enum(['authorization_code', 'client_credentials'], {
          error: 'It takes authorization_code or client_credentials',
        })
        .default('authorization_code'),
    })
    .superRefine(({ clientId, clientSecret, issuer, grant }, context) => {
      const need = (path: string, why: string): void =>
        context.addIssue({ code: 'custom', path: [path], message: `It is needed ${why}` });
      if (grant === 'client_credentials' && clientSecret === undefined)
        need('clientSecret', 'for client_credentials');
      if (clientSecret === undefined) return;
      if (clientId === undefined) need('clientId', 'with clientSecret');
      if (issuer === undefined) need('issuer', 'with clientSecret, which is sent to no other service');
    });

/** A service by its OpenAPI document: the document itself, its address, or its path. */
const documentEntry = () =>
  z.strictObject({
    ...common(),
    docData: z.union([z.string(), JsonRecord], { error: 'It takes a document as text or object' }).optional(),
    url: address().optional(),
    file: word('the path of a document').optional(),
    /** Where requests go; default: the first server of the document. */
    baseUrl: address().optional(),
    headers: describeNamed(),
  });

export type RemoteEntry = z.output<ReturnType<typeof remoteEntry>>;
/** An upstream that is an MCP server: one by command, or one by address. */
export type McpEntry = z.output<ReturnType<typeof commandEntry>> | RemoteEntry;
/** An upstream that is a service with an OpenAPI document. */
type DocumentEntry = z.output<ReturnType<typeof documentEntry>>;
export type UpstreamEntry = McpEntry | DocumentEntry;
/** The same in its written form, with defaults left out. */
export type UpstreamEntryInput = z.input<ReturnType<typeof anyEntry>>;

const anyEntry = () => z.union([commandEntry(), remoteEntry(), documentEntry()]);

const OF_DOCUMENTS = ['docData', 'file', 'baseUrl'];
export const isDocument = (entry: UpstreamEntry): entry is DocumentEntry =>
  OF_DOCUMENTS.some((name) => name in entry);

/** The schema of `spillway.json`. */
export const configSchema = () =>
  z.strictObject({ $schema: z.string().optional(), upstreams: z.array(anyEntry()).default([]) });

const refuse = (where: string, what: string, hint = 'Correct the named field.'): never => {
  throw invalidArgument(`${where}: ${what}.`, hint);
};

/** @throws SpillwayError `invalid_argument` that names each field that does not fit */
function parseBy<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const { data, success, error } = schema.safeParse(value);
  if (success) return data;
  const problems = error.issues.map((issue) => {
    const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
    const what =
      issue.code === 'unrecognized_keys' ? `unknown field ${issue.keys.join(', ')}` : issue.message;
    return `${where}${path.join('')}: ${what}`;
  });
  throw invalidArgument(`${problems.join('; ')}.`, 'Correct the named field.');
}

/**
 * Parses one upstream in its written form.
 * @param where names it in messages
 * @throws SpillwayError `invalid_argument`
 */
export function parseEntry(given: unknown, where: string): UpstreamEntry {
  if (!isObject(given)) return refuse(where, 'It takes an object');
  // Programs write undefined for omitted fields.
  const value = Object.fromEntries(Object.entries(given).filter(([, member]) => member !== undefined));
  if (OF_DOCUMENTS.some((name) => value[name] !== undefined)) {
    const places = ['docData', 'url', 'file'].filter((name) => value[name] !== undefined);
    if (places.length !== 1) return refuse(where, 'It takes one of docData, url and file');
    return parseBy(documentEntry(), value, where);
  }
  const isCommand = value['command'] !== undefined;
  if (isCommand === (value['url'] !== undefined))
    return refuse(where, 'It takes one of command, url, docData and file');
  return isCommand ? parseBy(commandEntry(), value, where) : parseBy(remoteEntry(), value, where);
}

/** An upstream of the command line: `id=command args…` or `id=https://…`. @throws SpillwayError `invalid_argument` */
function parseWords(text: string): UpstreamEntry {
  const at = text.indexOf('=');
  const where = `--upstream ${text.slice(0, 40)}`;
  const [id, target] = [text.slice(0, at), text.slice(at + 1).trim()];
  if (at < 1 || target === '') return refuse(where, 'It takes id=command or id=https://…');
  if (/^https?:\/\//i.test(target)) return parseEntry({ id, url: target }, where);
  const words = splitWords(target);
  if (words === null) return refuse(where, 'A quote is not closed');
  const [command, ...args] = words;
  return parseEntry({ id, command, args }, where);
}

export interface ConfigPlaces {
  readonly home: string;
  /** `--config`. Undefined: {@link CONFIG_FILE} of the home, if it exists. */
  readonly config?: string | undefined;
  /** `--upstream`. */
  readonly upstream?: readonly string[] | undefined;
}

const FILE_MAX_BYTES = 16 * 1_024 * 1_024;

/** The file that a server reads. */
export const configPath = ({ home, config }: Pick<ConfigPlaces, 'home' | 'config'>): string =>
  config ?? join(home, CONFIG_FILE);

/**
 * The upstreams of the file, then those of the command line.
 * @throws SpillwayError `invalid_argument` for a file that cannot be read, is not JSON or has an invalid
 *   field
 */
export function readUpstreams(places: ConfigPlaces): readonly UpstreamEntry[] {
  const { config, upstream = [] } = places;
  const path = configPath(places);
  const source = readText(path, config !== undefined);
  return [...(source === null ? [] : parseFile(source, path)), ...upstream.map(parseWords)];
}

function readText(path: string, isWanted: boolean): string | null {
  if (isWanted) return readGiven({ flag: '--config', path, maxBytes: FILE_MAX_BYTES, isSecret: false });
  try {
    return readRegularSync(path);
  } catch (thrown) {
    if (isMissing(thrown)) return null;
    const why = errnoOf(thrown) ?? 'unknown error';
    return refuse(path, `It cannot be read (${why})`, 'Make it a file that you can read.');
  }
}

function parseFile(source: string, path: string): readonly UpstreamEntry[] {
  // Some editors put a UTF-8 byte order mark before it.
  const text = source.replace(/^\uFEFF/, '');
  const value = jsonIn(text);
  if (value === undefined) return refuse(path, `It is not JSON${locateJsonError(text)}`, NOT_JSON_HINT);
  if (!isObject(value)) return refuse(path, 'It takes an object');
  const { upstreams } = parseBy(
    configSchema().extend({ upstreams: z.array(z.unknown(), { error: 'It takes a list' }).default([]) }),
    value,
    path,
  );
  return upstreams.map((each, index) => {
    const entry = parseEntry(each, `${path}: upstreams[${index}]`);
    const within = (name: string): string => resolve(dirname(path), name);
    if ('cwd' in entry && entry.cwd !== undefined) return { ...entry, cwd: within(entry.cwd) };
    if ('file' in entry && entry.file !== undefined) return { ...entry, file: within(entry.file) };
    return entry;
  });
}

const NOT_JSON_HINT = 'JSON has no comments, no comma after a last item, and quotes around each name.';

/**
 * The first character at which a text stops being JSON. A parser's message quotes the text, which may contain
 * secrets, and not always the place.
 */
function locateJsonError(text: string): string {
  let [isFine, isBad] = [0, text.length];
  if (isBeginning(text)) return ': its end is missing';
  while (isBad - isFine > 1) {
    const middle = (isFine + isBad) >> 1;
    if (isBeginning(text.slice(0, middle))) isFine = middle;
    else isBad = middle;
  }
  const lines = text.slice(0, isFine).split('\n');
  return ` (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1})`;
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (thrown) {
    const message = messageOf(thrown);
    const { position = '' } = / at position (?<position>\d+)/.exec(message)?.groups ?? {};
    return (
      /end of JSON input|Unterminated/.test(message) || (position !== '' && Number(position) >= text.length)
    );
  }
}

/** Fills `${NAME}` from our environment. @throws SpillwayError `invalid_argument` for a variable that is not set */
export function fillVariables(values: Readonly<Record<string, string>>, where: string) {
  const fill = (name: string, value: string): string =>
    value.replaceAll(/\$\{(?<variable>[A-Za-z_]\w*)\}/g, (_all, variable: string) => {
      const found = process.env[variable];
      return found ?? refuse(`${where}.${name}`, `The environment has no ${variable}`);
    });
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fill(name, value)]));
}

/**
 * Refuses values that no header can carry: `fetch` would quote the whole value.
 * @throws SpillwayError `invalid_argument` that names the header
 */
export function expectHeaders(values: Readonly<Record<string, string>>, where: string): void {
  for (const [name, value] of Object.entries(values))
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value.trim()))
      refuse(`${where}.${name}`, 'Its value has a line break, or a character beyond Latin-1', HEADER_HINT);
}
const HEADER_HINT = 'Correct the value, or the variable that it is filled from.';

/** Identifies an upstream to a person: its command line, its document, or its address without secrets. */
export function targetOf(entry: UpstreamEntry): string {
  if ('command' in entry) return [entry.command, ...entry.args].join(' ');
  if (!isDocument(entry)) return addressOf(entry.url);
  const { url, file, baseUrl } = entry;
  const document = file ?? (url === undefined ? 'a document' : addressOf(url));
  return baseUrl === undefined ? document : `${document} at ${addressOf(baseUrl)}`;
}

function addressOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** The hash of everything that determines which server answers: a different one has to be accepted again. */
export function fingerprintOf(entry: UpstreamEntry): string {
  // The hashes of the tools cover the document.
  if (isDocument(entry)) {
    const { url = null, file = null, baseUrl = null } = entry;
    return sha256(canonicalJson({ document: true, url, file, baseUrl }));
  }
  const { command, args, cwd = null, env, url = null, transport = null } = { ...NO_TARGET, ...entry };
  return sha256(canonicalJson({ command, args, cwd, env, url, transport }));
}

const NO_TARGET = { command: null, args: [], cwd: undefined, env: {}, url: null, transport: null };
