import { readUIMessageStream, tool, type ToolSet, type UIMessage, type UIMessageChunk } from 'ai';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { conversationOf, createHumanStream } from '../../../server/library/ai-sdk/index.ts';
import { createHumanInput } from '../../../server/library/index.ts';
import { ask as question, MESSAGES, send } from '../../support/scripted-human.ts';
import { scriptedModel, type ScriptedCall } from '../../support/scripted-model.ts';

const ask = (id: string) => question(id, { type: 'approval', message: 'Send it?' });

function scripted(steps: readonly (readonly ScriptedCall[])[]) {
  const sent: string[] = [];
  const model = scriptedModel(steps);
  const execute = async ({ to }: { to: string }) => void sent.push(to);
  const tools: ToolSet = { send: tool({ inputSchema: z.object({ to: z.string() }), execute }) };
  return { sent, model, stream: createHumanStream({ model, tools, human: createHumanInput() }) };
}

async function collect(stream: ReadableStream<UIMessageChunk>): Promise<UIMessageChunk[]> {
  const chunks: UIMessageChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

test('a question is a data part with the call, its name and its state, before the end of the message', async () => {
  const { stream, sent } = scripted([[send('c1'), ask('c2'), send('c3'), ask('c4')]]);
  const running = stream.run(MESSAGES);
  const chunks = await collect(running.toUIMessageStream());
  expect(sent).toEqual([]);
  const pending = await running.outcome();
  expect(pending?.interaction).toMatchObject({
    toolCallId: 'c2',
    waiting: [{ toolCallId: 'c1' }, { toolCallId: 'c3' }],
  });
  const data = {
    toolName: 'requestHumanInput',
    state: 'requires_human_input',
    args: { type: 'approval', message: 'Send it?' },
    expiresAt: pending?.interaction.expiresAt,
  };
  const part = (id: string) => ({ type: 'data-human-input', id, data: { ...data, toolCallId: id } });
  expect(chunks.slice(-3)).toMatchObject([part('c2'), part('c4'), { type: 'finish' }]);
  const calls = chunks.flatMap((chunk) => (chunk.type === 'tool-input-available' ? [chunk.toolCallId] : []));
  expect(calls).toEqual(['c1', 'c2', 'c3', 'c4']);
});

test('the answer continues the stream, and its part replaces the question', async () => {
  const { stream, sent, model } = scripted([[send('c1'), ask('c2')]]);
  const first = stream.run(MESSAGES);
  const chunks = await collect(first.toUIMessageStream());
  const pending = await first.outcome();
  const messages = pending?.messages ?? [];
  const second = await stream.continue({ messages, toolCallId: 'c2', userInput: true });
  chunks.push(...(await collect(second.toUIMessageStream())));
  expect(sent).toEqual(['ada@example.com']);
  expect(await second.outcome()).toBeNull();
  expect(model.doStreamCalls[1]?.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  expect(conversationOf(second.response ?? {})).toHaveLength(4);
  let last: UIMessage | undefined;
  const both = new ReadableStream<UIMessageChunk>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  for await (const message of readUIMessageStream({ stream: both })) last = message;
  const states = last?.parts.flatMap((part) => (part.type === 'data-human-input' ? [part.data] : []));
  expect(states).toMatchObject([{ toolCallId: 'c2', state: 'answered' }]);
});
