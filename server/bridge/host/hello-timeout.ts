import { LIMITS } from '../../../shared/limits.ts';

/** How long a peer with an open connection may take for its hello: the host has no flags, but an environment. */
export const helloTimeoutMs = (): number =>
  Number(process.env['SPILLWAY_CONNECT_TIMEOUT_MS']) || LIMITS.helloTimeoutMs;
