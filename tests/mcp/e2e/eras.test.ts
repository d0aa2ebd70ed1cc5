import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { definedOnly } from '../../../scripts/lib/environment.ts';
import { SERVER } from '../../../scripts/lib/server-process.ts';
import { waitForNoProcess } from '../../support/processes.ts';
import { testFolder } from '../../support/test-folder.ts';
import { itDeep } from '../../support/depth.ts';

// The built server with the 2.x SDK's client on its stdio; other tests use the 1.x SDK's. No browser is needed.

const home = testFolder();

async function connect(mode: 'auto' | 'legacy' | { readonly pin: string }): Promise<NewClient> {
  const client = new NewClient({ name: 'eras', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [SERVER, '--home', home],
    env: definedOnly(process.env),
    stderr: 'ignore',
  });
  await client.connect(transport);
  return client;
}

test('a client of 2026-07-28 is served without a session, and its list stays the same', async () => {
  const client = await connect({ pin: '2026-07-28' });
  try {
    expect(client.getProtocolEra()).toBe('modern');
    expect(client.getDiscoverResult()).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true }, extensions: { 'io.modelcontextprotocol/tasks': {} } },
      instructions: expect.stringContaining('find_tools'),
    });
    const before = await client.listTools(undefined, { cacheMode: 'bypass' });
    expect(before).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' });
    const selected = await client.callTool({ name: 'find_tools', arguments: { select: ['docs_search'] } });
    expect(selected.isError).not.toBe(true);
    expect(JSON.stringify(await client.listTools(undefined, { cacheMode: 'bypass' }))).toBe(
      JSON.stringify(before),
    );
  } finally {
    await client.close();
  }
});

itDeep('the list is that of the session before, and is the same from start to start', async () => {
  const lists = [];
  for (const mode of ['auto', 'legacy', 'auto'] as const) {
    const client = await connect(mode);
    expect(client.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy');
    const { tools } = await client.listTools();
    lists.push(JSON.stringify(tools.map(({ execution: _not, ...tool }) => tool)));
    await client.close();
  }
  await waitForNoProcess(home);
  expect(new Set(lists).size).toBe(1);
});
