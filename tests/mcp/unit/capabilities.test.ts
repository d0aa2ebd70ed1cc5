import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { connectTo, startMemoryServer } from '../../support/memory-client.ts';

const server = await startMemoryServer();

/** One request per promised capability, which needs no more than an empty answer or a refusal. */
const PROMISED: Readonly<Record<string, readonly [string, Record<string, unknown>]>> = {
  tools: ['tools/list', {}],
  resources: ['resources/list', {}],
  'resources.subscribe': ['resources/subscribe', { uri: 'test://x' }],
  prompts: ['prompts/list', {}],
  completions: ['completion/complete', {}],
  logging: ['logging/setLevel', { level: 'error' }],
};

async function isServed(client: Client, [method, params]: readonly [string, object]): Promise<boolean> {
  try {
    await client.request({ method, params: { ...params } }, z.looseObject({}));
    return true;
  } catch (thrown) {
    return z.looseObject({ code: z.number() }).parse(thrown).code !== -32_601;
  }
}

it.each(['everything', 'tools and prompts alone'])(
  'what is announced is what is served by a server of %s',
  async (what) => {
    const { resources, logs, ...rest } = server.faces;
    const isWhole = what === 'everything';
    const client = await connectTo(
      isWhole ? server.faces : rest,
      new Client({ name: 'capabilities', version: '1' }),
    );
    expect([resources, logs]).not.toContain(undefined);
    const announced = client.getServerCapabilities() ?? {};
    for (const [name, request] of Object.entries(PROMISED)) {
      const [capability = '', part] = name.split('.');
      const value: unknown = Object.entries(announced).find(([key]) => key === capability)?.[1];
      const isAnnounced =
        part === undefined
          ? value !== undefined
          : z.looseObject({ [part]: z.literal(true) }).safeParse(value).success;
      expect([name, await isServed(client, request)]).toEqual([name, isAnnounced]);
    }
    expect(announced.resources !== undefined).toBe(isWhole);
    expect(announced.logging !== undefined).toBe(isWhole);
    await client.close();
  },
);
