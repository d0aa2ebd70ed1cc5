// Spillway as a library: reads a page in a private Chromium, then pages what was put aside.
//
//   node examples/library.mjs [url]
import { createSpillway } from 'spillway';

const [url = 'https://example.com/'] = process.argv.slice(2);

// The options of the command line, each with its default. Nothing is started before the first call.
const spillway = createSpillway({ launch: { headless: true }, throwOnError: true });
try {
  // One method per tool. What fails throws a SpillwayError, with a code and a next step.
  await spillway.tools.navigate({ url });

  // A whole page can be large: put aside, it costs its descriptor and a preview.
  const { descriptor } = await spillway.tools.read_page(
    { output_mode: 'handle' },
    { signal: AbortSignal.timeout(60_000) },
  );
  if (descriptor === undefined) throw new Error('The page was not stored.');
  console.log(`${descriptor.output_handle}: ${descriptor.size_bytes} bytes of ${descriptor.mime_type}`);

  // The handle gives every byte back, page by page.
  let text = '';
  for (let offset = 0; offset !== null;) {
    const { output_handle } = descriptor;
    const page = await spillway.tools.oc_output_fetch({ output_handle, offset, limit: 256 });
    const { content, next_offset } = JSON.parse(page.text);
    text += content;
    offset = next_offset;
  }
  console.log(text);
} finally {
  await spillway.close();
}
