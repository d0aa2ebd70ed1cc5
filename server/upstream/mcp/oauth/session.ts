import type { KnownSecret } from '../../../core/services.ts';
import { SpillwayError } from '../../../../shared/errors.ts';

/** What a refusal of an upstream says (RFC 6750, RFC 9728). */
export interface Challenge {
  readonly scope?: string | undefined;
  readonly error?: string | undefined;
  readonly resourceMetadataUrl?: URL | undefined;
}

/** The tokens of one upstream. */
export interface OAuthSession {
  /** The access token that requests carry; null before there is one. */
  token(signal: AbortSignal): Promise<string | null>;
  /**
   * A token in place of one that was refused.
   *
   * @param refused null where none was sent
   * @throws SpillwayError `upstream_sign_in_required` where a person has to sign in, what the network throws
   */
  renew(refused: string | null, challenge: Challenge, signal: AbortSignal): Promise<string>;
  /** Says that a call needs more than the token allows, and keeps what. Resolves with the failure of the call. */
  wants(scope: string | undefined): Promise<SpillwayError>;
  /** What may not be seen of it now. */
  secrets(): readonly KnownSecret[];
  /** Calls back when a person has signed in or out, until the signal aborts. */
  onChange(listener: () => void, signal: AbortSignal): void;
}

/** @param why what happened, as the end of "The upstream x …" */
export const signInRequired = (id: string, why: string): SpillwayError =>
  new SpillwayError(
    'upstream_sign_in_required',
    `The upstream ${id} ${why} (spillway upstream login ${id}).`,
    {
      hint: `Ask the person to run \`spillway upstream login ${id}\`; then call again. One that takes a key has it in headers.authorization of its entry instead.`,
    },
  );
