// Spillway's tools for the Vercel AI SDK.
//
//   node examples/ai-sdk.mjs [url]
//
// The model is a script, so that the example needs no key: put one of a provider in its place.
import { stepCountIs, streamText } from 'ai';
import { createSpillway } from 'spillway';
import { stopRequested, toAiSdkTools } from 'spillway/ai-sdk';
import { scriptedModel } from './scripted/model.mjs';

const [url = 'https://example.com/'] = process.argv.slice(2);
const model = scriptedModel([
  { toolName: 'navigate', input: { url } },
  { toolName: 'read_page', input: {} },
]);

const spillway = createSpillway({ launch: { headless: true } });
try {
  const result = streamText({
    model,
    system: spillway.instructions(),
    prompt: `What does ${url} say? Answer in one sentence.`,
    tools: toAiSdkTools(spillway),
    stopWhen: [stopRequested, stepCountIs(10)],
    abortSignal: AbortSignal.timeout(120_000),
  });
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta') process.stdout.write(part.text);
    if (part.type === 'tool-call') console.log(`→ ${part.toolName} ${JSON.stringify(part.input)}`);
    if (part.type === 'tool-result') console.log('← ok');
    if (part.type === 'tool-error') console.log(`← ${part.error}`);
    if (part.type === 'finish') console.log(`\n(${part.finishReason})`);
  }
} finally {
  await spillway.close();
}
