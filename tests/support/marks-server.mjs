/*
 * An MCP server that appends a line to a file for each call of `mark` and of `hold`, which it never answers, and reads
 * the lines: `node marks-server.mjs FILE`.
 */
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
  hold: ({ value }) => {
    appendFileSync(file, `${value}\n`);
    return null;
  },
  count: () => String(existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0),
};
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'marks', version: '1' },
  }),
  'tools/list': () => ({ tools: [tool('mark', false), tool('hold', false), tool('count', true)] }),
  'tools/call': ({ name, arguments: args = {} }) => {
    const text = work[name](args);
    return text === null ? null : { content: [{ type: 'text', text }] };
  },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = answers[method] === undefined ? {} : answers[method](params);
  if (id !== undefined && result !== null) send({ id, result });
});
