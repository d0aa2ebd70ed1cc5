/* An MCP server over stdio whose answers are large: `get` takes the name of one. */
import { onMessage, opening, send, tool } from '../../tests/support/mcp-on-stdio.mjs';

const MEGABYTE = 1_000_000;
const text = (part, units) => ({ type: 'text', text: part.repeat(Math.ceil(units / part.length)) });
const rows = (count) => Array.from({ length: count }, (_, at) => ({ a: at, b: `x${at}` }));
const names = (count) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, at]));

const answers = {
  'plain text': () => ({ content: [text('The quick brown fox jumps over the lazy dog. ', 15 * MEGABYTE)] }),
  'names of secrets in two blocks': () => ({
    content: [text('password=', 7 * MEGABYTE), text('token is ', 7 * MEGABYTE)],
  }),
  'rows as JSON text': () => ({ content: [{ type: 'text', text: JSON.stringify(rows(500_000)) }] }),
  'rows as an object': () => ({ content: [], structuredContent: { list: rows(120_000) } }),
  'names as an object': () => ({ content: [], structuredContent: names(300_000) }),
  'more values than are read': () => ({ content: [], structuredContent: { list: rows(500_000) } }),
};

const answer = {
  initialize: opening('answers'),
  'tools/list': () => ({ tools: [tool('get')] }),
  'tools/call': ({ arguments: { value } }) => answers[value](),
};
onMessage(({ id, method, params }) => {
  if (id !== undefined) send({ id, result: answer[method]?.(params) ?? {} });
});
