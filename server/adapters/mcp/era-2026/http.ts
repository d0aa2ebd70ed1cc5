import { pipeline } from 'node:stream/promises';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { cancelledBy } from '../../../core/calls/call.ts';
import { refuse, type Exchange, readSelectors, type HttpOptions } from '../http/exchange.ts';
import { Changes, createEra } from './era.ts';
import { createServer } from './server.ts';
import { HandleSessions } from './sessions.ts';

/** The time between two comments on a silent stream. */
const KEEP_ALIVE_MS = 120_000;

/** Independent requests over HTTP: a handle names the state between them. */
export class HttpEra2026 {
  readonly #sessions: HandleSessions;
  readonly #handler: McpHttpHandler;
  readonly #changes: Changes;
  readonly #gone = new AbortController();

  constructor(
    private readonly options: HttpOptions,
    max: number,
  ) {
    const { executor, logger, onClients } = options;
    const scope = { ...options, onClient: () => undefined };
    this.#sessions = new HandleSessions({ executor, max, onClients });
    const era = createEra(scope, this.#sessions);
    const factory = ({ requestInfo }: { requestInfo?: Request }) => {
      const asked = readSelectors(requestInfo?.url, executor.registry);
      return createServer(era, 'status' in asked ? undefined : asked.selectors);
    };
    this.#handler = createMcpHandler(factory, {
      legacy: 'reject',
      keepAliveMs: KEEP_ALIVE_MS,
      onerror: ({ name }) => logger.debug({ reason: name }, 'a request was refused'),
    });
    this.#changes = new Changes(scope, this.#handler.notify, { signal: this.#gone.signal, picks: null });
  }

  /** Answers one request. */
  async serve({ request, response, posted }: Exchange): Promise<void> {
    const asked = readSelectors(request.url, this.options.executor.registry);
    if ('status' in asked) return refuse(response, asked);
    const hungUp = new AbortController();
    const key = {};
    response.once('close', () => {
      hungUp.abort();
      this.#changes.leave(key);
    });
    this.#changes.listen(key, posted.body);
    const { method = 'GET', url = '/' } = request;
    const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    const asRequest = new Request(new URL(url, 'http://127.0.0.1'), {
      method,
      headers,
      signal: hungUp.signal,
    });
    const answer = await this.#handler.fetch(asRequest, { parsedBody: posted.body });
    if (response.destroyed) return;
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) response.end();
    // A client that hangs up has cancelled its request.
    else await pipeline(answer.body, response).catch(() => undefined);
  }

  /** Ends the sessions that were not used since then, by `performance.now()`. */
  closeIdle(before: number): void {
    this.#sessions.closeIdle(before);
  }

  async closeAll(): Promise<void> {
    this.#gone.abort(cancelledBy('the end of the server'));
    this.#sessions.closeAll();
    await this.#handler.close();
  }
}
