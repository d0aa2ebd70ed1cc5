import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { waitAtMost } from '../../../../shared/async/wait.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import { VERSION } from '../../../../shared/version.ts';
import { fillVariables, type RemoteEntry } from '../../config.ts';
import { reasonOf } from '../failures.ts';
import { transportOf } from '../remote.ts';
import type { Challenge } from './session.ts';

const PROBE_MS = 20_000;
const CLOSE_MS = 1_000;

/** Who asks, and how. */
export interface Probe {
  /** The distinct id. */
  readonly id: string;
  readonly entry: RemoteEntry;
  readonly environment: NodeJS.ProcessEnv;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/** Throws a failure of a sign-in, in words of ours. */
export const failed =
  (id: string, signal: AbortSignal, hint = 'Run `spillway upstream list` to see how it is.') =>
  (thrown: unknown): never => {
    if (signal.aborted) throw signal.reason;
    if (thrown instanceof SpillwayError) throw thrown;
    throw new SpillwayError(
      'upstream_error',
      `The sign-in to the upstream ${id} failed: ${reasonOf(thrown)}.`,
      { hint, cause: thrown },
    );
  };

/**
 * What the upstream says to a client that has not signed in; null where it refuses nothing. Some let a client in, and
 * refuse it the list of tools.
 */
export async function challengeOf(options: Probe): Promise<Challenge | null> {
  const { entry, id, environment, signal } = options;
  const headers = { ...fillVariables(entry.headers, { where: `upstream ${id}: headers`, environment }) };
  const seen: { challenge: Challenge | null } = { challenge: null };
  const watching: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (response.status === 401) seen.challenge ??= extractWWWAuthenticateParams(response);
    return response;
  };
  const client = new Client({ name: 'spillway', version: VERSION });
  try {
    await client.connect(transportOf(entry, { headers, fetch: watching }), { timeout: PROBE_MS, signal });
    await client.listTools({}, { timeout: PROBE_MS, signal });
  } catch (thrown) {
    if (seen.challenge === null) failed(id, signal)(thrown);
  } finally {
    await waitAtMost(
      client.close().catch(() => undefined),
      CLOSE_MS,
    );
  }
  return seen.challenge;
}
