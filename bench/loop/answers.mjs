/* An MCP server over stdio whose answers are large: `get` takes the name of one, as does `checked`, which has an output schema. */
import { createInterface } from 'node:readline';

const MEGABYTE = 1_000_000;
const text = (part, units) => ({ type: 'text', text: part.repeat(Math.ceil(units / part.length)) });
const rows = (count) => Array.from({ length: count }, (_, at) => ({ a: at, b: `x${at}` }));
const names = (count) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, at]));

const answers = {
  'plain text': () => ({ content: [text('The quick brown fox jumps over the lazy dog. ', 15 * MEGABYTE)] }),
  'names of secrets in two blocks': () => ({
    content: [text('password=', 2 * MEGABYTE), text('token is ', 2 * MEGABYTE)],
  }),
  'rows as JSON text': () => ({ content: [{ type: 'text', text: JSON.stringify(rows(500_000)) }] }),
  'rows as an object': () => ({ content: [], structuredContent: { list: rows(60_000) } }),
  'names as an object': () => ({ content: [], structuredContent: names(190_000) }),
  'a text for a pattern that tries everything': () => ({
    ...{ content: [], structuredContent: { texts: [`${'a'.repeat(40)}!`] } },
  }),
  'a list without duplicates': () => ({ content: [], structuredContent: { list: rows(40_000) } }),
  'more values than are read': () => ({ content: [], structuredContent: { list: rows(500_000) } }),
};

const get = { name: 'get', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
const properties = {
  texts: { type: 'array', items: { type: 'string', pattern: '^(a+)+$' } },
  list: { type: 'array', uniqueItems: true },
};
const checked = { ...get, name: 'checked', outputSchema: { type: 'object', properties } };
const answer = {
  initialize: ({ protocolVersion }) => ({
    ...{ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'answers', version: '1' } },
  }),
  'tools/list': () => ({ tools: [get, checked] }),
  'tools/call': ({ arguments: { value } }) => answers[value](),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = answer[method]?.(params) ?? {};
  if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
});
