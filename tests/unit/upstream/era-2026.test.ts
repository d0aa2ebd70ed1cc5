import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it } from 'vitest';
import { parseEntry, type UpstreamEntry } from '../../../server/upstream/index.ts';
import { callTool } from '../../support/call-tool.ts';
import { connectClient, program, startWithUpstreams } from '../../support/upstream-rig.ts';

const SERVER = fileURLToPath(new URL('../../support/new-era-server.mjs', import.meta.url));
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const ENTRIES: Readonly<Record<string, () => Promise<UpstreamEntry>>> = {
  stdio: async () => program('new', [SERVER]),
  HTTP: async () => {
    const child = spawn(process.execPath, [SERVER, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
    ends.push(() => child.kill());
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    return parseEntry({ id: 'new', url: `http://127.0.0.1:${String(port).trim()}/` }, 'new');
  },
};

describe.each(Object.entries(ENTRIES))('an upstream by %s that opens no sessions', (_how, entryOf) => {
  it('is called, and asks the person of the client', async () => {
    const server = await startWithUpstreams([await entryOf()]);
    ends.push(() => server.close());
    expect(server.upstreams.report()).toMatchObject([{ id: 'new', state: 'ready', tools: 2 }]);
    expect((await server.call('new_echo', { text: 'one' })).text).toContain('echo one');
    const client = await connectClient(server, { elicitation: { form: {} } }, (asked) =>
      asked.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        expect(params.message).toContain('Who are you?');
        return { action: 'accept', content: { name: 'Ada' } };
      }),
    );
    ends.push(() => client.close());
    expect((await callTool(client, 'new_greet')).text).toContain('Hello, Ada!');
  });
});
