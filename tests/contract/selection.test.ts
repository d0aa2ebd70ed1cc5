import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterEach, describe, expect, it } from 'vitest';
import { GROUPS } from '../../server/core/registry/groups.ts';
import type { RunScope } from '../../server/core/runs.ts';
import { MODES } from '../../server/modes/loader.ts';
import { MANIFESTS } from '../../shared/tools/index.ts';
import { callTool } from '../support/call-tool.ts';
import { sample } from '../support/depth.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';
import { testProvider, testTool } from '../support/test-provider.ts';

const MODE_NAMES = MODES.map(({ name }) => name);

let server: MemoryServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const start = async (...given: Parameters<typeof startMemoryServer>): Promise<MemoryServer> =>
  (server = await startMemoryServer(...given));

const names = async (client: Client): Promise<readonly string[]> =>
  (await client.listTools()).tools.map(({ name }) => name);

/** Sentences of a server that names a tool, as words: `find` is also a verb. */
const mentions = (instructions: string, name: string): boolean =>
  new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(instructions);

const SELECTIONS: readonly (readonly string[])[] = sample(
  [[], ...GROUPS.map((group) => [group]), ...MANIFESTS.map(({ name }) => [name])],
  6,
);

describe.each(MODE_NAMES)('in mode %s', (mode) => {
  it('the tools of the default mode are listed, and its instructions mention those and no other', async () => {
    const { connect, executor } = await start({ mode });
    const plain = await startMemoryServer();
    for (const selectors of SELECTIONS) {
      const [client, other] = await Promise.all([connect(selectors), plain.connect(selectors)]);
      const listed = await names(client);
      expect(listed.filter((name) => !name.endsWith('_internal'))).toEqual(await names(other));
      const instructions = client.getInstructions() ?? '';
      const known = executor.registry.all();
      const strangers = known.filter(
        ({ manifest: { name } }) => !listed.includes(name) && mentions(instructions, name),
      );
      expect([selectors, strangers.map(({ manifest }) => manifest.name)]).toEqual([selectors, []]);
      for (const { manifest, row } of known) {
        const role = row.systemRole ?? manifest.systemRole;
        if (role !== null && row.audience === 'model')
          expect(instructions.includes(role)).toBe(listed.includes(manifest.name));
      }
      await Promise.all([client.close(), other.close()]);
    }
    await plain.close();
  });
});

describe('tools that the state of a session brings', () => {
  const worker = {
    run: (_args: unknown, scope: RunScope) =>
      new Promise<never>((_, reject) =>
        scope.signal.addEventListener('abort', () => reject(scope.signal.reason)),
      ),
  };
  const workers = { crawl: () => Promise.resolve(worker) };
  const crawl = (client: Client) => callTool(client, 'crawl', { url: 'https://a.test/', async: true });
  const startWithBrowser = async (parts = {}): Promise<MemoryServer> => {
    const made = await start({}, { workers, ...parts });
    made.bridge.addBrowser();
    return made;
  };

  it('join its list with its first run, once, and no other list', async () => {
    const { connect, client: other } = await startWithBrowser();
    const client = await connect(['crawl']);
    let changes = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
    const before = await names(client);
    for (let runs = 0; runs < 3; runs += 1) expect((await crawl(client)).isError).toBe(false);
    expect((await names(client)).filter((name) => !before.includes(name)).toSorted()).toEqual([
      'run_cancel',
      'run_resume',
    ]);
    expect(changes).toBe(1);
    expect(await names(other)).not.toContain('run_cancel');
    expect(client.getInstructions()).not.toContain('run_cancel');
  });

  it('of a provider that comes later join it too', async () => {
    const provider = testProvider('late');
    const { client } = await startWithBrowser({ providers: [provider] });
    const managed = testTool({ name: 'late_watch', kind: 'direct', flags: { runtimeManaged: 'has_run' } });
    provider.offer([managed]);
    expect(await names(client)).not.toContain('late_watch');
    await crawl(client);
    expect(await names(client)).toContain('late_watch');
    provider.offer([]);
    expect(await names(client)).not.toContain('late_watch');
    provider.offer([managed]);
    expect(await names(client)).toContain('late_watch');
  });
});
