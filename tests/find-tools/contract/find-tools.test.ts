import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeEach, expect, it } from 'vitest';
import { MODES } from '../../../server/core/modes/loader.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { callTool } from '../../support/call-tool.ts';
import { startMemoryServer } from '../../support/memory-client.ts';
import { testProvider, testTool } from '../../support/test-provider.ts';

interface Found {
  readonly matches?: readonly {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly category: string;
    readonly listed: boolean;
  }[];
  readonly tools?: readonly {
    readonly name: string;
    readonly description: string;
    readonly input_schema?: JsonObject;
  }[];
  readonly added?: readonly string[];
  readonly problems?: readonly { readonly name: string; readonly error: { code: string; message: string } }[];
}

let client: Client;
let changes = 0;
const server = await startMemoryServer();
beforeEach(async () => {
  client = await server.connect();
  changes = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
});

const find = async (args: Record<string, unknown>, who = client): Promise<Found> =>
  (await callTool(who, 'find_tools', args)).json<Found>();
const names = async (who = client): Promise<string[]> =>
  (await who.listTools()).tools.map(({ name }) => name);

it('a selection joins the list of its session, and of no other, once', async () => {
  const other = await server.connect();
  const before = await names();
  const found = await find({ select: ['console'], query: 'console' });
  expect(found).toMatchObject({ added: ['console'], tools: [{ name: 'console' }] });
  expect(found.matches?.[0]).toMatchObject({ name: 'console', listed: true });
  expect(found.problems).toBeUndefined();
  await expect.poll(() => changes).toBe(1);
  expect((await names()).filter((name) => !before.includes(name))).toEqual(['console']);
  expect(await names(other)).toEqual(before);
  expect((await find({ select: ['console'] })).added).toEqual([]);
  expect(await names()).toHaveLength(before.length + 1);
  expect(changes).toBe(1);
  await other.close();
});

it('a selection repeats no secret that was passed for a name', async () => {
  const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
  const passed = [token, `see https://h.test/?access_token=${token}`, `${'a '.repeat(36)}${token}`];
  const { problems = [] } = await find({ select: passed });
  expect(problems).toHaveLength(3);
  expect(JSON.stringify(problems)).not.toContain('a1B2c3D4');
  expect(problems[0]?.name).toBe('«redacted:github-token»');
  expect(problems[0]?.error.message).toContain('"«redacted:github-token»"');
});

it('tools of providers are found and selected like ours; a huge schema displaces no other and breaks no result', async () => {
  const huge = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, index) => [
      `stripe_${index}`,
      { type: 'string', description: 'x'.repeat(40) },
    ]),
  );
  const provider = testProvider('zoo', [
    testTool({ name: 'zoo_feed', kind: 'direct', tier: 3, does: 'Feeds the giraffes.\nAll of them.' }),
    testTool({
      name: 'zoo_count',
      kind: 'upstream',
      tier: 3,
      does: 'y'.repeat(5_000),
      inputSchema: { type: 'object', properties: huge },
    }),
    testTool({
      name: 'zoo_hidden',
      kind: 'direct',
      tier: 3,
      flags: { discoverable: false },
      does: 'Giraffes too.',
    }),
  ]);
  const zoo = await startMemoryServer({}, { providers: [provider] });
  const found = async (args: Record<string, unknown>): Promise<Found> =>
    (await zoo.call('find_tools', args)).json<Found>();
  expect((await found({ query: 'giraffe' })).matches).toEqual([
    {
      name: 'zoo_feed',
      title: 'zoo_feed',
      category: 'recipes',
      listed: false,
      description: 'Feeds the giraffes. All of them.',
    },
  ]);
  expect((await found({ query: 'stripe_17' })).matches?.[0]?.name).toBe('zoo_count');
  const answer = await zoo.call('find_tools', { select: ['zoo_count', 'zoo_feed'] });
  const { tools = [], added } = answer.json<Found>();
  expect(added).toEqual(['zoo_feed', 'zoo_count']);
  expect(tools.map(({ name, input_schema }) => [name, input_schema !== undefined])).toEqual([
    ['zoo_count', false],
    ['zoo_feed', true],
  ]);
  expect(answer.notes).toContain('zoo_count');
  expect(answer.text.length).toBeLessThan(24_000);
  expect((await found({ query: 'count' })).matches?.map(({ name }) => name)).toContain('zoo_count');
  expect((await zoo.client.listTools()).tools.map(({ name }) => name)).toContain('zoo_count');
  await zoo.close();
});

it.each(['default', 'openai'])('in mode %s no tool is found that only widgets call', async (mode) => {
  const moded = await startMemoryServer({ mode });
  const asked = { query: 'run_status_internal', select: ['run_status_internal'] };
  const { matches = [], problems } = (await moded.call('find_tools', asked)).json<Found>();
  expect(matches.filter(({ name }) => name.endsWith('_internal'))).toEqual([]);
  expect(problems).toHaveLength(1);
  // The tools that a widget calls come with the first tool that has it, unnamed.
  const narrow = await moded.connect(['docs']);
  const before = await names(narrow);
  const answer = await callTool(narrow, 'find_tools', { select: ['crawl', 'internal', 'run_status_int'] });
  const twins = (await names(narrow)).filter((name) => name.endsWith('_internal'));
  expect(twins.length > 0).toBe(MODES.some(({ name, own }) => name === mode && own.length > 0));
  // What reads stored outputs is always there, and with it what its widget calls.
  expect(before.filter((name) => twins.includes(name))).toEqual(
    twins.filter((name) => name === 'oc_output_fetch_internal'),
  );
  expect(answer.json<Found>().added).toEqual(['crawl', 'run_status', 'run_output']);
  expect(`${answer.text} ${answer.notes}`).not.toContain('_internal');
  await moded.close();
});
