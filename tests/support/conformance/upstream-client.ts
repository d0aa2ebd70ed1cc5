import { fileURLToPath } from 'node:url';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { isObject } from '../../../shared/json.ts';
import { parseEntry } from '../../../server/upstream/index.ts';
import { connectClient, program, startWithUpstreams } from '../upstream-rig.ts';

/*
 * What the conformance suite starts as a client: a server of ours whose upstream is the server of the suite, and a client that
 * calls every tool of it. `tsx upstream-client.ts http|stdio <url>`. The suite has servers by HTTP alone: by stdio the upstream is
 * a second server of ours, which has that of the suite as its own upstream.
 */

const [transport, url = ''] = process.argv.slice(2);
const between = fileURLToPath(new URL('upstream-stdio.ts', import.meta.url));
const server = await startWithUpstreams([
  transport === 'stdio'
    ? program('suite', ['--import', 'tsx', between, url])
    : parseEntry({ id: 'suite', url }, 'suite'),
]);
const accepted: ElicitResult = { action: 'accept', content: {} };
const client = await connectClient(server, { elicitation: { form: { applyDefaults: true } } }, (made) =>
  made.setRequestHandler(ElicitRequestSchema, () => ({ ...accepted, content: {} })),
);
const { tools } = await client.listTools();
for (const { name, inputSchema } of tools.filter((tool) => tool.name.startsWith('suite_'))) {
  const fields = Object.entries(inputSchema.properties ?? {});
  const numbers = fields.filter(([, field]) => isObject(field) && field['type'] === 'number');
  await client.callTool({ name, arguments: Object.fromEntries(numbers.map(([field]) => [field, 2])) });
}
await client.close();
await server.close();
