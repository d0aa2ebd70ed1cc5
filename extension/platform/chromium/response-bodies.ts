/** A body as it arrived; without bytes if it is larger than wanted. */
export interface FollowedBody {
  readonly bytes: Uint8Array | null;
  readonly sizeBytes: number;
}

/**
 * Follows the body of a response that has not begun, where `webRequest` gives bodies: Chromium's does not.
 * @returns its bytes once it has ended, or null if it has failed
 */
export const followBody: ((requestId: string, maxBytes: number) => Promise<FollowedBody | null>) | null =
  null;

/** With it, Chromium reports the headers that it otherwise hides from listeners. */
export const EXTRA_HEADERS: readonly 'extraHeaders'[] = ['extraHeaders'];
/** With it, a request waits for its listener, to be followed; Firefox reports questions for a password only so. */
export const BLOCKING: readonly 'blocking'[] = [];
