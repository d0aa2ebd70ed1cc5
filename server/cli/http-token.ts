import { randomBytes } from 'node:crypto';
import { SpillwayError } from '../../shared/errors.ts';

/** Where the bearer token of this start comes from. */
export interface HttpToken {
  readonly value: string | null;
  readonly source: 'environment' | 'made' | 'none';
}

const TOKEN_MIN_LENGTH = 16;

/**
 * `SPILLWAY_TOKEN`, or a fresh one of 256 bits; null when the caller gave up on it.
 *
 * @throws SpillwayError `invalid_argument` for a token that could be guessed.
 */
export function resolveToken(wanted: boolean): HttpToken {
  if (!wanted) return { value: null, source: 'none' };
  const token = process.env['SPILLWAY_TOKEN'];
  if (token === undefined || token === '') {
    return { value: randomBytes(32).toString('base64url'), source: 'made' };
  }
  if (token.length < TOKEN_MIN_LENGTH || !/^[\x21-\x7e]+$/.test(token)) {
    throw new SpillwayError(
      'invalid_argument',
      `SPILLWAY_TOKEN: it takes at least ${TOKEN_MIN_LENGTH} printable characters without spaces.`,
    );
  }
  return { value: token, source: 'environment' };
}

/** Says on stderr, once, where the server listens and what a client must send. */
export function announceHttp(url: string, token: HttpToken): void {
  const secured = {
    made: `Authorization: Bearer ${token.value ?? ''}`,
    environment: 'Authorization: Bearer, with the token of SPILLWAY_TOKEN',
    none: 'WITHOUT a token: any program of any user on this machine can now control the browser',
  };
  process.stderr.write(`spillway listens on ${url}\n  ${secured[token.source]}\n`);
}
