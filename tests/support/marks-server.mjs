/*
 * An MCP server that appends a line to a file for each call of `mark` and of `hold`, which it never answers, and reads
 * the lines: `node marks-server.mjs FILE`.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { onMessage, opening, send, text, tool } from './mcp-on-stdio.mjs';

const [file] = process.argv.slice(2);
const acting = (name) => tool(name, { annotations: { readOnlyHint: false } });
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
  initialize: opening('marks'),
  'tools/list': () => ({ tools: [acting('mark'), acting('hold'), tool('count')] }),
  'tools/call': ({ name, arguments: args = {} }) => {
    const answer = work[name](args);
    return answer === null ? null : text(answer);
  },
};
onMessage(({ id, method, params }) => {
  const result = answers[method] === undefined ? {} : answers[method](params);
  if (id !== undefined && result !== null) send({ id, result });
});
