import { parseEnv } from 'node:util';
import { isSite } from '../../shared/policy/sites.ts';
import type { KnownSecret } from '../core/services.ts';

/** A shorter value is found everywhere by chance. */
const VALUE_LEAST = 4;
const VALUE_MOST = 4_096;
const SECRETS_MOST = 256;

const ASSIGNMENT = /^\s*(?:export\s+)?(?<name>[A-Za-z_]\w{0,63})(?:@(?<sites>[^\s=]+))?\s*=\s*(?<rest>.*)$/s;
const QUOTES = new Set(['"', "'", '`']);

/** What is wrong with a line. It says nothing of what the line holds. */
export class SecretsProblem extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

interface Statement {
  readonly line: number;
  readonly name: string;
  /** Behind the `@`: where it may be typed. */
  readonly sites: readonly string[];
  /** Behind the `=`, over several lines where it is quoted. */
  readonly rest: string;
}

/** Where the quote that a value begins with is closed; -1 for nowhere. */
const closing = (rest: string): number => rest.indexOf(rest.charAt(0), 1);

/** Splits a file into its assignments. @throws SecretsProblem */
function* statementsOf(source: string): Generator<Statement, void> {
  const lines = source.replace(/^\ufeff/, '').split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const line = at + 1;
    const text = lines[at] ?? '';
    if (/^\s*(?:#|$)/.test(text)) continue;
    const { name, sites = '', rest: first = '' } = ASSIGNMENT.exec(text)?.groups ?? {};
    if (name === undefined) throw new SecretsProblem(line, 'it is not NAME=value');
    let rest = first;
    if (QUOTES.has(rest.charAt(0)))
      while (closing(rest) < 0) {
        at += 1;
        if (at >= lines.length) throw new SecretsProblem(line, `the quote of ${name} is not closed`);
        rest += `\n${lines[at] ?? ''}`;
      }
    yield { line, name, sites: sites === '' ? [] : sites.split(','), rest };
  }
}

/** Refuses what programs read differently: nobody should find out by a password that is wrong. */
function checkRest({ line, name, sites, rest }: Statement): void {
  const wrong = sites.find((site) => !isSite(site) || site.startsWith('@'));
  if (wrong !== undefined)
    throw new SecretsProblem(line, `the sites of ${name} hold ${JSON.stringify(wrong)}`);
  if (QUOTES.has(rest.charAt(0))) {
    if (!/^\s*(?:#.*)?$/s.test(rest.slice(closing(rest) + 1)))
      throw new SecretsProblem(line, `there is text behind the quotes of ${name}`);
  } else if (/\S#/.test(rest.replace(/(?:^|\s)#.*$/s, '')))
    throw new SecretsProblem(line, `the value of ${name} holds a #: put it in quotes`);
}

/**
 * The values of a dotenv file, as `node --env-file` reads them; what it would skip or cut is refused. `NAME@bank.example,*.bank.example=value` may be typed
 * at these sites alone (patterns as in rules).
 * @throws SecretsProblem
 */
export function parseSecrets(source: string): KnownSecret[] {
  const found = new Map<string, KnownSecret>();
  for (const statement of statementsOf(source)) {
    const { line, name, sites, rest } = statement;
    checkRest(statement);
    const value = parseEnv(`${name}=${rest}\n`)[name] ?? '';
    if (found.has(name)) throw new SecretsProblem(line, `${name} is there twice`);
    if (value.trim().length < VALUE_LEAST)
      throw new SecretsProblem(line, `the value of ${name} is shorter than ${VALUE_LEAST} characters`);
    if (value.length > VALUE_MOST)
      throw new SecretsProblem(line, `the value of ${name} is longer than ${VALUE_MOST} characters`);
    if (found.size === SECRETS_MOST)
      throw new SecretsProblem(line, `there are more than ${SECRETS_MOST} values`);
    found.set(name, { name, value, ...(sites.length > 0 && { sites }) });
  }
  return [...found.values()];
}
