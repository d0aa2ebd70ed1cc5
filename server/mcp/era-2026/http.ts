import { pipeline } from 'node:stream/promises';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { buildCancelled } from '../../core/calls/call.ts';
import { refuse, type HttpExchange, readSelectors, type HttpOptions } from '../http/exchange.ts';
import { Changes, Era } from './era.ts';
import { createServer } from './server.ts';
import { HandleSessions } from './sessions.ts';

/** The time between two comments on a silent stream. */
const KEEP_ALIVE_MS = 120_000;

export type HttpEra2026 = ReturnType<typeof openEra2026>;

/** Independent requests over HTTP: a handle names the state between them. */
export function openEra2026(options: HttpOptions, max: number) {
  const { executor, logger, onClients } = options;
  const { registry } = executor;
  const gone = new AbortController();
  const scope = { ...options, onClient: () => undefined };
  const sessions = new HandleSessions({ executor, max, onClients });
  const era = new Era(scope, sessions);
  const factory = ({ requestInfo }: { requestInfo?: Request }) => {
    const asked = readSelectors(requestInfo?.url, registry);
    const server = createServer(era, 'status' in asked ? undefined : asked.selectors);
    // An unknown method is refused by the SDK itself, with the status that the protocol requires.
    if (requestInfo?.headers.get('mcp-method') !== 'tools/call') delete server.fallbackRequestHandler;
    return server;
  };
  const handler = createMcpHandler(factory, {
    legacy: 'reject',
    keepAliveMs: KEEP_ALIVE_MS,
    onerror: ({ name }) => logger.debug({ reason: name }, 'a request was refused'),
  });
  const changes = new Changes(scope, handler.notify, { signal: gone.signal, picks: null });
  return {
    /** Answers one request. */
    serve: async ({ request, response, posted }: HttpExchange): Promise<void> => {
      const asked = readSelectors(request.url, registry);
      if ('status' in asked) return refuse(response, asked);
      const hungUp = new AbortController();
      const key = {};
      response.once('close', () => {
        hungUp.abort();
        changes.leave(key);
      });
      changes.listen(key, posted.body);
      const { method = 'GET', url = '/' } = request;
      const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      const { signal } = hungUp;
      const asRequest = new Request(new URL(url, 'http://127.0.0.1'), { method, headers, signal });
      const answer = await handler.fetch(asRequest, { parsedBody: posted.body });
      if (response.destroyed) return;
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.body === null) response.end();
      // A client that hangs up has cancelled its request.
      else await pipeline(answer.body, response).catch(() => undefined);
    },
    /** Ends the sessions that were not used since then, by `performance.now()`. */
    closeIdle: (before: number): void => sessions.closeIdle(before),
    closeAll: async (): Promise<void> => {
      gone.abort(buildCancelled('the end of the server'));
      sessions.closeAll();
      await handler.close();
    },
  };
}
