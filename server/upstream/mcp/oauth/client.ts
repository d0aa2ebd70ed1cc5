import type { OAuthClientInformationMixed } from '@modelcontextprotocol/sdk/shared/auth.js';
import { fillVariables, type RemoteEntry } from '../../config.ts';

/** As whom Spillway asks an upstream for tokens. */
export interface OAuthClient {
  /** Of the entry; undefined: one is registered at each sign-in. */
  readonly information: OAuthClientInformationMixed | undefined;
  readonly metadataUrl: string | undefined;
  readonly scope: string | undefined;
  readonly redirectPort: number;
}

/** @throws SpillwayError `invalid_argument` for a variable that is not set */
export function oauthOf(
  { oauth }: RemoteEntry,
  { id, environment }: { readonly id: string; readonly environment: NodeJS.ProcessEnv },
): OAuthClient {
  const { clientId, clientSecret, issuer, clientMetadataUrl, scope, redirectPort = 0 } = oauth ?? {};
  const { clientSecret: secret } = fillVariables(clientSecret === undefined ? {} : { clientSecret }, {
    where: `upstream ${id}: oauth`,
    environment,
  });
  return {
    information:
      clientId === undefined
        ? undefined
        : {
            client_id: clientId,
            ...(secret === undefined ? {} : { client_secret: secret }),
            ...(issuer === undefined ? {} : { issuer }),
          },
    metadataUrl: clientMetadataUrl,
    scope,
    redirectPort,
  };
}
