import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type Anthropic from '@anthropic-ai/sdk';
import { expect, onTestFinished } from 'vitest';
import { answerAt } from './file-site.ts';

export interface ScriptedTurn {
  readonly content: readonly (
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'thinking'; readonly thinking: string }
    | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }
  )[];
  /** Default: `tool_use` when the content has one, else `end_turn`. */
  readonly stopReason?: Anthropic.StopReason;
  /** The stream hangs after its first delta, until the client goes. */
  readonly hangs?: boolean;
}

export interface MessagesRequest {
  readonly messages: readonly Anthropic.MessageParam[];
  readonly tools: readonly { readonly name: string; readonly input_schema: { readonly type: string } }[];
}

/** The part of the Messages API that a tool loop needs, on loopback. */
export type MessagesServer = { readonly url: string; readonly requests: readonly MessagesRequest[] };

/**
 * Answers each request with the next turn of the script, and rejects what the API rejects: then the test fails, too.
 */
export async function serveMessages(script: readonly ScriptedTurn[]): Promise<MessagesServer> {
  const requests: MessagesRequest[] = [];
  const complaints: string[] = [];
  onTestFinished(() => expect(complaints).toEqual([]));
  const port = await answerAt(async (request, response) => {
    const body = (await json(request)) as MessagesRequest;
    const turn = script[requests.length];
    requests.push(body);
    const wrong = request.url === '/v1/messages' ? complain(body) : `no ${request.url}`;
    if (wrong !== null) complaints.push(wrong);
    if (wrong !== null || turn === undefined) refuse(response, wrong ?? 'the script has ended');
    else tell(response, turn, `msg_${requests.length}`);
  });
  return { url: `http://127.0.0.1:${port}`, requests };
}

const blocksOf = (message: Anthropic.MessageParam | undefined): readonly Anthropic.ContentBlockParam[] =>
  message === undefined || typeof message.content === 'string' ? [] : message.content;

/** The rules of the API that a loop can break. */
export function complain({ messages, tools }: MessagesRequest): string | null {
  return complainOfTools(tools) ?? complainOfMessages(messages);
}

function complainOfTools(tools: MessagesRequest['tools']): string | null {
  for (const { name, input_schema: schema } of tools) {
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return `tools: the name ${name}`;
    if (schema.type !== 'object') return `tools: the schema of ${name} is not an object`;
    if (['anyOf', 'oneOf', 'allOf'].some((key) => key in schema)) return `tools: alternatives in ${name}`;
  }
  return new Set(tools.map(({ name }) => name)).size < tools.length ? 'tools: two of one name' : null;
}

function complainOfMessages(messages: MessagesRequest['messages']): string | null {
  if (messages[0]?.role !== 'user') return 'messages: the first one is not of the user';
  for (const [at, message] of messages.entries()) {
    if (message.content.length === 0) return `messages.${at}: empty`;
    const blocks = blocksOf(message);
    if (blocks.some((block) => block.type === 'text' && block.text.trim() === ''))
      return `messages.${at}: blank text`;
    if (message.role === 'assistant' && blocks.at(-1)?.type === 'thinking')
      return `messages.${at}: a thought at the end`;
    const uses = blocks.filter((block) => block.type === 'tool_use');
    const results = blocksOf(messages[at + 1]).filter((block) => block.type === 'tool_result');
    const wanted = uses.map(({ id }) => id).sort();
    const found = results.map(({ tool_use_id }) => tool_use_id).sort();
    if (message.role === 'assistant' && JSON.stringify(wanted) !== JSON.stringify(found))
      return `messages.${at}: tool_use ${wanted.join()} with tool_result ${found.join()}`;
    const wrong = results.map(complainOfResult).find((said) => said !== null);
    if (wrong !== undefined) return `messages.${at + 1}: ${wrong}`;
  }
  return null;
}

function complainOfResult({ content, is_error: isError }: Anthropic.ToolResultBlockParam): string | null {
  if (content === undefined) return null;
  if (typeof content === 'string') return content.trim() === '' ? 'blank text' : null;
  for (const block of content) {
    if (isError === true && block.type !== 'text') return `${block.type} in an error`;
    if (block.type === 'text' && block.text.trim() === '') return 'blank text';
    const known = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
    if (block.type !== 'image') continue;
    if (block.source.type !== 'base64' || !known.includes(block.source.media_type)) return 'an unknown image';
  }
  return null;
}

function refuse(response: ServerResponse, message: string): void {
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }));
}

type Parts = readonly [start: object, whole: string, toDelta: (part: string) => object];

/** How a block is streamed: its empty beginning, then its content. */
function partsOf(block: ScriptedTurn['content'][number]): Parts {
  if (block.type === 'text')
    return [{ type: 'text', text: '' }, block.text, (text) => ({ type: 'text_delta', text })];
  if (block.type === 'tool_use')
    return [
      { ...block, input: {} },
      JSON.stringify(block.input),
      (json) => ({ type: 'input_json_delta', partial_json: json }),
    ];
  const start = { type: 'thinking', thinking: '', signature: 'signed' };
  return [start, block.thinking, (thinking) => ({ type: 'thinking_delta', thinking })];
}

function tell(response: ServerResponse, { content, stopReason, hangs }: ScriptedTurn, id: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (event: { readonly type: string }): void =>
    void response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  const usage = { input_tokens: 1, output_tokens: 1 };
  const head = { id, type: 'message', role: 'assistant', model: 'scripted', content: [] };
  const message = { ...head, stop_reason: null, stop_sequence: null, usage };
  send({ type: 'message_start', message } as never);
  for (const [index, block] of content.entries()) {
    const [start, whole, toDelta] = partsOf(block);
    send({ type: 'content_block_start', index, content_block: start } as never);
    // Cut in the middle, as real tokens do.
    const half = Math.ceil(whole.length / 2);
    for (const part of [whole.slice(0, half), whole.slice(half)]) {
      send({ type: 'content_block_delta', index, delta: toDelta(part) } as never);
      if (hangs === true) return;
    }
    send({ type: 'content_block_stop', index } as never);
  }
  const reason = stopReason ?? (content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn');
  send({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage } as never);
  send({ type: 'message_stop' });
  response.end();
}
