import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { lazy } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { checkRequest, type HttpRefusal } from '../../core/http-guard.ts';
import { HttpSessions } from '../era-2025/http/sessions.ts';
import { isOfEra2026 } from '../rpc.ts';
import type { HttpEra2026 } from '../era-2026/http.ts';
import { CONTINUE_PATH, readPostBody, refuse, type HttpOptions } from './exchange.ts';

type Clients = Parameters<HttpOptions['onClients']>[0];

/** Bodies of open requests, and answers that clients have not read, together. Small requests have a reserve. */
const HELD_BYTES = { all: 96 * 1024 * 1024, withReserve: 128 * 1024 * 1024 } as const;
const SMALL_BYTES = 64 * 1024;

/** Open requests, each with the bytes of its body. */
class HeldRequests {
  readonly #open = new Map<ServerResponse, number>();

  /** Counts a request until its response is closed. Returns why it is refused, or null. */
  add(request: IncomingMessage, response: ServerResponse): HttpRefusal | null {
    if (request.method !== 'POST') return null;
    const bytes = Number(request.headers['content-length'] ?? LIMITS.httpBodyBytes);
    let held = bytes;
    for (const [open, body] of this.#open) held += body + open.writableLength;
    if (held > (bytes <= SMALL_BYTES ? HELD_BYTES.withReserve : HELD_BYTES.all)) {
      const message =
        'Requests that are open hold too much memory: read their answers, then send this again.';
      const error = new SpillwayError('too_many_calls', message).toWire();
      return { status: 503, message, error, headers: { 'retry-after': '1' } };
    }
    this.#open.set(response, bytes);
    response.once('close', () => this.#open.delete(response));
    return null;
  }

  /** Ends answers that their clients do not read, the oldest first, when all of them are too large together. */
  dropUnread(): void {
    const unread = [...this.#open.keys()].filter((open) => open.writableEnded && open.writableLength > 0);
    let bytes = unread.reduce((sum, { writableLength }) => sum + writableLength, 0);
    for (const open of unread) {
      if (bytes <= HELD_BYTES.all) return;
      bytes -= open.writableLength;
      open.destroy();
    }
  }
}

const PATH = '/mcp';
const MAX_SESSIONS = 64;
const SESSION_IDLE_MS = 60 * 60_000;
/** On loopback, a body that takes longer will never arrive. */
const BODY_MS = 30_000;
/**
 * A request on a connection that the server is closing fails, and timers of clients may be late: so the header names
 * less than the server keeps.
 */
const KEPT_S = { named: 60, real: 90 };

/** Between two looks at the answers that nobody reads. */
const UNREAD_MS = 250;

/** A listening server. */
export type HttpSession = Awaited<ReturnType<typeof serveHttp>>;

/** Streamable HTTP on loopback: one MCP server per session, and from 2026-07-28 one per request. */
export async function serveHttp(options: HttpOptions) {
  const { idleMs = SESSION_IDLE_MS, bodyMs = BODY_MS, maxSessions = MAX_SESSIONS } = options;
  const reported = new Map<object, Clients>();
  const report = (from: object) => (clients: Clients) => {
    reported.set(from, clients);
    options.onClients([...reported.values()].flat());
  };
  const sessions = new HttpSessions({ ...options, onClients: report(HttpSessions) }, maxSessions);
  let opened: HttpEra2026 | null = null;
  const newEra = lazy(async () => {
    const { openEra2026 } = await import('../era-2026/http.ts');
    opened = openEra2026({ ...options, onClients: report(openEra2026) }, maxSessions);
    return opened;
  });
  const held = new HeldRequests();
  const { token, onContinue: take } = options;
  // For callers who may also call tools.
  const takeAnswers = lazy(async () => {
    const { createJsonHandler } = await import('../../library/continue-handler.ts');
    return take && createJsonHandler(take, { token, path: CONTINUE_PATH });
  });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (take !== undefined && request.url === CONTINUE_PATH)
      return (await takeAnswers())?.(request, response);
    const refusal = checkRequest(request, { path: PATH, token });
    if (refusal !== null) return refuse(response, refusal);
    const full = held.add(request, response);
    if (full !== null) return refuse(response, full);
    const isNew = isOfEra2026(undefined, request.headers['mcp-protocol-version']?.toString());
    const known = isNew ? null : sessions.find(request);
    if (known !== null && 'status' in known) return refuse(response, known);
    // A request counts as use on arrival, and as work once its body is complete, so a request without one takes
    // no place.
    known?.work.touch();
    const posted =
      request.method === 'POST' ? await readPostBody(request, LIMITS.httpBodyBytes) : { body: undefined };
    if ('status' in posted) return refuse(response, posted);
    const exchange = { request, response, posted };
    if (isNew || isOfEra2026(posted.body)) return (await newEra()).serve(exchange);
    return sessions.serve(known, exchange);
  };
  const timeouts = {
    requestTimeout: bodyMs,
    connectionsCheckingInterval: bodyMs,
    keepAliveTimeout: KEPT_S.real * 1000,
  };
  const http = createServer(timeouts, (request, response) => {
    response.setHeader('keep-alive', `timeout=${KEPT_S.named}`);
    handle(request, response).catch((thrown: unknown) => {
      options.logger.error({ err: thrown }, 'an HTTP request failed');
      refuse(response, { status: 500, message: 'internal error' });
    });
  });
  http.on('upgrade', (_request, socket) => refuseUpgrade(socket));
  const port = await listen(http, options.port);
  const watch = setInterval(() => held.dropUnread(), UNREAD_MS).unref();
  const reaper = setInterval(() => {
    sessions.closeIdle(performance.now() - idleMs);
    opened?.closeIdle(performance.now() - idleMs);
  }, idleMs / 60).unref();
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    /** Never resolves by itself: HTTP clients come and go. */
    ended: new Promise<string>(() => undefined),
    close: async (): Promise<void> => {
      clearInterval(reaper);
      clearInterval(watch);
      await Promise.all([sessions.closeAll(), opened?.closeAll()]);
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}

/**
 * Any page can ask for an upgrade. Node then no longer manages the socket: without a listener a reset would
 * end the process, and a peer that never hangs up would keep the server from closing.
 */
function refuseUpgrade(socket: Duplex): void {
  socket.on('error', () => undefined);
  socket.end('HTTP/1.1 426 Upgrade Required\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () =>
    socket.destroy(),
  );
}

function listen(http: HttpServer, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', (cause) => {
      reject(
        new SpillwayError('invalid_argument', `--http ${port}: ${cause.message}`, {
          cause,
          hint: 'Choose another port, or 0 for a free one.',
        }),
      );
    });
    http.listen(port, '127.0.0.1', () => {
      const address = http.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
