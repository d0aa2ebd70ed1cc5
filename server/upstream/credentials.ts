import type { KnownSecret } from '../core/services.ts';
import { parseUrl } from '../toolkit/urls.ts';
import type { UpstreamEntry } from './config.ts';

/** Names of headers and variables whose values are credentials. */
const NAMED = /auth|cookie|key|token|secret|passw|credential/i;
const VARIABLE = /\$\{(?<variable>[A-Za-z_]\w*)\}/g;
const SCHEME = /^(?:bearer|basic|token|apikey)\s+/i;
/** What is shorter is in many texts. */
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

/** What addresses of an entry have in their queries, by name. */
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
