import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { login } from '../../../server/upstreams/mcp/oauth/login.ts';
import { parseEntry, type RemoteEntry } from '../../../server/upstreams/index.ts';
import { startWithUpstreams } from '../upstream-rig.ts';

/*
 * The client that the conformance suite starts for its authorization scenarios: a server of ours whose upstream is the
 * suite's server, and a person who signs in whenever a call asks for it. `tsx signed-in-client.ts <url>`. The person is
 * a `fetch` to the sign-in address, which redirects back to us.
 */

const SIGN_INS_MAX = 3;
const SIGN_IN_MS = 60_000;
const ID = 'suite';
const Context = z.object({ client_id: z.string().optional(), client_secret: z.string().optional() });
const { MCP_CONFORMANCE_CONTEXT: context = '{}', MCP_CONFORMANCE_SCENARIO: scenario = '' } = process.env;
const { client_id: clientId, client_secret: clientSecret } = Context.parse(JSON.parse(context));
const url = process.argv.at(-1) ?? '';

/** A person knows it from the page where they registered the client. */
async function issuerOf(): Promise<string> {
  const { origin, pathname } = new URL(url);
  const response = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`);
  return z.object({ authorization_servers: z.tuple([z.string()]) }).parse(await response.json())
    .authorization_servers[0];
}

const oauth =
  clientId === undefined
    ? { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' }
    : {
        clientId,
        clientSecret,
        issuer: await issuerOf(),
        ...(scenario.includes('client-credentials') && { grant: 'client_credentials' }),
      };
const entry = parseEntry({ id: ID, url, oauth }, ID) as RemoteEntry;
const server = await startWithUpstreams([entry]);

let signIns = 0;
async function signIn(): Promise<void> {
  signIns += 1;
  const signal = AbortSignal.timeout(SIGN_IN_MS);
  await login({
    home: server.home,
    id: ID,
    entry,
    signal,
    show: (address) => void fetch(address, { signal }),
  });
}

const stateOf = () => server.upstreams.report()[0]?.state ?? 'starting';
async function until(isTrue: () => boolean): Promise<void> {
  const late = AbortSignal.timeout(SIGN_IN_MS);
  while (!isTrue()) await delay(20, undefined, { signal: late });
}

/**
 * Signs in until the upstream is connected. The server notices the sign-in by itself. A sign-in too many would take a
 * later scope's place, and an attempt that began before the sign-in may end after it: the second end is of a later one.
 */
async function connect(): Promise<void> {
  await until(() => stateOf() !== 'starting');
  while (stateOf() !== 'ready' && signIns < SIGN_INS_MAX) {
    await signIn();
    let ends = 0;
    const stop = server.upstreams.onChange(() => (ends += stateOf() === 'starting' ? 0 : 1));
    await until(() => ends > 1 || stateOf() === 'ready');
    stop();
  }
}

const isAsking = (answer: object): boolean => JSON.stringify(answer).includes('upstream_sign_in_required');
await connect();
const { tools } = await server.client.listTools();
for (const { name } of tools.filter((tool) => tool.name.startsWith(`${ID}_`))) {
  let answer = await server.client.callTool({ name, arguments: {} });
  while (isAsking(answer) && signIns < SIGN_INS_MAX) {
    await signIn();
    answer = await server.client.callTool({ name, arguments: {} });
  }
}
await server.close();
