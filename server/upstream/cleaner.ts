import type { JsonValue } from '../../shared/json.ts';
import { withoutEscapes } from '../../shared/json-escapes.ts';
import { parseJson } from '../../shared/json-schema.ts';
import type { CleanPayload, RawPayload } from '../core/result.ts';
import type { KnownSecret, Redactor } from '../core/services.ts';
import type { Clean } from '../redact/clean.ts';
import { parseUrl } from '../toolkit/urls.ts';
import type { UpstreamEntry } from './config.ts';

/** A text without the escapes that it does not need, if it is JSON: they could hide a secret from the rules for text. */
export function plainText(text: string): string {
  if (!/\\[u/]/.test(text) || !/^\s*[[{"]/.test(text)) return text;
  try {
    parseJson(text);
  } catch {
    return text;
  }
  return withoutEscapes(text);
}

/** Redacts what an upstream says: the door through which all of it passes. */
export interface Cleaner {
  /** Values; their shapes stay. */
  json<T extends JsonValue>(value: T): Clean<T>;
  payload(payload: RawPayload): CleanPayload;
  /** A text that is JSON, before it is redacted: without escapes that hide what the rules for text look for. */
  plain(this: void, text: string): string;
}

export interface UpstreamCleaners {
  /** Everything that is secret or invisible, and the credentials of its entry. */
  readonly redact: Cleaner;
  /** Values of `--secrets`, and the credentials of its entry. */
  readonly redactOwn: Cleaner;
}

/** @param redactors of everything, and of known secrets alone */
export function cleanersOf(redactors: {
  readonly all: Redactor;
  readonly known: Redactor;
}): UpstreamCleaners {
  return {
    redact: cleanerOf(redactors.all, plainText),
    redactOwn: cleanerOf(redactors.known, (text) => text),
  };
}

/** Cleaners that are made again when the secrets that they know have changed. */
export function changingCleaners(
  secretsNow: () => readonly KnownSecret[],
  make: (secrets: readonly KnownSecret[]) => UpstreamCleaners,
): UpstreamCleaners {
  let known: readonly KnownSecret[] = secretsNow();
  let made = make(known);
  const now = (): UpstreamCleaners => {
    const secrets = secretsNow();
    const isSame =
      secrets.length === known.length && secrets.every(({ value }, at) => known[at]?.value === value);
    if (!isSame) [known, made] = [secrets, make(secrets)];
    return made;
  };
  const cleaner = (of: keyof UpstreamCleaners): Cleaner => ({
    json: (value) => now()[of].json(value),
    payload: (payload) => now()[of].payload(payload),
    plain: (text) => now()[of].plain(text),
  });
  return { redact: cleaner('redact'), redactOwn: cleaner('redactOwn') };
}

const cleanerOf = (redactor: Redactor, plain: Cleaner['plain']): Cleaner => ({
  plain,
  json<T extends JsonValue>(value: T): Clean<T> {
    return redactor.value(value);
  },
  payload(payload: RawPayload): CleanPayload {
    return redactor.payload(payload).payload;
  },
});

/** What programs need to run at all, and what holds no secret. */
const COMMON = (
  'PATH HOME USER LOGNAME SHELL TERM TMPDIR TEMP TMP LANG LANGUAGE TZ SystemRoot ' +
  'SystemDrive ComSpec PATHEXT USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA ' +
  'ProgramFiles USERNAME'
).split(' ');

const DEPTH = 'SPILLWAY_UPSTREAM_DEPTH';
const DEPTH_MAX = 3;

const depthOf = (environment: NodeJS.ProcessEnv): number => Number(environment[DEPTH] ?? 0) || 0;

/** Whether this process may have upstreams. One that a Spillway started needs them named on its command line: the file of its home may name itself. */
export function mayStart(environment: NodeJS.ProcessEnv, isNamed: boolean): boolean {
  const depth = depthOf(environment);
  return depth === 0 || (isNamed && depth < DEPTH_MAX);
}

/** The whole environment of an upstream: a few common variables of ours, and what its entry has. Nothing else of ours reaches it. */
export function environmentOf(
  env: Readonly<Record<string, string>>,
  ours: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  const common = Object.entries(ours).flatMap(([name, value]): [string, string][] =>
    value !== undefined && (COMMON.includes(name) || name.startsWith('LC_')) ? [[name, value]] : [],
  );
  return { ...Object.fromEntries(common), ...env, [DEPTH]: String(depthOf(ours) + 1) };
}

/** Names of headers and variables whose values are credentials. */
const NAMED = /auth|cookie|key|token|secret|passw|credential/i;
const VARIABLE = /\$\{(?<variable>[A-Za-z_]\w*)\}/g;
const SCHEME = /^(?:bearer|basic|token|apikey)\s+/i;
export const SHORTEST_UNITS = 8;

/**
 * The credentials that an entry gives its upstream: what its variables are filled with, and the values of headers,
 * variables and parts of an address that are called like one. An upstream may say them back.
 */
export function credentialsOf(entry: UpstreamEntry, environment: NodeJS.ProcessEnv): readonly KnownSecret[] {
  const given =
    'command' in entry ? Object.entries(entry.env) : [...queryOf(entry), ...Object.entries(entry.headers)];
  const { clientSecret } = ('oauth' in entry ? entry.oauth : undefined) ?? {};
  const all = [...given, ...(clientSecret === undefined ? [] : [['clientSecret', clientSecret] as const])];
  const values = all.flatMap(([name, written]) => {
    const variables = [...written.matchAll(VARIABLE)].map(({ groups }) => groups?.['variable'] ?? '');
    const filled = variables.map((variable) => environment[variable] ?? '');
    const whole = written.replaceAll(VARIABLE, (_all, variable: string) => environment[variable] ?? '');
    return [...filled, ...(NAMED.test(name) ? [whole.replace(SCHEME, ''), ...passwordOf(whole)] : [])];
  });
  // White space at the end of a value is not sent.
  return [...new Set(values.map((value) => value.trim()))]
    .filter((value) => value.length >= SHORTEST_UNITS)
    .map((value) => ({ name: 'credential', value }));
}

function queryOf(entry: Exclude<UpstreamEntry, { command: string }>): readonly (readonly [string, string])[] {
  const { url, baseUrl } = { baseUrl: undefined, ...entry };
  const queries = [url, baseUrl].map((address) => (address === undefined ? null : parseUrl(address)));
  return queries.flatMap((address) => [...(address?.searchParams ?? [])]);
}

/** Of `user:password`: the password, and both as they are sent. */
function passwordOf(value: string): readonly string[] {
  const at = value.indexOf(':');
  if (at < 1 || /\s/.test(value)) return [];
  return [value.slice(at + 1), Buffer.from(value).toString('base64')];
}
