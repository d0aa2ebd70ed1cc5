import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';

/** A model of the AI SDK that opens the page, reads it, and says how it begins. */
export function scriptedModel(url) {
  const calls = [
    { toolName: 'navigate', input: { url } },
    { toolName: 'read_page', input: {} },
  ];
  return new MockLanguageModelV3({
    doStream: async ({ prompt }) => {
      const results = prompt.filter(({ role }) => role === 'tool').flatMap(({ content }) => content);
      const call = calls[results.length];
      const chunks = call === undefined ? say(results.at(-1)) : ask(call, results.length);
      return { stream: simulateReadableStream({ chunks }) };
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

const say = ({ output }) => [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: `The page begins: ${output.value[0].text.slice(0, 60)}` },
  { type: 'text-end', id: '1' },
  finish('stop'),
];
