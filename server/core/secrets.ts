import { randomUUID } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { delay } from '../../shared/base/async.ts';
import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import { jsonIn } from '../../shared/base/json-schema.ts';
import type { KnownSecret, Secrets } from './services.ts';
import { readGiven } from './machine/given-file.ts';
import { isSite } from '../../shared/core/policy/sites.ts';
import { codeAt, parseTotp, waitAt, type Totp } from './secrets/totp.ts';
import { askVault } from './secrets/vault.ts';

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
const findClosing = (rest: string): number => rest.indexOf(rest.charAt(0), 1);

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
      while (findClosing(rest) < 0) {
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
    if (!/^\s*(?:#.*)?$/s.test(rest.slice(findClosing(rest) + 1)))
      throw refuse(line, `there is text behind the quotes of ${name}`);
  } else if (/\S#/.test(rest.replace(/(?:^|\s)#.*$/s, '')))
    throw refuse(line, `the value of ${name} contains a #: put it in quotes`);
}

/** A secret whose value is made each time that it is used. */
interface ComputedSecret extends Omit<KnownSecret, 'value'> {
  /** @throws SpillwayError `secret_unavailable` */
  readonly compute: () => Promise<string>;
}

type Secret = KnownSecret | ComputedSecret;

/** `{"command": ["op", "read", "op://Work/GitHub/password"]}`: a value that a vault prints. */
const Command = z.strictObject({
  command: z
    .array(z.string().refine((text) => !text.includes('\0')))
    .min(1)
    .refine(([program = '']) => program !== '' && (isAbsolute(program) || !/[\\/]/.test(program))),
});
const COMMAND = /^\s*\{\s*"command"/;
const OTPAUTH = /^\s*otpauth:/i;

async function codeOf(totp: Totp, now: () => number): Promise<string> {
  await delay(waitAt(totp, now()));
  return codeAt(totp, now());
}

/** A vault may keep the address from which codes are made: then it prints that. */
async function printedBy(name: string, command: readonly string[], now: () => number): Promise<string> {
  const unusable = (why: string): SpillwayError =>
    new SpillwayError(
      'secret_unavailable',
      `secret:${name}: what its command printed cannot be used: ${why}.`,
    );
  const printed = await askVault(name, command);
  if (OTPAUTH.test(printed)) return codeOf(parseTotp(printed.trim(), unusable), now);
  const length = printed.trim().length;
  if (length < VALUE_LEAST || length > VALUE_MOST)
    throw unusable(`it has ${length} characters, and ${VALUE_LEAST} to ${VALUE_MOST} are possible`);
  return printed;
}

/** The secrets of one statement, of which the last bears its name in calls. */
function secretsIn(
  { line, name, sites: at }: Statement,
  value: string,
  refuse: ErrorAtLine,
  now: () => number,
): Secret[] {
  const sites = at.length === 0 ? {} : { sites: at };
  if (COMMAND.test(value)) {
    const { data } = Command.safeParse(jsonIn(value));
    if (data === undefined)
      throw refuse(
        line,
        `the command of ${name} is not {"command": ["program", "argument"]}, with a path or a name`,
      );
    return [{ name, ...sites, compute: () => printedBy(name, data.command, now) }];
  }
  if (!OTPAUTH.test(value)) return [{ name, value, ...sites }];
  if (at.length === 0)
    throw refuse(line, `the codes of ${name} need their site, as in ${name}@site.example=`);
  const totp = parseTotp(value.trim(), (why) => refuse(line, `the value of ${name} cannot be used: ${why}`));
  return [
    { name, value },
    { name, value: totp.written },
    { name, ...sites, compute: () => codeOf(totp, now) },
  ];
}

/**
 * The secrets of a dotenv file, as `node --env-file` reads them; anything that it would skip or cut is
 * refused. `NAME@bank.example,*.bank.example=value` may be typed only at these sites (patterns as in rules).
 */
function parseSecrets(source: string, refuse: ErrorAtLine, now: () => number): Secret[] {
  const found = new Map<string, Secret[]>();
  for (const statement of statementsOf(source, refuse)) {
    const { line, name, rest } = statement;
    checkRest(statement, refuse);
    const value = parseEnv(`${name}=${rest}\n`)[name] ?? '';
    if (found.has(name)) throw refuse(line, `${name} is there twice`);
    if (value.trim().length < VALUE_LEAST)
      throw refuse(line, `the value of ${name} is shorter than ${VALUE_LEAST} characters`);
    if (value.length > VALUE_MOST)
      throw refuse(line, `the value of ${name} is longer than ${VALUE_MOST} characters`);
    if (found.size === SECRETS_MOST) throw refuse(line, `there are more than ${SECRETS_MOST} values`);
    found.set(name, secretsIn(statement, value, refuse, now));
  }
  return [...found.values()].flat();
}

const FILE_MAX_BYTES = 256 * 1_024;
const REFERENCE = /^secret:(?<name>\S+)$/;
const NAME = /^[A-Za-z_]\w{0,63}$/;

/** How many values of a secret stay redacted: a page may show a code after the next one was typed. */
const LEARNED_MOST = 8;
/** How many names of files stay redacted. */
const FILES_HIDDEN_MOST = 100;

/** Secrets with what the redactor needs: the values themselves. */
export interface KnownSecrets extends Secrets {
  /** Values that are known from the start. */
  readonly known: readonly KnownSecret[];
  /** The latest values that were made or hidden: another list when there is a new one. */
  readonly learned: () => readonly KnownSecret[];
  /** Redacts names of a person's files. A short one would match everywhere by chance. */
  hide(names: readonly string[]): void;
  /** The value behind a key of {@link Secrets.lend}. @throws SpillwayError `secret_not_found`, `secret_unavailable` */
  take(key: string): Promise<string>;
}

/**
 * The secrets of `--secrets`, read once, at the start. Without a file there are none.
 * @throws SpillwayError `invalid_argument` for a file that other users can read or that does not parse; it
 *   names the line and no value.
 */
export function readSecrets(path: string | undefined, now: () => number = Date.now): KnownSecrets {
  if (path === undefined) return secretsOf([]);
  const maxBytes = FILE_MAX_BYTES;
  const ifRead = 'if others may have read it, change its values.';
  const source = readGiven({ flag: '--secrets', path, maxBytes, isSecret: true, ifRead });
  return secretsOf(parseSecrets(source, (line, why) => refusal(`${path}, line ${line}: ${why}.`), now));
}

/** @param secrets of several with one name, the last is for pages, and the others are only redacted */
export function secretsOf(secrets: readonly Secret[]): KnownSecrets {
  const byName = new Map(secrets.map((secret) => [secret.name, secret]));
  const names = [...byName.keys()];
  const hint =
    names.length === 0
      ? 'The server has no secrets. Ask the person to log in, or to start it with --secrets FILE, with a line NAME=value for each.'
      : `Pass secret:NAME. The names are ${names.join(', ')}.`;
  const find = (name: string): Secret => {
    const secret = byName.get(name);
    if (secret !== undefined) return secret;
    const form = NAME.test(name) ? '' : ': a name has only letters, digits and _, and begins with no digit';
    const message = `There is no secret "${name.slice(0, 64)}"${form}.`;
    throw new SpillwayError('secret_not_found', message, { hint });
  };
  const values = new Map<string, readonly KnownSecret[]>();
  let learned: readonly KnownSecret[] = [];
  const learn = (name: string, value: string, most = LEARNED_MOST): void => {
    const others = (values.get(name) ?? []).filter((one) => one.value !== value);
    values.set(name, [...others, { name, value }].slice(-most));
    learned = [...values.values()].flat();
  };
  const valueOf = async (name: string): Promise<string> => {
    const secret = find(name);
    if ('value' in secret) return secret.value;
    const value = await secret.compute();
    learn(name, value);
    return value;
  };
  const nameIn = (text: string): string | undefined => REFERENCE.exec(text)?.groups?.['name'];
  const lent = new Map<string, string>();
  return {
    known: secrets.filter((secret) => 'value' in secret),
    learned: () => learned,
    hide: (files) => {
      for (const file of files) if (file.length >= VALUE_LEAST) learn('file', file, FILES_HIDDEN_MOST);
    },
    names,
    hint,
    resolve: (text) => {
      const name = nameIn(text);
      if (name === undefined) return { value: text, sites: null };
      const secret = find(name);
      return { value: 'value' in secret ? secret.value : null, sites: secret.sites ?? [] };
    },
    read: async (text) => {
      const name = nameIn(text);
      return name === undefined ? text : valueOf(name);
    },
    lend: (text) => {
      const key = `lent-${randomUUID()}`;
      lent.set(key, nameIn(text) ?? '');
      return { key, end: () => void lent.delete(key) };
    },
    take: async (key) => {
      const name = lent.get(key);
      if (name === undefined)
        throw new SpillwayError('secret_not_found', 'The call of this secret has ended.');
      return valueOf(name);
    },
  };
}

const refusal = (message: string, hint = 'Correct the file, or start without --secrets.'): SpillwayError =>
  invalidArgument(`--secrets: ${message}`, hint);
