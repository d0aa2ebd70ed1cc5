// Claude with Spillway's tools, through Anthropic's SDK.
//
//   ANTHROPIC_API_KEY=… node examples/anthropic.mjs [url]
//
// Without a key a script stands in for the model: it opens the page, reads it, and says so.
import Anthropic from '@anthropic-ai/sdk';
import { createSpillway } from 'spillway';
import { runToolLoop } from 'spillway/anthropic';
import { scriptedClaude } from './scripted/claude.mjs';

const [url = 'https://example.com/'] = process.argv.slice(2);
const hasKey = process.env.ANTHROPIC_API_KEY !== undefined;
const client = hasKey ? new Anthropic() : new Anthropic({ apiKey: 'none', fetch: scriptedClaude(url) });

const spillway = createSpillway({ launch: { headless: true } });
try {
  const loop = runToolLoop({
    client,
    session: spillway,
    params: {
      model: process.env.ANTHROPIC_MODEL ?? 'claude-sonnet-5-5',
      max_tokens: 2_000,
      system: spillway.instructions(),
    },
    messages: [{ role: 'user', content: `What does ${url} say? Answer in one sentence.` }],
    maxTurns: 10,
    signal: AbortSignal.timeout(120_000),
  });
  for await (const event of loop) {
    if (event.type === 'text') process.stdout.write(event.text);
    if (event.type === 'tool_call')
      console.log(`→ ${event.toolUse.name} ${JSON.stringify(event.toolUse.input)}`);
    if (event.type === 'tool_result') console.log(`← ${event.block.is_error ? 'failed' : 'ok'}`);
    if (event.type === 'end') console.log(`\n(${event.reason}, ${loop.messages.length} messages)`);
  }
} finally {
  await spillway.close();
}
