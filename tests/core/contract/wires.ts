import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { generateText } from 'ai';
import { handleToolUse } from '../../../server/library/anthropic/index.ts';
import { toAiSdkTools } from '../../../server/library/ai-sdk/index.ts';
import { serveHttp } from '../../../server/mcp/http/serve.ts';
import { createSession } from '../../../server/core/registry/session.ts';
import { openSession } from '../../../server/library/session.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import type { MemoryServer } from '../../support/memory-client.ts';
import { scriptedModel } from '../../support/scripted-model.ts';
import type { ContentBlock, ToolResult } from '../../../server/core/result.ts';

/** A block in a neutral form. Bytes that a model cannot read have only their type. */
type PlainBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'bytes'; readonly mimeType: string };

/** The end of a call as an adapter's client sees it. */
export interface Seen {
  readonly ok: boolean;
  readonly content: readonly PlainBlock[];
  /** Absent if the adapter has no place for it. */
  readonly structured?: JsonObject | null;
}

const BYTES = /^\[\d+ bytes of (\S+), which cannot be shown here\./;

function plainText(text: string): PlainBlock {
  const mimeType = BYTES.exec(text)?.[1];
  return mimeType === undefined ? { type: 'text', text } : { type: 'bytes', mimeType };
}

function toPlain(block: ContentBlock): PlainBlock {
  if (block.type === 'text') return block;
  if (block.type === 'image') return block;
  if (block.type === 'blob') return { type: 'bytes', mimeType: block.mimeType };
  throw new Error('No case has blocks of another server.');
}

function seenOf({ ok, content, structured }: Pick<ToolResult, 'ok' | 'content' | 'structured'>): Seen {
  return { ok, content: content.map(toPlain), structured: structured ?? null };
}

/** Natural differences between servers, in the order in which they are masked. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/oh_[A-Z2-7]{12}/g, 'oh_MASKED'],
  [/run_[A-Z2-7]{12}/g, 'run_MASKED'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'DATE'],
  [/[0-9a-f]{64}/g, 'SHA-256'],
  [/("mime_type":"application\/wacz","size_bytes":)\d+/g, '$10'],
  // Adapters that have steps name them, and calls by the ids of their models.
  [/,"step":"[^"]*"/g, ''],
  [/"call_id":"[^"]*"/g, '"call_id":"ID"'],
  // Each client's own name, and its session and server.
  [/"agent":"[^"]*"/g, '"agent":"NAME"'],
  [/"agent_version":"[^"]*",/g, ''],
  [/"client_session":"[^"]*"/g, '"client_session":"ID"'],
  [/"server":"[0-9a-f]{24}"/g, '"server":"ID"'],
  [/"(\w+_ms|rate_per_second|uptime_s)":[\d.]+/g, '"$1":0'],
  [/"(content_bytes|bytes|tokens|saved_tokens)":-?\d+/g, '"$1":0'],
  [/("handles":\d+,"size_bytes":)\d+/g, '$10'],
];

function maskText(text: string, home: string): string {
  const placed = text.replaceAll(home, 'HOME');
  return MASKS.reduce((masked, [pattern, shown]) => masked.replaceAll(pattern, shown), placed);
}

/** The same without natural differences: handles, ids, dates, durations, the server's folder. */
export function mask(seen: Seen, home: string): Seen {
  const structured = JSON.parse(maskText(JSON.stringify(seen.structured ?? null), home)) as JsonObject | null;
  return {
    ok: seen.ok,
    // Models' APIs refuse blank text, so that their adapters leave it out.
    content: seen.content
      .map((block) => (block.type === 'text' ? { ...block, text: maskText(block.text, home) } : block))
      .filter((block) => block.type !== 'text' || block.text.trim() !== ''),
    ...(seen.structured === undefined ? {} : { structured }),
  };
}

type Wire = { call(tool: string, args: JsonObject): Promise<Seen>; close(): Promise<void> };

export type OpenWire = (server: MemoryServer) => Promise<Wire>;

/** The pipeline itself: the reference for every adapter. */
export const executorWire: OpenWire = async ({ executor }) => {
  const session = createSession(randomUUID(), { registry: executor.registry });
  const { signal } = new AbortController();
  return {
    call: async (tool, args) =>
      seenOf(await executor.execute({ callId: randomUUID(), tool, args, session, signal })),
    close: async () => undefined,
  };
};

const libraryWire: OpenWire = async ({ executor }) => {
  const session = openSession({ executor });
  return {
    call: async (tool, args) => seenOf(await session.call<string>(tool, args)),
    close: async () => session.close(),
  };
};

function fromMcp({ content, isError, structuredContent }: CallToolResult): Seen {
  const blocks = content.flatMap((block): PlainBlock[] => {
    if (block.type === 'text') return [{ type: 'text', text: block.text }];
    if (block.type === 'image') return [{ type: 'image', data: block.data, mimeType: block.mimeType }];
    if (block.type === 'resource') return [{ type: 'bytes', mimeType: block.resource.mimeType ?? '' }];
    // A link to what was stored, for hosts that attach resources, follows the content.
    expectLink(block.type);
    return [];
  });
  return { ok: isError !== true, content: blocks, structured: (structuredContent as JsonObject) ?? null };
}

function expectLink(type: string): void {
  if (type !== 'resource_link') throw new Error(`No case answers a block of type ${type}.`);
}

const overMcp = (client: Client, end: () => Promise<void>): Wire => ({
  call: async (name, args) => fromMcp((await client.callTool({ name, arguments: args })) as CallToolResult),
  close: async () => {
    await client.close();
    await end();
  },
});

const httpWire: OpenWire = async ({ faces }) => {
  const http = await serveHttp({ ...faces, port: 0, token: null, onClients: () => undefined });
  const client = new Client({ name: 'contract', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(http.url));
  // The SDK's class declares `sessionId` without `undefined`, which exactOptionalPropertyTypes tells apart.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return overMcp(client, () => http.close());
};

const anthropicWire: OpenWire = async ({ executor }) => {
  const session = openSession({ executor });
  return {
    call: async (name, input) => {
      const block = await handleToolUse(session, { id: randomUUID(), name, input });
      if (typeof block.content === 'string') throw new Error('Content comes in blocks.');
      const content = (block.content ?? []).map((part): PlainBlock => {
        if (part.type === 'text') return plainText(part.text);
        if (part.type !== 'image' || part.source.type !== 'base64') throw new Error(`A block ${part.type}.`);
        return { type: 'image', data: part.source.data, mimeType: part.source.media_type };
      });
      return { ok: block.is_error !== true, content };
    },
    close: async () => session.close(),
  };
};

const aiSdkWire: OpenWire = async ({ executor }) => {
  const session = openSession({ executor });
  const tools = toAiSdkTools(session);
  return {
    call: async (name, input) => {
      const model = scriptedModel([[{ id: randomUUID(), name, input }]]);
      const { response } = await generateText({ model, tools, prompt: 'Call it.' });
      for (const message of response.messages) {
        if (message.role !== 'tool') continue;
        const [part] = message.content;
        if (part?.type === 'tool-result') return fromAiSdk(part.output);
      }
      throw new Error(`${name} has no result.`);
    },
    close: async () => session.close(),
  };
};

function fromAiSdk(output: { readonly type: string; readonly value?: unknown }): Seen {
  if (output.type === 'error-text') return { ok: false, content: [plainText(String(output.value))] };
  if (output.type !== 'content' || !Array.isArray(output.value)) throw new Error(`An output ${output.type}.`);
  const content = output.value.map(
    (part: { type: string; text?: string; data?: string; mediaType?: string }) =>
      part.type === 'text'
        ? plainText(part.text ?? '')
        : ({ type: 'image', data: part.data ?? '', mimeType: part.mediaType ?? '' } as const),
  );
  return { ok: true, content };
}

export const WIRES: Readonly<Record<string, OpenWire>> = {
  library: libraryWire,
  'MCP in memory': async (server) => overMcp(await server.connect(), async () => undefined),
  'MCP over HTTP': httpWire,
  'Anthropic tool use': anthropicWire,
  'AI SDK': aiSdkWire,
};
