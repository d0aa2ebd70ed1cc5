import { fileURLToPath } from 'node:url';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { isObject } from '../../../shared/base/json.ts';
import { parseEntry } from '../../../server/upstreams/index.ts';
import { connectClient, program, startWithUpstreams } from '../upstream-rig.ts';

/*
 * The client that the conformance suite starts: a server of ours whose upstream is the suite's server, and a client
 * that calls every tool of it. `tsx upstream-client.ts http|stdio <url>`. The suite has only HTTP servers: for stdio
 * the upstream is a second server of ours, whose own upstream is the suite's.
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
