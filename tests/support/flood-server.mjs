/*
 * An MCP server with answers larger than its own memory, written without an SDK: `node flood-server.mjs stdio`, or
 * `node flood-server.mjs http PORT` with `/json`, `/stream` (both Streamable HTTP) and `/sse`.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { opening, tool } from './mcp-on-stdio.mjs';

const MIB = 1_048_576;
const words =
  'The quick brown fox jumps over the lazy dog. Zwölf Boxkämpfer jagen Viktor quer. 敏捷的棕色狐狸。 ';
const block = words.repeat(400);

/** A text of this many bytes, escaped as JSON, in pieces. */
function* filler(sizeBytes) {
  const piece = JSON.stringify(block).slice(1, -1);
  const pieceBytes = Buffer.byteLength(piece);
  for (let sent = 0; sent < sizeBytes; sent += pieceBytes) yield piece;
}

const filling = ' and more of it'.repeat(20);
const escaped = (text) => JSON.stringify(text).slice(1, -1);
/** Legal JSON escapes that no common writer produces. */
const hidden = (text) =>
  text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

function* items(count) {
  for (let id = 0; id < count; id += 1_000)
    yield Array.from(
      { length: Math.min(1_000, count - id) },
      (_, at) => `${id + at === 0 ? '' : ','}{"id":${id + at},"text":"item ${id + at}${filling}"}`,
    ).join('');
}

function* parts(...all) {
  for (const each of all)
    if (typeof each === 'string') yield each;
    else yield* each;
}

/** Escapes pieces of JSON as a text in JSON. */
function* asText(pieces) {
  for (const piece of pieces) yield escaped(piece);
}

const textBlock = (...pieces) => parts('{"type":"text","text":"', ...pieces, '"}');
const content = (...blocks) =>
  parts('"content":[', ...blocks.flatMap((each, at) => (at === 0 ? [each] : [',', each])), ']');
const list = (count) => parts('[', items(count), ']');
const hiding = (count, value) => parts(`{"${hidden('note')}":"${hidden(value)}","items":`, list(count), '}');

/** Members of a result, as pieces of JSON. */
const tools = {
  echo: ({ value }) => content(textBlock(escaped(String(value)))),
  text: ({ mib, value = '' }) => content(textBlock(escaped(value), filler(mib * MIB), escaped(value))),
  /** A text that is JSON, and another one with `note`. */
  spelled: ({ count, value, note = '' }) =>
    content(
      textBlock(asText(hiding(count, value))),
      ...(note === '' ? [] : [textBlock(escaped(`{"note":"${hidden(value)}"}`))]),
    ),
  hidden: ({ count, value, note = '' }) =>
    parts(
      content(...(note === '' ? [] : [textBlock(escaped(note))])),
      ',"structuredContent":',
      hiding(count, value),
    ),
  fails: ({ mib }) => parts(content(textBlock('the disk is full ', filler(mib * MIB))), ',"isError":true'),
  dies: ({ mib }) => parts('"content":[{"type":"text","text":"', filler(mib * MIB), [null]),
};

const methods = {
  initialize: opening('flood', { tools: {}, resources: {} }),
  'tools/list': () => ({
    tools: Object.keys(tools).map((name) => tool(name, { annotations: { readOnlyHint: name !== 'fails' } })),
  }),
  'resources/list': () => ({ resources: [{ uri: 'flood://large', name: 'large' }] }),
};

/** The pieces of an answer; null for messages without one. */
function answer({ id, method, params }) {
  if (id === undefined || method === undefined) return null;
  const wrap = (result) => parts(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{`, result, '}}');
  if (method === 'tools/call') return wrap(tools[params.name](params.arguments));
  if (method === 'resources/read')
    return wrap(parts('"contents":[{"uri":"flood://large","text":"', filler(20 * MIB), '"}]'));
  return wrap(parts(JSON.stringify(methods[method]?.(params) ?? {}).slice(1, -1)));
}

/** Writes pieces as fast as they are read. False if it was to stop halfway. */
async function pour(pieces, to) {
  for (const piece of pieces) {
    if (piece === null) return false;
    if (to.destroyed) return true;
    if (to.write(piece)) continue;
    const over = new AbortController();
    const { signal } = over;
    await Promise.race(
      ['drain', 'close'].map((event) => once(to, event, { signal }).catch(() => {})),
    ).finally(() => over.abort());
  }
  return true;
}

function serveStdio() {
  let turn = Promise.resolve();
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method === 'notifications/cancelled') process.stderr.write('cancelled\n');
    const pieces = answer(message);
    if (pieces === null) return;
    turn = turn.then(async () => {
      if (!(await pour(pieces, process.stdout))) process.exit(3);
      process.stdout.write('\n');
    });
  });
}

function serveHttp(port) {
  let stream = null;
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (request.method === 'GET' && pathname === '/sse') {
      stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.write('event: endpoint\ndata: /messages\n\n');
    }
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const pieces = answer(await json(request));
    if (pieces === null || pathname === '/messages') {
      response.writeHead(202).end();
      if (pieces === null) return;
      stream.write(': a comment\r\nevent: message\r\ndata: ');
      if (!(await pour(pieces, stream))) return stream.destroy();
      return stream.write('\r\n\r\n');
    }
    const isStream = pathname === '/stream';
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
    if (isStream) response.write('id: 1\nevent: message\ndata: ');
    if (!(await pour(pieces, response))) response.destroy();
    else response.end(isStream ? '\n\n' : '');
  });
  server.listen(port, '127.0.0.1', () => process.stdout.write(`listening on ${server.address().port}\n`));
}

const [, , kind, port] = process.argv;
if (kind === 'stdio') serveStdio();
else serveHttp(Number(port));
