import { unwatchFile, watchFile, type Stats } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { refreshAuthorization, auth } from '@modelcontextprotocol/sdk/client/auth.js';
import {
  InvalidClientError,
  InvalidGrantError,
  UnauthorizedClientError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import {
  type OAuthTokens,
  OAuthClientInformationSchema,
  OAuthMetadataSchema,
  OAuthTokensSchema,
  OpenIdProviderDiscoveryMetadataSchema,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { z } from 'zod';
import { onAbort, abortable } from '../../../../shared/base/async.ts';
import { SpillwayError } from '../../../../shared/base/errors.ts';
import { defined } from '../../../../shared/base/json.ts';
import { messageOf } from '../../../../shared/base/message-of.ts';
import type { KnownSecret } from '../../../core/services.ts';
import { SHORTEST_UNITS } from '../../answers.ts';
import { reasonOf } from '../failures.ts';
import {
  safeFetch,
  type OAuthClient,
  oauthOf,
  signInRequired,
  type Challenge,
  type OAuthSession,
} from './session.ts';
import type { RemoteEntry } from '../../config.ts';
import { sha256, withFileLock, readRegularSync, writeWhole } from '../../../core/machine/files.ts';

const UNSIGNED = 'asks for a sign-in';
const POLL_MS = 400;
const RENEWAL_MS = 40_000;
/** A token that expires this soon may expire on its way. */
const EXPIRY_MARGIN_MS = 5_000;

/** Tokens with their expiry time, which they themselves give as a duration. */
export function dateTokens(tokens: OAuthTokens): NonNullable<SignInRecord['tokens']> {
  const { expires_in: seconds } = tokens;
  return seconds === undefined ? tokens : { ...tokens, expires_at: Date.now() + seconds * 1_000 };
}

/** Scopes of both, without repeats. */
export function joinScopes(...scopes: readonly (string | undefined)[]): string | undefined {
  const joined = [...new Set(scopes.flatMap((scope) => scope?.split(/\s+/) ?? []))].filter(Boolean).join(' ');
  return joined === '' ? undefined : joined;
}

const OVER = [InvalidGrantError, InvalidClientError, UnauthorizedClientError];

/** A person has signed in with `spillway upstream login`: uses and renews the stored sign-in. */
export class StoredSession implements OAuthSession {
  #known: SignInRecord | null | undefined;
  #renewal: Promise<string> | null = null;

  constructor(private readonly key: SignInKey) {}

  async token(signal: AbortSignal): Promise<string | null> {
    const tokens = (this.#known ?? this.#read())?.tokens;
    if (tokens === undefined || tokens === null) return null;
    const { access_token: token, refresh_token: refresh, expires_at: end = Infinity } = tokens;
    const isOver = end - EXPIRY_MARGIN_MS < Date.now();
    return isOver && refresh !== undefined ? this.renew(token, {}, signal) : token;
  }

  /** Calls at the same time share one renewal. */
  async renew(refused: string | null, _challenge: Challenge, signal: AbortSignal): Promise<string> {
    if (this.#read()?.tokens == null) throw signInRequired(this.key.id, UNSIGNED);
    const until = AbortSignal.timeout(RENEWAL_MS);
    this.#renewal ??= withRecord(this.key, until, () => this.#renew(refused, until))
      .catch((thrown: unknown) => {
        if (thrown instanceof SpillwayError) throw thrown;
        // The service cannot answer now, or the disk is full: the sign-in may still be good.
        const why = `The sign-in to the upstream ${this.key.id} was not renewed: ${reasonOf(thrown)}.`;
        throw new SpillwayError('upstream_error', why, { cause: thrown });
      })
      .finally(() => (this.#renewal = null));
    return abortable(this.#renewal, signal);
  }

  async wants(scope: string | undefined): Promise<SpillwayError> {
    const { id } = this.key;
    if (scope !== undefined)
      await withRecord(this.key, AbortSignal.timeout(RENEWAL_MS), async () => {
        const record = this.#read();
        if (record !== null) await this.#keep({ ...record, wanted_scope: scope });
      }).catch(() => undefined);
    const what = scope === undefined ? 'than its sign-in allows' : `than its sign-in allows: ${scope}`;
    return signInRequired(id, `needs more ${what}`);
  }

  secrets(): readonly KnownSecret[] {
    const { tokens, client } = this.#known ?? this.#read() ?? {};
    const { access_token: access, refresh_token: refresh, id_token: identity } = tokens ?? {};
    return [access, refresh, identity, client?.client_secret].flatMap((value) =>
      value === undefined || value.length < SHORTEST_UNITS ? [] : [{ name: 'credential', value }],
    );
  }

  onChange(listener: () => void, signal: AbortSignal): void {
    const path = recordPath(this.key);
    const changed = (now: Stats, before: Stats): void => {
      this.#known = undefined;
      // A missing file is reported once.
      if (now.ctimeMs !== 0 || before.ctimeMs !== 0) listener();
    };
    watchFile(path, { persistent: false, interval: POLL_MS }, changed);
    onAbort(signal, () => unwatchFile(path, changed));
  }

  #read(): SignInRecord | null {
    this.#known = readRecord(this.key);
    return this.#known;
  }

  async #renew(refused: string | null, signal: AbortSignal): Promise<string> {
    const { id, url } = this.key;
    // Another server of the home may have renewed it, or a person signed in again.
    const record = this.#read();
    const { tokens = null } = record ?? {};
    if (record === null || tokens === null) throw signInRequired(id, UNSIGNED);
    if (tokens.access_token !== refused) return tokens.access_token;
    if (tokens.refresh_token === undefined) throw signInRequired(id, 'no longer accepts its sign-in');
    const { server, metadata, client, resource } = record;
    try {
      const fresh = await refreshAuthorization(server, {
        clientInformation: client,
        refreshToken: tokens.refresh_token,
        fetchFn: safeFetch(url, signal),
        ...defined({ metadata, resource }),
      });
      // A service names the scopes only if they differ from those asked for.
      const scope = fresh.scope ?? tokens.scope;
      await this.#keep({ ...record, tokens: dateTokens({ ...fresh, ...defined({ scope }) }) });
      return fresh.access_token;
    } catch (thrown) {
      if (!OVER.some((refusal) => thrown instanceof refusal)) throw thrown;
      await this.#keep({ ...record, tokens: null });
      throw signInRequired(id, `no longer accepts its sign-in: ${messageOf(thrown)}`);
    }
  }

  async #keep(record: SignInRecord): Promise<void> {
    this.#known = record;
    await writeRecord(this.key, record);
  }
}

const GRANT_MS = 40_000;

/**
 * A program signs in as itself, with a secret of its entry (RFC 6749, 4.4): no person is asked, and nothing
 * is stored.
 */
class ClientCredentialsSession implements OAuthSession {
  readonly #provider: ClientCredentialsProvider;
  #grant: Promise<string> | null = null;

  constructor(
    private readonly id: string,
    private readonly url: string,
    private readonly client: OAuthClient,
  ) {
    const { information, scope } = client;
    this.#provider = new ClientCredentialsProvider({
      clientId: information?.client_id ?? '',
      clientSecret: information?.client_secret ?? '',
      expectedIssuer: information?.issuer ?? '',
      clientName: 'Spillway',
      ...defined({ scope }),
    });
  }

  async token(): Promise<string | null> {
    return this.#provider.tokens()?.access_token ?? null;
  }

  async renew(refused: string | null, challenge: Challenge, signal: AbortSignal): Promise<string> {
    const known = await this.token();
    if (known !== null && known !== refused) return known;
    this.#grant ??= this.#ask(challenge).finally(() => (this.#grant = null));
    return abortable(this.#grant, signal);
  }

  async #ask({ scope, resourceMetadataUrl }: Challenge): Promise<string> {
    const { id, url, client } = this;
    try {
      await auth(this.#provider, {
        serverUrl: url,
        fetchFn: safeFetch(url, AbortSignal.timeout(GRANT_MS)),
        ...defined({ scope: client.scope ?? scope, resourceMetadataUrl }),
      });
    } catch (thrown) {
      throw new SpillwayError(
        'upstream_error',
        `The upstream ${id} gave no token for the client of its entry: ${messageOf(thrown)}.`,
        { hint: 'Check oauth.clientId and oauth.clientSecret of its entry in spillway.json.', cause: thrown },
      );
    }
    const token = await this.token();
    if (token === null) throw new SpillwayError('upstream_error', `The upstream ${id} gave no token.`);
    return token;
  }

  async wants(scope: string | undefined): Promise<SpillwayError> {
    return new SpillwayError(
      'upstream_error',
      `The upstream ${this.id} needs more than its client may do${scope === undefined ? '' : `: ${scope}`}.`,
      { hint: 'Add the scope to oauth.scope of its entry in spillway.json, where the service allows it.' },
    );
  }

  secrets(): readonly KnownSecret[] {
    const token = this.#provider.tokens()?.access_token;
    return token === undefined ? [] : [{ name: 'credential', value: token }];
  }
}

/** The tokens of an entry; null if it has its own authorization header. */
export function openSession(entry: RemoteEntry, { home, id }: Omit<SignInKey, 'url'>): OAuthSession | null {
  const { url, headers, oauth } = entry;
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) return null;
  return oauth?.grant === 'client_credentials'
    ? new ClientCredentialsSession(id, url, oauthOf(entry, id))
    : new StoredSession({ home, id, url });
}

