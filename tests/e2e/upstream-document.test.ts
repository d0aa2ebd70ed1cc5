import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { SERVER } from '../../scripts/lib/server-process.ts';
import type { OutputDescriptor } from '../../shared/output/descriptor.ts';
import { startService, type Service } from '../support/openapi/service.ts';
import { PATIENCE } from '../support/patience.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';

/* A service by its OpenAPI document, from spillway.json to a handle: the built server, a real client and a real service. */

const TOKEN = 'token-of-the-shop-0123456789';
const PETS = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `Pet ${id}` }));
const id = { in: 'path', name: 'petId', required: true, schema: { type: 'integer' } };
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  security: [{ token: [] }],
  paths: {
    '/pets': { get: { operationId: 'listPets', summary: 'Lists all pets', responses: {} } },
    '/pets/{petId}': {
      get: { operationId: 'getPet', parameters: [id], responses: {} },
      delete: { operationId: 'deletePet', parameters: [id], responses: {} },
    },
  },
};

let home: string;
let service: Service;
let server: StdioServer;
const run = promisify(execFile);

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'spillway-home-'));
  service = await startService((response, { path }) => {
    const body = path === '/pets' ? PETS : PETS[Number(path.split('/')[2])];
    response.statusCode = body === undefined ? 404 : 200;
    response.end(JSON.stringify(body ?? { message: 'No such pet' }));
  });
  writeFileSync(join(home, 'pets.json'), JSON.stringify(DOCUMENT));
  const headers = { authorization: 'Bearer ${PETS_TOKEN}' };
  const upstreams = [{ id: 'shop', file: 'pets.json', baseUrl: service.url, headers }];
  writeFileSync(join(home, 'spillway.json'), JSON.stringify({ upstreams }), { mode: 0o600 });
  server = await startServer({ home, env: { PETS_TOKEN: TOKEN } });
});
afterAll(async () => {
  await server.close();
  await service.close();
  rmSync(home, { recursive: true });
});

const descriptionOf = async (name: string): Promise<string | undefined> =>
  (await server.client.listTools()).tools.find((tool) => tool.name === name)?.description;

it('offers its operations once a person has accepted them', async () => {
  await vi.waitFor(async () => expect(await descriptionOf('shop_listPets')).toBeDefined(), PATIENCE);
  expect(await descriptionOf('shop_listPets')).not.toContain('Lists all pets');
  expect((await server.call('shop_listPets')).code()).toBe('upstream_not_accepted');
  const command = ['upstream', 'accept', 'shop', '--yes', '--home', home];
  const env = { ...process.env, PETS_TOKEN: TOKEN };
  const { stdout } = await run(process.execPath, [SERVER, ...command], { env });
  expect(stdout).toContain('Lists all pets');
  expect(stdout).not.toContain(TOKEN);
  await vi.waitFor(
    async () => expect(await descriptionOf('shop_listPets')).toContain('Lists all pets'),
    PATIENCE,
  );
  expect(service.seen).toEqual([]);
});

it('turns a long answer into a handle of its items', async () => {
  const answer = await server.call('shop_listPets', { output_mode: 'auto' });
  const { output_handle: handle, item_count: count } = answer.json<OutputDescriptor>();
  expect(count).toBe(PETS.length);
  expect(service.seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${TOKEN}`]);
  const found = await server.call('oc_output_query', { output_handle: handle, where: 'id == `4321`' });
  expect(found.text).toContain('Pet 4321');
});
