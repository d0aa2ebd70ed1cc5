import { expect, it, onTestFinished, vi } from 'vitest';
import { findFreePort } from '../../../scripts/lib/server-process.ts';
import { serveHttp } from '../../../server/mcp/http/serve.ts';
import { parseEntry } from '../../../server/upstreams/index.ts';
import type { MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { FAULTS, program, startWithUpstreams } from '../../support/upstream-rig.ts';

const urlOf = (port: number): string => `http://127.0.0.1:${port}/mcp`;
async function spillway(port: number, leadsTo: number): Promise<MemoryServer> {
  const server = await startWithUpstreams([
    parseEntry({ id: 'next', url: urlOf(leadsTo) }, 'next'),
    program('odd', [FAULTS]),
  ]);
  const http = await serveHttp({ ...server.faces, port, token: null, onClients: () => undefined });
  onTestFinished(async () => {
    await server.close();
    await http.close();
  });
  return server;
}

const stateOf = ({ upstreams }: MemoryServer) => upstreams.report().find(({ id }) => id === 'next');
it('a cycle of servers is refused by the one that is its own upstream', async () => {
  const port = await findFreePort();
  const server = await spillway(port, port);
  const refused = { state: 'failed', problem: expect.stringContaining('it leads back to this server') };
  await vi.waitFor(() => expect(stateOf(server)).toMatchObject(refused), PATIENCE);
  const { tools } = await server.client.listTools();
  expect(tools.filter(({ name }) => name.startsWith('next_'))).toEqual([]);
  expect((await server.call('odd_echo', { value: 'a' })).text).toBe('a');
});
