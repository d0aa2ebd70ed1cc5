import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import type { ModelMessage } from 'ai';

/** A call that the scripted model asks for. */
export type ScriptedCall = { readonly id: string; readonly name: string; readonly input: unknown };

type Generated = Extract<
  Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>,
  { readonly content: unknown }
>;

type Streamed = Extract<Awaited<ReturnType<MockLanguageModelV3['doStream']>>, { readonly stream: unknown }>;
type Part = Streamed['stream'] extends ReadableStream<infer Chunk> ? Chunk : never;

const USAGE: Generated['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model of the AI SDK that asks for these calls, step by step, and then says `Done.`. */
export function scriptedModel(steps: readonly (readonly ScriptedCall[])[]): MockLanguageModelV3 {
  const answers: Generated[] = steps.map((calls) => ({
    content: calls.map(({ id, name, input }) => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: name,
      input: JSON.stringify(input),
    })),
    finishReason: { unified: 'tool-calls', raw: undefined },
    usage: USAGE,
    warnings: [],
  }));
  let next = 0;
  const answer = (): Generated => {
    const scripted = answers[next];
    next += 1;
    if (scripted !== undefined) return scripted;
    const finishReason = { unified: 'stop', raw: undefined } as const;
    return { content: [{ type: 'text', text: 'Done.' }], finishReason, usage: USAGE, warnings: [] };
  };
  return new MockLanguageModelV3({
    doGenerate: async () => answer(),
    doStream: async () => {
      const { content, finishReason, usage } = answer();
      const parts: Part[] = [];
      for (const part of content) {
        if (part.type === 'tool-call') parts.push(part);
        if (part.type !== 'text') continue;
        parts.push({ type: 'text-start', id: '1' });
        parts.push({ type: 'text-delta', id: '1', delta: part.text });
        parts.push({ type: 'text-end', id: '1' });
      }
      parts.push({ type: 'finish', finishReason, usage });
      return { stream: simulateReadableStream<Part>({ chunks: parts }) };
    },
  });
}

/** The output of a tool in the last messages that a model was sent. */
export function outputIn(messages: readonly ModelMessage[], id = 'call-1'): unknown {
  for (const message of messages)
    if (message.role === 'tool')
      for (const part of message.content)
        if (part.type === 'tool-result' && part.toolCallId === id) return part.output;
  return undefined;
}