/** In a home. */
const FOLDER = 'sign-ins';

const Tokens = OAuthTokensSchema.extend({
  /** Milliseconds since 1970. */
  expires_at: z.number().optional(),
});

const Record = z.object({
  version: z.literal(1),
  /** The upstream's: tokens are sent to no other address. */
  url: z.string(),
  /** Null after the upstream has refused them. */
  tokens: Tokens.nullable(),
  server: z.string(),
  metadata: z.union([OpenIdProviderDiscoveryMetadataSchema, OAuthMetadataSchema]).optional(),
  client: OAuthClientInformationSchema.extend({ token_endpoint_auth_method: z.string().optional() }),
  resource: z.string().optional(),
  /** Scopes that a call needed but the tokens lack. */
  wanted_scope: z.string().optional(),
});

export type SignInRecord = z.infer<typeof Record>;

export interface SignInKey {
  readonly home: string;
  /** The distinct id of the upstream. */
  readonly id: string;
  readonly url: string;
}

/** The file of a sign-in. Its name depends on id and address. */
export const recordPath = ({ home, id, url }: SignInKey): string =>
  join(home, FOLDER, `${id}-${sha256(url).slice(0, 16)}.json`);

/** Null if nobody has signed in, or the file is damaged. */
export function readRecord(key: SignInKey): SignInRecord | null {
  try {
    const record = Record.parse(JSON.parse(readRegularSync(recordPath(key))));
    return record.url === key.url ? record : null;
  } catch {
    return null;
  }
}

/** Stores a sign-in, only for this user of the machine. Only within {@link withRecord}. */
export function writeRecord(key: SignInKey, record: SignInRecord): Promise<void> {
  const path = recordPath(key);
  return writeWhole(path, JSON.stringify(record), `${path}.${randomBytes(6).toString('hex')}.draft`);
}

/** Forgets a sign-in. Only within {@link withRecord}. */
export const removeRecord = (key: SignInKey): Promise<void> => rm(recordPath(key), { force: true });

/**
 * Changes a sign-in while no other program of the home does: at many services, using a refresh token twice
 * ends the sign-in, and losing one ends it everywhere.
 * @throws the signal's reason, the disk's error, and the error of `work`
 */
export async function withRecord<T>(key: SignInKey, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const path = `${recordPath(key)}.lock`;
  await mkdir(join(key.home, FOLDER), { recursive: true, mode: 0o700 });
  return withFileLock(path, signal, work);
}
