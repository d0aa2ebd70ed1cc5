import { unwatchFile, watchFile } from 'node:fs';
import { refreshAuthorization } from '@modelcontextprotocol/sdk/client/auth.js';
import {
  InvalidClientError,
  InvalidGrantError,
  UnauthorizedClientError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { onAbort } from '../../../../shared/async/abort.ts';
import { abortable } from '../../../../shared/async/wait.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import type { KnownSecret } from '../../../core/services.ts';
import {
  readRecord,
  recordPath,
  withRecord,
  writeRecord,
  type SignInKey,
  type SignInRecord,
} from './record.ts';
import { SHORTEST_UNITS } from '../../environment.ts';
import { reasonOf } from '../failures.ts';
import { safeFetch } from './client.ts';
import { signInRequired, type Challenge, type OAuthSession } from './session.ts';

const UNSIGNED = 'asks for a sign-in';
const POLL_MS = 400;
const RENEWAL_MS = 40_000;
/** A token that ends so soon may end on its way. */
const EXPIRY_MARGIN_MS = 5_000;

/** Tokens with the time of their end, which they themselves say as a length. */
export function datedTokens(tokens: OAuthTokens): NonNullable<SignInRecord['tokens']> {
  const { expires_in: seconds } = tokens;
  return seconds === undefined ? tokens : { ...tokens, expires_at: Date.now() + seconds * 1_000 };
}

/** Scopes of both, each once. */
export function joinScopes(...scopes: readonly (string | undefined)[]): string | undefined {
  const joined = [...new Set(scopes.flatMap((scope) => scope?.split(/\s+/) ?? []))].filter(Boolean).join(' ');
  return joined === '' ? undefined : joined;
}

/** What a service says of a refresh token, or a client, that is no longer good. */
const OVER = [InvalidGrantError, InvalidClientError, UnauthorizedClientError];

/** A person has signed in with `spillway upstream login`: what that left in the home is used, and renewed. */
export class StoredSession implements OAuthSession {
  readonly #key: SignInKey;
  #known: SignInRecord | null | undefined;
  #renewal: Promise<string> | null = null;

  constructor(key: SignInKey) {
    this.#key = key;
  }

  async token(signal: AbortSignal): Promise<string | null> {
    const tokens = this.#record()?.tokens;
    if (tokens === undefined || tokens === null) return null;
    const { access_token: token, refresh_token: refresh, expires_at: end = Infinity } = tokens;
    const isOver = end - EXPIRY_MARGIN_MS < Date.now();
    return isOver && refresh !== undefined ? this.renew(token, {}, signal) : token;
  }

  /** Calls at the same time share one renewal. */
  async renew(refused: string | null, _challenge: Challenge, signal: AbortSignal): Promise<string> {
    if (this.#read()?.tokens == null) throw signInRequired(this.#key.id, UNSIGNED);
    const until = AbortSignal.timeout(RENEWAL_MS);
    this.#renewal ??= withRecord(this.#key, until, () => this.#renew(refused, until))
      .catch((thrown: unknown) => {
        if (thrown instanceof SpillwayError) throw thrown;
        // The service cannot say now, or the disk is full: the sign-in may still be good.
        const why = `The sign-in to the upstream ${this.#key.id} was not renewed: ${reasonOf(thrown)}.`;
        throw new SpillwayError('upstream_error', why, { cause: thrown });
      })
      .finally(() => (this.#renewal = null));
    return abortable(this.#renewal, signal);
  }

  async wants(scope: string | undefined): Promise<SpillwayError> {
    const { id } = this.#key;
    if (scope !== undefined)
      await withRecord(this.#key, AbortSignal.timeout(RENEWAL_MS), async () => {
        const record = this.#read();
        if (record !== null) await this.#keep({ ...record, wanted_scope: scope });
      }).catch(() => undefined);
    const what = scope === undefined ? 'than its sign-in allows' : `than its sign-in allows: ${scope}`;
    return signInRequired(id, `needs more ${what}`);
  }

  secrets(): readonly KnownSecret[] {
    const { tokens, client } = this.#record() ?? {};
    const secretOf = client === undefined || !('client_secret' in client) ? undefined : client.client_secret;
    return [tokens?.access_token, tokens?.refresh_token, tokens?.id_token, secretOf].flatMap((value) =>
      value === undefined || value.length < SHORTEST_UNITS ? [] : [{ name: 'credential', value }],
    );
  }

  onChange(listener: () => void, signal: AbortSignal): void {
    const path = recordPath(this.#key);
    const changed = (): void => {
      this.#known = undefined;
      listener();
    };
    watchFile(path, { persistent: false, interval: POLL_MS }, changed);
    onAbort(signal, () => unwatchFile(path, changed));
  }

  #record(): SignInRecord | null {
    return this.#known === undefined ? this.#read() : this.#known;
  }

  #read(): SignInRecord | null {
    this.#known = readRecord(this.#key);
    return this.#known;
  }

  async #renew(refused: string | null, signal: AbortSignal): Promise<string> {
    const { id, url } = this.#key;
    // Another server of the home may have renewed it, or a person signed in again.
    const record = this.#read();
    const { tokens = null } = record ?? {};
    if (record === null || tokens === null) throw signInRequired(id, UNSIGNED);
    if (tokens.access_token !== refused) return tokens.access_token;
    if (tokens.refresh_token === undefined) throw signInRequired(id, 'no longer accepts its sign-in');
    const { server, metadata, client, resource } = record;
    try {
      const fresh = await refreshAuthorization(server, {
        ...(metadata === undefined ? {} : { metadata }),
        clientInformation: client,
        refreshToken: tokens.refresh_token,
        ...(resource === undefined ? {} : { resource }),
        fetchFn: safeFetch(url, signal),
      });
      // It says its scopes only where they are others.
      const scope = fresh.scope ?? tokens.scope;
      await this.#keep({
        ...record,
        tokens: datedTokens({ ...fresh, ...(scope === undefined ? {} : { scope }) }),
      });
      return fresh.access_token;
    } catch (thrown) {
      const isOver = OVER.some((refusal) => thrown instanceof refusal);
      if (!isOver) throw thrown;
      await this.#keep({ ...record, tokens: null });
      throw signInRequired(id, `no longer accepts its sign-in: ${messageOf(thrown)}`);
    }
  }

  async #keep(record: SignInRecord): Promise<void> {
    this.#known = record;
    await writeRecord(this.#key, record);
  }
}
