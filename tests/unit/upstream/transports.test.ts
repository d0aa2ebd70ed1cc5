import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  ElicitRequestSchema,
  ErrorCode,
  ResourceUpdatedNotificationSchema,
  type ElicitRequestFormParams,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { connectClient, everythingOver, startWithUpstreams, TRANSPORTS } from '../../support/upstream-rig.ts';

/* What passes through a server that others wrote, over each transport. */

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

describe.each(TRANSPORTS)('over %s', (transport) => {
  async function start(): Promise<MemoryServer> {
    const { entry, stop } = await everythingOver(transport);
    ends.push(stop);
    const server = await startWithUpstreams([entry]);
    ends.push(() => server.close());
    const state = () => server.upstreams.report()[0]?.state;
    await vi.waitFor(() => expect(state()).toBe('ready'), PATIENCE);
    return server;
  }

  async function connect(
    server: MemoryServer,
    ...[capabilities, prepare]: [Parameters<typeof connectClient>[1], Parameters<typeof connectClient>[2]]
  ): Promise<Client> {
    const client = await connectClient(server, capabilities, prepare);
    ends.push(() => client.close());
    return client;
  }

  it('a tool that is a task alone says its steps, asks its person and answers', async () => {
    const questions: string[] = [];
    const client = await connect(await start(), { elicitation: { form: {} } }, (made) =>
      made.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        questions.push(params.message);
        const { properties } = (params as ElicitRequestFormParams).requestedSchema;
        return { action: 'accept', content: { [Object.keys(properties)[0] ?? '']: 'snake' } };
      }),
    );
    const messages: unknown[] = [];
    const answer = await client.callTool(
      { name: 'every_simulate-research-query', arguments: { topic: 'python', ambiguous: true } },
      undefined,
      { onprogress: ({ message }) => void messages.push(message) },
    );
    expect(JSON.stringify(answer.content)).toContain('Research Report: python (snake)');
    expect(questions).toEqual([expect.stringMatching(/^The upstream "every" asks, and not Spillway: /)]);
    expect(messages.join('\n')).toContain('Gathering sources');
  });

  it('a resource is followed, and the client hears that it has changed', async () => {
    const updates: string[] = [];
    const server = await start();
    const client = await connect(server, {}, (made) =>
      made.setNotificationHandler(
        ResourceUpdatedNotificationSchema,
        ({ params }) => void updates.push(params.uri),
      ),
    );
    const uri = 'upstream://every/demo://resource/static/document/features.md';
    await client.subscribeResource({ uri });
    await server.call('every_toggle-subscriber-updates');
    await vi.waitFor(() => expect(updates).toContain(uri), PATIENCE);
  });

  it('a page is shown as a question, and as a failure of a call that needs it first', async () => {
    const pages: unknown[] = [];
    const client = await connect(await start(), { elicitation: { url: {} } }, (made) =>
      made.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        pages.push(params);
        return { action: 'accept' };
      }),
    );
    const call = (args: object) =>
      client.callTool({
        name: 'every_trigger-url-elicitation',
        arguments: { url: 'https://example.com/in', elicitationId: 'e1', ...args },
      });
    expect(JSON.stringify((await call({})).content)).toContain('User completed the URL elicitation flow');
    expect(pages).toEqual([
      expect.objectContaining({ url: 'https://example.com/in', elicitationId: 'every/e1' }),
    ]);
    await expect(call({ errorPath: true })).rejects.toMatchObject({
      code: ErrorCode.UrlElicitationRequired,
      data: { elicitations: [expect.objectContaining({ url: 'https://modelcontextprotocol.io/' })] },
    });
  });
});
