// An invoice that a model reads and a person approves: a workflow that waits without a process.
//
//   node examples/invoice.mjs [url]                reads the page and asks; prints the id of the run
//   node examples/invoice.mjs RUN_ID approve ID    continues with the answer, also days later
//
// The model is a script, so that the example needs no key: put one of a provider in its place.
import { generateText } from 'ai';
import { createSpillway } from 'spillway';
import { defineWorkflow, resumeWorkflow, runWorkflow } from 'spillway/workflow';
import { z } from 'zod';
import { answeringModel } from './scripted/model.mjs';

const model = answeringModel((prompt) => String(prompt.length % 1_000));

const invoice = defineWorkflow({
  name: 'invoice',
  input: z.object({ url: z.url() }),
  run: async (flow, { url }) => {
    await flow.tools.navigate({ url });
    const page = await flow.tools.read_page({});
    const amount = await flow.step('amount', async () => {
      const { text } = await generateText({
        model,
        prompt: `Which amount does this invoice ask for?\n${page}`,
      });
      return Number(text);
    });
    const { answer } = await flow.ask({ type: 'approval', message: `Pay ${amount} for ${url}?` });
    return { amount, paid: answer === true };
  },
});

const [first = 'https://example.com/', answer] = process.argv.slice(2);
const spillway = createSpillway({ launch: { headless: true } });
try {
  const messages = [{ role: 'user', content: String(answer) }];
  const result = first.startsWith('run_')
    ? await resumeWorkflow(invoice, first, {
        spillway,
        continue: { messages, toolCallId: process.argv[4] ?? '', userInput: answer === 'approve' },
      })
    : await runWorkflow(invoice, { url: first }, { spillway });
  if (result.status === 'requires_human_input') {
    const { toolCallId, args } = result.action.interaction;
    console.log(args.message);
    console.log(`node examples/invoice.mjs ${result.runId} approve ${toolCallId}`);
  } else console.log(JSON.stringify(result));
} finally {
  await spillway.close();
}
