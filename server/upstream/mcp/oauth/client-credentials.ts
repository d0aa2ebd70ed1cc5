import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { abortable } from '../../../../shared/async/wait.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import type { KnownSecret } from '../../../core/services.ts';
import { type OAuthClient, safeFetch } from './client.ts';
import type { Challenge, OAuthSession } from './session.ts';

const GRANT_MS = 40_000;

interface ClientCredentials {
  readonly id: string;
  readonly url: string;
  /** With its secret, and whose it is. */
  readonly client: OAuthClient;
}

/** A program signs in as itself, with a secret of its entry (RFC 6749, 4.4): no person is asked, and nothing is kept. */
export class ClientCredentialsSession implements OAuthSession {
  readonly #options: ClientCredentials;
  readonly #provider: ClientCredentialsProvider;
  #grant: Promise<string> | null = null;

  constructor(options: ClientCredentials) {
    const { information, scope } = options.client;
    this.#options = options;
    this.#provider = new ClientCredentialsProvider({
      clientId: information?.client_id ?? '',
      clientSecret: information?.client_secret ?? '',
      expectedIssuer: information?.issuer ?? '',
      clientName: 'Spillway',
      ...(scope === undefined ? {} : { scope }),
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
    const { id, url, client } = this.#options;
    const asked = client.scope ?? scope;
    try {
      await auth(this.#provider, {
        serverUrl: url,
        fetchFn: safeFetch(url, AbortSignal.timeout(GRANT_MS)),
        ...(asked === undefined ? {} : { scope: asked }),
        ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
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
    const { id } = this.#options;
    return new SpillwayError(
      'upstream_error',
      `The upstream ${id} needs more than its client may do${scope === undefined ? '' : `: ${scope}`}.`,
      {
        hint: 'Add the scope to oauth.scope of its entry in spillway.json, where the service allows it.',
      },
    );
  }

  secrets(): readonly KnownSecret[] {
    const token = this.#provider.tokens()?.access_token;
    return token === undefined ? [] : [{ name: 'credential', value: token }];
  }

  onChange(): void {
    // The entry says it all.
  }
}
