// A watch of a page that asks before it acts: each look is recorded, and the pause between two takes no process.
//
//   node examples/watch.mjs [url] [text]
import { createSpillway } from 'spillway';
import { defineWorkflow, runWorkflow } from 'spillway/workflow';
import { z } from 'zod';

const watch = defineWorkflow({
  name: 'watch',
  input: z.object({ url: z.url(), text: z.string(), looks: z.number() }),
  run: async (flow, { url, text, looks }) => {
    for (let look = 1; look <= looks; look += 1) {
      await flow.tools.navigate({ url });
      const found = await flow.tools.read_page({ find: text });
      if (String(found).includes(text)) {
        await flow.ask({ type: 'approval', message: `${text} is there. Order it?` });
        return { look, ordered: true };
      }
      await flow.sleep(500);
    }
    return { look: looks, ordered: false };
  },
});

const [url = 'https://example.com/', text = 'Example'] = process.argv.slice(2);
const spillway = createSpillway({ launch: { headless: true } });
try {
  const result = await runWorkflow(watch, { url, text, looks: 2 }, { spillway });
  console.log(
    result.status === 'requires_human_input'
      ? result.action.interaction.args.message
      : JSON.stringify(result),
  );
} finally {
  await spillway.close();
}
