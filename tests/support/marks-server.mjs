/* An MCP server that writes a line to a file for each call of `mark`, and reads them: `node marks-server.mjs FILE`. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file] = process.argv.slice(2);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const tool = (name, readOnlyHint) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { value: { type: 'string' } } },
  annotations: { readOnlyHint },
});
const work = {
  mark: ({ value }) => {
    appendFileSync(file, `${value}\n`);
    return 'marked';
  },
  count: () => String(existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0),
};
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'marks', version: '1' },
  }),
  'tools/list': () => ({ tools: [tool('mark', false), tool('count', true)] }),
  'tools/call': ({ name, arguments: args = {} }) => ({ content: [{ type: 'text', text: work[name](args) }] }),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) send({ id, result: answers[method]?.(params) ?? {} });
});
