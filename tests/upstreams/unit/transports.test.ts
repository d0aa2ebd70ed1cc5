import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  ElicitRequestSchema,
  ResourceUpdatedNotificationSchema,
  type ElicitRequestFormParams,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sample } from '../../support/depth.ts';
import { findFreePort } from '../../../scripts/lib/server-process.ts';
import { parseEntry } from '../../../server/upstreams/index.ts';
import { callTool } from '../../support/call-tool.ts';
import { PATIENCE } from '../../support/patience.ts';
import { EVERYTHING, startClient, startUpstreams } from '../../support/upstream-rig.ts';

/* Messages through a third-party server, over each transport. */

const FEATURES = 'upstream://every/demo://resource/static/document/features.md';

/** Starts the server "everything" as a process that listens. */
async function listen(kind: string, port: number): Promise<ChildProcess> {
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [EVERYTHING, kind], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stderr, 'data');
  return child;
}

function prepare(heard: { asked: string[]; updates: string[] }) {
  return (client: Client): void => {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      heard.asked.push((params as ElicitRequestFormParams).message);
      const { properties } = (params as ElicitRequestFormParams).requestedSchema;
      return { action: 'accept', content: { [Object.keys(properties)[0] ?? '']: 'snake' } };
    });
    client.setNotificationHandler(
      ResourceUpdatedNotificationSchema,
      ({ params }) => void heard.updates.push(params.uri),
    );
  };
}

const TRANSPORTS = [
  ['http', ['streamableHttp', 'mcp']],
  ['sse', ['sse', 'sse']],
  ['stdio', null],
] as const;
describe.each(sample(TRANSPORTS, 3))('over %s', (transport, listener) => {
  it('passes tools, questions, prompts and resources, and reconnects', async () => {
    const port = await findFreePort();
    const [kind = '', path = ''] = listener ?? [];
    const child = listener === null ? null : await listen(kind, port);
    const target =
      listener === null
        ? { command: process.execPath, args: [EVERYTHING, 'stdio'] }
        : { url: `http://127.0.0.1:${port}/${path}`, transport };
    const server = await startUpstreams([parseEntry({ id: 'every', ...target }, 'every')]);
    const state = () => server.upstreams.report()[0]?.state;
    await vi.waitFor(() => expect(state()).toBe('ready'), PATIENCE);
    const heard = { asked: [], updates: [] };
    const client = await startClient(server, { elicitation: { form: {} } }, prepare(heard));

    const messages: unknown[] = [];
    const topic = { topic: 'python', ambiguous: true };
    const research = { name: 'every_simulate-research-query', arguments: topic };
    const answer = await client.callTool(research, undefined, {
      onprogress: ({ message }) => void messages.push(message),
    });
    expect(JSON.stringify(answer.content)).toContain('Research Report: python (snake)');
    expect(heard.asked).toEqual([expect.stringMatching(/^The upstream "every" \(not Spillway\) asks: /)]);
    expect(messages.join('\n')).toContain('Gathering sources');
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'every_completable-prompt' },
      argument: { name: 'name', value: '' },
      context: { arguments: { department: 'Engineering' } },
    });
    expect(completion).toMatchObject({ values: ['Alice', 'Bob', 'Charlie'], total: 3, hasMore: false });
    await client.subscribeResource({ uri: FEATURES });
    await callTool(client, 'every_toggle-subscriber-updates');
    await vi.waitFor(() => expect(heard.updates).toContain(FEATURES), PATIENCE);

    if (child === null) return;
    child.kill('SIGKILL');
    const away = await server.call('every_echo', { message: 'hello' });
    expect(away.code()).toBe('upstream_error');
    expect(away.text).toContain('upstream every');
    await vi.waitFor(() => expect(state()).toBe('failed'), PATIENCE);
    await listen(kind, port);
    await vi.waitFor(() => expect(state()).toBe('ready'), PATIENCE);
    expect((await server.call('every_echo', { message: 'again' })).text).toContain('again');
  });
});
