import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import type { OAuthClient } from './client.ts';

/** What the SDK asks while a person signs in. All of it is in memory until the end. */
export class LoginProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  readonly clientMetadataUrl?: string;
  /** Absent for a client of the entry: another is not registered in its place. */
  readonly saveClientInformation?: (information: OAuthClientInformationMixed) => void;
  readonly #state: string;
  #verifier = '';
  registered: OAuthClientInformationMixed | undefined;
  address: URL | null = null;
  received: OAuthTokens | null = null;
  discovery: OAuthDiscoveryState | null = null;

  constructor(options: {
    readonly client: OAuthClient;
    readonly state: string;
    readonly redirectUrl: string;
  }) {
    const { client, state, redirectUrl } = options;
    this.redirectUrl = redirectUrl;
    this.#state = state;
    this.registered = client.information;
    if (client.metadataUrl !== undefined) this.clientMetadataUrl = client.metadataUrl;
    if (client.information === undefined)
      this.saveClientInformation = (information) => void (this.registered = information);
    this.clientMetadata = {
      client_name: 'Spillway',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  state(): string {
    return this.#state;
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.registered;
  }

  /** A person signs in again, whatever there was. */
  tokens(): undefined {
    return undefined;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.received = tokens;
  }

  redirectToAuthorization(address: URL): void {
    this.address = address;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovery ?? undefined;
  }
}
