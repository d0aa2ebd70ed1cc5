import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';

/** A model of the AI SDK that makes the calls, and says how the last answer begins. */
export function scriptedModel(calls, what = 'page') {
  const next = (prompt) => {
    const results = prompt.filter(({ role }) => role === 'tool').flatMap(({ content }) => content);
    const call = calls[results.length];
    return call === undefined ? say(results.at(-1), what) : ask(call, results.length);
  };
  return new MockLanguageModelV3({
    doStream: async ({ prompt }) => ({ stream: simulateReadableStream({ chunks: next(prompt) }) }),
    doGenerate: async ({ prompt }) => {
      const parts = next(prompt);
      const content = parts.flatMap((part) => {
        if (part.type === 'tool-call') return [part];
        return part.type === 'text-delta' ? [{ type: 'text', text: part.delta }] : [];
      });
      return { content, ...parts.at(-1), warnings: [] };
    },
  });
}

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

const finish = (unified) => ({ type: 'finish', finishReason: { unified, raw: unified }, usage });

const ask = ({ toolName, input }, at) => [
  { type: 'tool-call', toolCallId: `call-${at}`, toolName, input: JSON.stringify(input) },
  finish('tool-calls'),
];

const say = ({ output }, what) => [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: `The ${what} begins: ${output.value[0].text.slice(0, 60)}` },
  { type: 'text-end', id: '1' },
  finish('stop'),
];

/** A model of the AI SDK that answers a text. @param {(prompt: string) => string} answer */
export const answeringModel = (answer) =>
  new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const { finishReason } = finish('stop');
      const text = answer(JSON.stringify(prompt));
      return { content: [{ type: 'text', text }], finishReason, usage, warnings: [] };
    },
  });
