import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  OAuthClientInformationSchema,
  OAuthMetadataSchema,
  OAuthTokensSchema,
  OpenIdProviderDiscoveryMetadataSchema,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { z } from 'zod';
import { sha256 } from '../../../machine/digest.ts';
import { withFileLock } from '../../../machine/file-lock.ts';
import { readRegularSync } from '../../../machine/regular-file.ts';
import { writeWhole } from '../../../machine/write-whole.ts';

/** In a home. */
const FOLDER = 'sign-ins';

const Tokens = OAuthTokensSchema.extend({
  /** Milliseconds since 1970. */
  expires_at: z.number().optional(),
});

const Record = z.object({
  version: z.literal(1),
  /** Of the upstream: tokens are sent to no other address. */
  url: z.string(),
  /** Null after the upstream has refused them. */
  tokens: Tokens.nullable(),
  server: z.string(),
  metadata: z.union([OpenIdProviderDiscoveryMetadataSchema, OAuthMetadataSchema]).optional(),
  client: OAuthClientInformationSchema.extend({ token_endpoint_auth_method: z.string().optional() }),
  /** What the tokens are for (RFC 8707). */
  resource: z.string().optional(),
  /** Scopes that a call needed, and that the tokens do not have. */
  wanted_scope: z.string().optional(),
});

export type SignInRecord = z.infer<typeof Record>;

export interface SignInKey {
  readonly home: string;
  /** The distinct id of the upstream. */
  readonly id: string;
  readonly url: string;
}

/** The file of a sign-in. One of another address of the same id is another. */
export const recordPath = ({ home, id, url }: SignInKey): string =>
  join(home, FOLDER, `${id}-${sha256(url).slice(0, 16)}.json`);

/** What is kept of a sign-in; null if nobody has signed in, or the file is damaged. */
export function readRecord(key: SignInKey): SignInRecord | null {
  try {
    const record = Record.parse(JSON.parse(readRegularSync(recordPath(key))));
    return record.url === key.url ? record : null;
  } catch {
    return null;
  }
}

/** Keeps a sign-in, for this user of the machine alone. Only within {@link withRecord}. */
export function writeRecord(key: SignInKey, record: SignInRecord): Promise<void> {
  const path = recordPath(key);
  return writeWhole(path, JSON.stringify(record), `${path}.${randomBytes(6).toString('hex')}.draft`);
}

/** Forgets a sign-in. Only within {@link withRecord}. */
export const removeRecord = (key: SignInKey): Promise<void> => rm(recordPath(key), { force: true });

/**
 * Changes a sign-in while no other program of the home does: a refresh token that is used twice ends the sign-in at many
 * services, and one that is lost ends it everywhere.
 *
 * @throws the signal's reason, what the disk refuses, and what `work` throws
 */
export async function withRecord<T>(key: SignInKey, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const path = `${recordPath(key)}.lock`;
  await mkdir(join(key.home, FOLDER), { recursive: true, mode: 0o700 });
  return withFileLock(path, signal, work);
}
