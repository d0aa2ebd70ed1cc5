// The tools of other servers for the Vercel AI SDK: here those that list and read files.
//
//   node examples/mixed-tools.mjs [folder]
//
// The model is a script, so that the example needs no key: put one of a provider in its place.
import { generateText, stepCountIs } from 'ai';
import { createMixedToolsClient } from 'spillway';
import { scriptedModel } from './scripted/model.mjs';

const [folder = process.cwd()] = process.argv.slice(2);
const model = scriptedModel([{ toolName: 'files_list_directory', input: { path: folder } }], 'folder');

const client = createMixedToolsClient([
  { id: 'files', command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', folder] },
]);
try {
  const result = await generateText({
    model,
    prompt: `What is in ${folder}?`,
    // Only what lists and reads. A tool that is not there cannot be called.
    tools: await client.tools({ filter: (_name, { rawName }) => /^(?:list|read)_/.test(rawName) }),
    stopWhen: stepCountIs(10),
    abortSignal: AbortSignal.timeout(120_000),
  });
  for (const { toolCalls, toolResults } of result.steps)
    for (const [at, { toolName }] of toolCalls.entries())
      console.log(`→ ${toolName}\n← ${toolResults[at] === undefined ? 'failed' : 'ok'}`);
  console.log(result.text);
} finally {
  await client.close();
}
