import type { KnownSecret } from '../core/services.ts';
import type { UpstreamEntry } from './config.ts';

/** Names of headers and variables whose values are credentials. */
const NAMED = /auth|cookie|key|token|secret|passw|credential/i;
const VARIABLE = /\$\{(?<variable>[A-Za-z_]\w*)\}/g;
const SCHEME = /^(?:bearer|basic|token|apikey)\s+/i;
/** What is shorter is in many texts. */
export const SHORTEST_UNITS = 8;

/**
 * The credentials that an entry gives its upstream: what its variables are filled with, and the values of headers and
 * variables that are called like one. An upstream may say them back.
 */
export function credentialsOf(entry: UpstreamEntry, environment: NodeJS.ProcessEnv): readonly KnownSecret[] {
  const given = 'command' in entry ? entry.env : entry.headers;
  const { clientSecret } = ('oauth' in entry ? entry.oauth : undefined) ?? {};
  const values = Object.entries({
    ...given,
    ...(clientSecret === undefined ? {} : { clientSecret }),
  }).flatMap(([name, written]) => {
    const variables = [...written.matchAll(VARIABLE)].map(({ groups }) => groups?.['variable'] ?? '');
    const filled = variables.map((variable) => environment[variable] ?? '');
    const whole = written.replaceAll(VARIABLE, (_all, variable: string) => environment[variable] ?? '');
    return [...filled, ...(NAMED.test(name) ? [whole.replace(SCHEME, ''), ...passwordOf(whole)] : [])];
  });
  return [...new Set(values)]
    .filter((value) => value.length >= SHORTEST_UNITS)
    .map((value) => ({ name: 'credential', value }));
}

/** Of `user:password`: the password, and both as they are sent. */
function passwordOf(value: string): readonly string[] {
  const at = value.indexOf(':');
  if (at < 1 || /\s/.test(value)) return [];
  return [value.slice(at + 1), Buffer.from(value).toString('base64')];
}
