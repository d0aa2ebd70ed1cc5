import Anthropic from '@anthropic-ai/sdk';
import { expect } from 'vitest';
import {
  runToolLoop,
  type ToolLoop,
  type ToolLoopEvent,
  type ToolLoopOptions,
} from '../../server/library/anthropic/index.ts';
import type { SpillwaySession } from '../../server/library/types.ts';
import { complain, serveMessages, type MessagesServer, type ScriptedTurn } from './messages-server.ts';

const PARAMS = { model: 'scripted', max_tokens: 1_000 };
export const ASK: Anthropic.MessageParam = { role: 'user', content: 'Read the page.' };
export const DONE: ScriptedTurn = { content: [{ type: 'text', text: 'Done.' }] };

export const use = (id: string, name: string, input: unknown): ScriptedTurn['content'][number] => ({
  type: 'tool_use',
  id,
  name,
  input,
});
export const READ = use('toolu_1', 'read_page', { tab: 'b1:1' });

/** A loop over a scripted model. */
export async function loopOver(
  session: SpillwaySession,
  script: readonly ScriptedTurn[],
  options: Partial<ToolLoopOptions> = {},
): Promise<{ readonly loop: ToolLoop; readonly server: MessagesServer }> {
  const server = await serveMessages(script);
  const client = new Anthropic({ apiKey: 'none', baseURL: server.url, maxRetries: 0 });
  return { server, loop: runToolLoop({ client, session, params: PARAMS, messages: [ASK], ...options }) };
}

export async function collect(loop: ToolLoop): Promise<ToolLoopEvent[]> {
  const events: ToolLoopEvent[] = [];
  for await (const event of loop) events.push(event);
  return events;
}

export const endOf = (events: readonly ToolLoopEvent[]): (ToolLoopEvent & { type: 'end' }) | undefined =>
  events.find((event) => event.type === 'end');
export const resultsOf = (events: readonly ToolLoopEvent[]): readonly Anthropic.ToolResultBlockParam[] =>
  events.flatMap((event) => (event.type === 'tool_result' ? [event.block] : []));
/** Whether the API would accept the conversation with another user message. */
export const expectSendable = ({ messages }: ToolLoop): void =>
  expect(complain({ messages: [...messages, ASK], tools: [] })).toBeNull();
