import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * Serves on a free port of loopback.
 * @param {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => void} answer
 * @returns {Promise<{ origin: string, port: number, close: () => Promise<void> }>}
 */
export async function serveOnLoopback(answer) {
  const server = createServer((request, response) => {
    // A missing icon would be an error on the page's console, which some servers report.
    if (request.url === '/favicon.ico') response.writeHead(204).end();
    else answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/**
 * Answers with a page; `undefined` is a page that is not there.
 * @param {import('node:http').ServerResponse} response
 * @param {string | Buffer | undefined} html
 */
export function sendHtml(response, html) {
  if (html === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
}
