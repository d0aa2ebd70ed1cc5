import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { SERVER } from '../../scripts/lib/server-process.ts';
import type { MemoryServer } from '../support/memory-client.ts';
import { program, startWithUpstreams } from '../support/upstream-rig.ts';

/* A server as people use it, behind ours: a second Spillway. */

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'spillway-servers-'));
  ends.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function start(...args: Parameters<typeof startWithUpstreams>): Promise<MemoryServer> {
  const server = await startWithUpstreams(...args);
  ends.push(() => server.close());
  return server;
}

describe('a second Spillway', () => {
  async function useSecond(server: MemoryServer): Promise<void> {
    const { tools } = await server.client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['oc_output_fetch', 'second_oc_output_fetch']));
    expect(new Set(names).size).toBe(names.length);
    const health = await server.call('second_oc_connection_health');
    expect(health.json<object>()).toHaveProperty('browsers');
    // Its handles are its own.
    const refused = await server.call('second_oc_output_fetch', { output_handle: 'oh_AAAAAAAAAAAA' });
    expect(refused.text).toContain('output_handle_not_found');
  }

  it('by stdio has its tools behind its id, and one that has itself as an upstream starts nothing more', async () => {
    const home = folder();
    const upstreams = [{ id: 'self', command: process.execPath, args: [SERVER, '--home', home] }];
    writeFileSync(join(home, 'spillway.json'), JSON.stringify({ upstreams }), { mode: 0o600 });
    const server = await start([program('second', [SERVER, '--home', home])]);
    await useSecond(server);
    const health = await server.call('second_oc_connection_health');
    expect(health.json<{ upstreams?: unknown }>().upstreams ?? []).toEqual([]);
  });
});
