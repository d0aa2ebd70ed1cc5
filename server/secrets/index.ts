import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { SpillwayError } from '../../shared/errors.ts';
import type { KnownSecret, Secrets } from '../core/services.ts';
import { errnoOf } from '../machine/errno.ts';
import { parseSecrets, SecretsProblem } from './parse.ts';

const GROUP_AND_OTHERS = 0o077;
const FILE_MAX_BYTES = 256 * 1_024;
const REFERENCE = /^secret:(?<name>[A-Za-z_]\w{0,63})$/;

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
  return secretsOf(path === undefined ? [] : parse(path, readPrivate(path)));
}

/** @param known of one name each */
export function secretsOf(known: readonly KnownSecret[]): KnownSecrets {
  const byName = new Map(known.map((secret) => [secret.name, secret]));
  const names = [...byName.keys()];
  const find = (name: string): KnownSecret => {
    const secret = byName.get(name);
    if (secret !== undefined) return secret;
    const what =
      names.length === 0 ? 'the server was started without --secrets' : `there are ${names.join(', ')}`;
    throw new SpillwayError('secret_not_found', `There is no secret "${name.slice(0, 64)}": ${what}.`);
  };
  return {
    known,
    names,
    get: (name) => find(name).value,
    resolve: (text) => {
      const name = REFERENCE.exec(text)?.groups?.['name'];
      if (name === undefined) return { value: text, sites: null };
      const { value, sites = [] } = find(name);
      return { value, sites };
    },
  };
}

function parse(path: string, source: string): KnownSecret[] {
  try {
    return parseSecrets(source);
  } catch (thrown) {
    if (thrown instanceof SecretsProblem) return refuse(`${path}, line ${thrown.line}: ${thrown.message}.`);
    throw thrown;
  }
}

function readPrivate(path: string): string {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (thrown) {
    return refuse(`${path} cannot be read (${errnoOf(thrown) ?? 'unknown error'}).`);
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return refuse(`${path} is not a file.`);
    if (stats.size > FILE_MAX_BYTES) return refuse(`${path} is larger than ${FILE_MAX_BYTES} bytes.`);
    if (process.platform !== 'win32' && (stats.mode & GROUP_AND_OTHERS) !== 0)
      return refuse(
        `other users can read ${path}.`,
        'Run `chmod 600` on it; if others may have read it, change what it holds.',
      );
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (thrown) {
    if (thrown instanceof SpillwayError) throw thrown;
    return refuse(`${path} is not UTF-8 text.`);
  } finally {
    closeSync(file);
  }
}

function refuse(message: string, hint = 'Correct the file, or start without --secrets.'): never {
  throw new SpillwayError('invalid_argument', `--secrets: ${message}`, { hint });
}
