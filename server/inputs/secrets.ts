import { parseEnv } from 'node:util';
import { SpillwayError, invalidArgument } from '../../shared/errors.ts';
import type { KnownSecret, Secrets } from '../core/services.ts';
import { readGiven } from '../machine/given-file.ts';
import { isSite } from '../../shared/policy/sites.ts';

/** A shorter value would match everywhere by chance. */
const VALUE_LEAST = 4;
const VALUE_MOST = 4_096;
const SECRETS_MOST = 256;

const ASSIGNMENT = /^\s*(?:export\s+)?(?<name>[A-Za-z_]\w{0,63})(?:@(?<sites>[^\s=]+))?\s*=\s*(?<rest>.*)$/s;
const QUOTES = new Set(['"', "'", '`']);

/** The refusal of a line, without its content. */
type ErrorAtLine = (line: number, why: string) => SpillwayError;

interface Statement {
  readonly line: number;
  readonly name: string;
  /** The text after `@`: where it may be typed. */
  readonly sites: readonly string[];
  /** The text after `=`, over several lines if it is quoted. */
  readonly rest: string;
}

/** The closing quote of a quoted value; -1 if there is none. */
const closing = (rest: string): number => rest.indexOf(rest.charAt(0), 1);

/** Splits a file into its assignments. */
function* statementsOf(source: string, refuse: ErrorAtLine): Generator<Statement, void> {
  const lines = source.replace(/^\ufeff/, '').split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const line = at + 1;
    const text = lines[at] ?? '';
    if (/^\s*(?:#|$)/.test(text)) continue;
    const { name, sites = '', rest: first = '' } = ASSIGNMENT.exec(text)?.groups ?? {};
    if (name === undefined) throw refuse(line, 'it is not NAME=value');
    let rest = first;
    if (QUOTES.has(rest.charAt(0)))
      while (closing(rest) < 0) {
        at += 1;
        if (at >= lines.length) throw refuse(line, `the quote of ${name} is not closed`);
        rest += `\n${lines[at] ?? ''}`;
      }
    yield { line, name, sites: sites === '' ? [] : sites.split(','), rest };
  }
}

/** Refuses syntax that programs read differently: nobody should discover that through a wrong password. */
function checkRest({ line, name, sites, rest }: Statement, refuse: ErrorAtLine): void {
  const wrong = sites.find((site) => !isSite(site) || site.startsWith('@'));
  if (wrong !== undefined) throw refuse(line, `the sites of ${name} hold ${JSON.stringify(wrong)}`);
  if (QUOTES.has(rest.charAt(0))) {
    if (!/^\s*(?:#.*)?$/s.test(rest.slice(closing(rest) + 1)))
      throw refuse(line, `there is text behind the quotes of ${name}`);
  } else if (/\S#/.test(rest.replace(/(?:^|\s)#.*$/s, '')))
    throw refuse(line, `the value of ${name} contains a #: put it in quotes`);
}

/**
 * The values of a dotenv file, as `node --env-file` reads them; anything that it would skip or cut is
 * refused. `NAME@bank.example,*.bank.example=value` may be typed only at these sites (patterns as in rules).
 */
function parseSecrets(source: string, refuse: ErrorAtLine): KnownSecret[] {
  const found = new Map<string, KnownSecret>();
  for (const statement of statementsOf(source, refuse)) {
    const { line, name, sites, rest } = statement;
    checkRest(statement, refuse);
    const value = parseEnv(`${name}=${rest}\n`)[name] ?? '';
    if (found.has(name)) throw refuse(line, `${name} is there twice`);
    if (value.trim().length < VALUE_LEAST)
      throw refuse(line, `the value of ${name} is shorter than ${VALUE_LEAST} characters`);
    if (value.length > VALUE_MOST)
      throw refuse(line, `the value of ${name} is longer than ${VALUE_MOST} characters`);
    if (found.size === SECRETS_MOST) throw refuse(line, `there are more than ${SECRETS_MOST} values`);
    found.set(name, { name, value, ...(sites.length > 0 && { sites }) });
  }
  return [...found.values()];
}

const FILE_MAX_BYTES = 256 * 1_024;
const REFERENCE = /^secret:(?<name>\S+)$/;
const NAME = /^[A-Za-z_]\w{0,63}$/;

/** Secrets with what the redactor needs: the values themselves. */
export interface KnownSecrets extends Secrets {
  readonly known: readonly KnownSecret[];
}

/**
 * The values of `--secrets`, read once, at the start. Without a file there are none.
 * @throws SpillwayError `invalid_argument` for a file that other users can read or that does not parse; it
 *   names the line and no value.
 */
export function readSecrets(path: string | undefined): KnownSecrets {
  if (path === undefined) return secretsOf([]);
  const maxBytes = FILE_MAX_BYTES;
  const ifRead = 'if others may have read it, change its values.';
  const source = readGiven({ flag: '--secrets', path, maxBytes, isSecret: true, ifRead });
  return secretsOf(parseSecrets(source, (line, why) => refusal(`${path}, line ${line}: ${why}.`)));
}

/** @param known of one name each */
export function secretsOf(known: readonly KnownSecret[]): KnownSecrets {
  const byName = new Map(known.map((secret) => [secret.name, secret]));
  const names = [...byName.keys()];
  const hint =
    names.length === 0
      ? 'The server has no secrets. Ask the person to log in, or to start it with --secrets FILE, with a line NAME=value for each.'
      : `Pass secret:NAME. The names are ${names.join(', ')}.`;
  const find = (name: string): KnownSecret => {
    const secret = byName.get(name);
    if (secret !== undefined) return secret;
    const form = NAME.test(name) ? '' : ': a name has only letters, digits and _, and begins with no digit';
    const message = `There is no secret "${name.slice(0, 64)}"${form}.`;
    throw new SpillwayError('secret_not_found', message, { hint });
  };
  return {
    known,
    names,
    hint,
    get: (name) => find(name).value,
    resolve: (text) => {
      const name = REFERENCE.exec(text)?.groups?.['name'];
      if (name === undefined) return { value: text, sites: null };
      const { value, sites = [] } = find(name);
      return { value, sites };
    },
  };
}

const refusal = (message: string, hint = 'Correct the file, or start without --secrets.'): SpillwayError =>
  invalidArgument(`--secrets: ${message}`, hint);
