import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import * as mcpClient from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import * as mcpTypes from '@modelcontextprotocol/sdk/types.js';
import * as http from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import * as aiSdk from '../../../server/library/ai-sdk/index.ts';
import * as anthropic from '../../../server/library/anthropic/index.ts';
import { createMcpServer } from '../../../server/mcp/era-2025/server.ts';
import * as library from '../../../server/library/index.ts';
import { startMemoryServer } from '../../support/memory-client.ts';
import { ask, MESSAGES, pendingOf, scripted } from '../../support/scripted-human.ts';
import { scriptedModel } from '../../support/scripted-model.ts';
const page = readFileSync(join(resolve(import.meta.dirname, '../../..'), 'docs/human-input.md'), 'utf8');

const MODULES: Readonly<Record<string, object>> = {
  spillway: library,
  'spillway/ai-sdk': aiSdk,
  'spillway/anthropic': anthropic,
  'node:http': http,
  '@modelcontextprotocol/sdk/client/index.js': mcpClient,
  '@modelcontextprotocol/sdk/types.js': mcpTypes,
};

async function runExample(
  name: string,
  given: Readonly<Record<string, unknown>>,
  wanted = 'undefined',
): Promise<{ printed: readonly unknown[]; value: unknown }> {
  const [, code] = new RegExp(`^\`\`\`js ${name}\\n(.*?)^\`\`\``, 'ms').exec(page) ?? [];
  if (code === undefined) throw new Error(`docs/human-input.md has no example ${name}`);
  const body = code.replaceAll(/^import (\{.*?\}) from '(.*?)';$/gm, 'const $1 = MODULES["$2"];');
  expect(body).not.toContain('import ');
  const printed: unknown[] = [];
  const scope = { ...given, MODULES, console: { log: (line: unknown) => printed.push(line) } };
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  const run = AsyncFunction(...Object.keys(scope), `${body}\nreturn ${wanted};`) as (
    ...values: unknown[]
  ) => Promise<unknown>;
  return { value: await run(...Object.values(scope)), printed };
}

const QUESTION = { type: 'approval', message: 'Invite Ada?' };

test('AI SDK', async () => {
  const asked: unknown[] = [];
  const model = scriptedModel([[ask('c1', QUESTION)]]);
  const { printed } = await runExample('ai-sdk', {
    model,
    tools: {},
    askSomeone: async (question: unknown) => {
      asked.push(question);
      return true;
    },
  });
  expect(asked).toEqual([QUESTION]);
  expect(printed).toEqual(['Done.']);
});

test('MCP', async () => {
  const server = await startMemoryServer();
  const [transport, far] = InMemoryTransport.createLinkedPair();
  await createMcpServer({ ...server.faces, onClient: () => undefined }).connect(far);
  const { printed } = await runExample('mcp', { transport, askSomeone: async () => true });
  expect(JSON.parse(String(printed[0]))).toMatchObject({
    summary: 'A person answered in my-agent',
    answer: true,
  });
});

test('HTTP', async () => {
  const { loop } = scripted([[ask('c1', QUESTION)]]);
  const { messages } = pendingOf(await loop.run(MESSAGES));
  const token = 'token';
  const { value } = await runExample('http', { loop, token }, 'server');
  const server = value as Server;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/continue`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages, toolCallId: 'c1', userInput: true }),
  });
  expect(await answer.json()).toEqual({ text: 'Done.' });
});
