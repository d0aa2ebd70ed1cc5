import type { Caller } from '../../shared/act/caller.ts';

/** An agent as the ledger names it. */
export const agentOf = ({ name, version, session }: Caller, server: string) => ({
  name,
  version,
  client_session: session,
  server,
});
