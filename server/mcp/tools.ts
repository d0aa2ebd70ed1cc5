import type {
  ListToolsResult,
  Tool,
  CallToolResult,
  ProgressNotificationParams,
  ResourceLink,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ToolAnnotations } from '../../shared/core/tools/manifest.ts';
import { type ToolDefinition, type WidgetDialect, publicFields } from '../core/registry/definition.ts';
import { cutPage, outputUri, type McpServerOptions } from './rpc.ts';
import { MIME } from '../../shared/base/mime.ts';
import type { OutputDescriptor } from '../../shared/core/descriptor.ts';
import type { ContentBlock, ToolResult } from '../core/result.ts';
import type { Progress, SampleModel } from '../core/context.ts';
import type { ToolCall } from '../core/calls/call.ts';
import type { RankTools } from '../core/registry/selector.ts';

/** One page of `tools/list`. */
export function listTools(
  { executor }: Pick<McpServerOptions, 'executor'>,
  names: readonly string[],
  cursor: string | undefined,
): ListToolsResult {
  const tools = names.map((name) => toTool(executor.registry.get(name)));
  const { page, next } = cutPage(tools, { list: 'tools', keyOf: ({ name }) => name, cursor });
  return { tools: [...page], ...next };
}

function toTool({ manifest, presentation }: ToolDefinition): Tool {
  const { title, description, inputSchema, outputSchema, meta } = presentation;
  return {
    name: manifest.name,
    title,
    description,
    inputSchema: { ...inputSchema, type: 'object' as const },
    ...(outputSchema === undefined ? {} : { outputSchema: { ...outputSchema, type: 'object' as const } }),
    annotations: toAnnotations(manifest.annotations),
    // Default-deny.
    ...(manifest.tasks === 'forbidden' ? {} : { execution: { taskSupport: manifest.tasks } }),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}

/**
 * Only the hints that differ from the protocol's defaults, without the destructive and idempotent hints of a
 * read-only tool.
 */
function toAnnotations(hints: ToolAnnotations): Partial<ToolAnnotations> {
  return {
    readOnlyHint: hints.readOnlyHint,
    ...(hints.readOnlyHint || hints.destructiveHint ? {} : { destructiveHint: false }),
    ...(!hints.readOnlyHint && hints.idempotentHint ? { idempotentHint: true } : {}),
    ...(hints.openWorldHint ? {} : { openWorldHint: false }),
  };
}

type Block = CallToolResult['content'][number];

function toBlock(block: ContentBlock): Block {
  if (block.type === 'foreign') return block.block as Block;
  if (block.type === 'blob')
    return { type: 'resource', resource: { uri: block.uri, mimeType: block.mimeType, blob: block.data } };
  return { ...block };
}

/** A stored payload as a resource, for hosts that attach resources. */
function toLink(
  descriptor: Pick<OutputDescriptor, 'output_handle' | 'mime_type' | 'size_bytes'>,
): ResourceLink {
  const { output_handle: handle, mime_type: mimeType, size_bytes: size } = descriptor;
  return { type: 'resource_link', uri: outputUri(handle), name: handle, mimeType, size };
}

/** Maximum bytes that a link and its comma add to a body. */
export const LINK_BYTES =
  1 +
  JSON.stringify(
    toLink({
      output_handle: `oh_${'A'.repeat(12)}`,
      mime_type: Object.values(MIME).reduce((a, b) => (b.length > a.length ? b : a)),
      size_bytes: Number.MAX_SAFE_INTEGER,
    }),
  ).length;

/** The executor's result in MCP's form, followed by a link to the stored output. */
export function toCallToolResult(result: ToolResult, dialect: WidgetDialect | null): CallToolResult {
  const { content, structured, meta, ok, descriptor } = result;
  return publicFields<CallToolResult>(
    {
      content: [...content.map(toBlock), ...(descriptor === undefined ? [] : [toLink(descriptor)])],
      ...(structured === undefined ? {} : { structuredContent: structured }),
      ...(ok ? {} : { isError: true }),
      ...(meta === undefined ? {} : { _meta: meta }),
    },
    dialect,
  );
}

/**
 * The progress of one call in the client's form, or null. The protocol requires each value to exceed the one
 * before (2025-11-25, basic/utilities/progress), and JSON has only finite numbers.
 */
export function monotonicProgress(
  progressToken: string | number,
): (progress: Progress) => ProgressNotificationParams | null {
  let last = -Infinity;
  return ({ done, total, message }) => {
    if (!Number.isFinite(done) || done <= last) return null;
    last = done;
    return {
      progressToken,
      progress: done,
      ...(total === undefined || !Number.isFinite(total) ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    };
  };
}

/**
 * The bytes around an answer: `id: 2f-1\nretry: 500\ndata: \n\nevent: message\nid: 2f-2\ndata: {"result":{"content":[]},"jsonrpc":"2.0","id":…}\n\n`,
 * with room for longer ids and the comments that keep a stream alive.
 */
export const envelopeBytes = (requestId: string | number): number =>
  192 + Buffer.byteLength(JSON.stringify(requestId));

/** The body of an answer with a handle is bounded. Progress shares that body and may take this much of it. */
export const PROGRESS_BYTES = 1_000;
/** `event: message\nid: 2f-2\ndata: {"method":"notifications/progress","params":…,"jsonrpc":"2.0"}\n\n` */
const PROGRESS_FRAME_BYTES = 112;

/** Sends progress before the answer. @param send gets it, and whether the body of a short answer has room for it */
export function progressTo(
  progressToken: string | number,
  signal: AbortSignal,
  send: (params: ProgressNotificationParams, hasRoom: boolean) => Promise<void> | undefined,
): NonNullable<ToolCall['progress']> {
  const rising = monotonicProgress(progressToken);
  let roomBytes = PROGRESS_BYTES;
  return (progress, { mode }) => {
    // A disconnected client needs no progress; the transport cancels its call.
    const params = signal.aborted ? null : rising(progress);
    if (params === null) return;
    roomBytes -= Buffer.byteLength(JSON.stringify(params)) + PROGRESS_FRAME_BYTES;
    send(params, mode === 'inline' || roomBytes >= 0)?.catch(() => undefined);
  };
}

/** The status of a task that works. */
export const progressText = ({ done, total, message }: Progress): string =>
  message ?? (total === undefined ? `${done} done` : `${done} of ${total} done`);

/** A client may show a request for its model to its person first. */
export const SAMPLING_MS = 600_000;
const ANSWER_TOKENS = 1_000;
const Answered = z.object({ content: z.object({ type: z.literal('text'), text: z.string() }) });

/** Has the client's model rank tools. */
export const rankWith =
  (sample: SampleModel): RankTools =>
  async (prompt, signal) => {
    const messages = [{ role: 'user', content: { type: 'text', text: prompt } }];
    const answer = await sample({ messages, maxTokens: ANSWER_TOKENS }, signal);
    return Answered.safeParse(answer).data?.content.text ?? '';
  };
