import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';

/** A stream event on the wire; `data` is empty if it only has an id. */
interface RawEvent {
  readonly id: string | undefined;
  readonly data: string;
  readonly retry: string | undefined;
}

export interface RawAnswer {
  readonly status: number;
  readonly sessionId: string | undefined;
  readonly body: string;
  readonly events: readonly RawEvent[];
  readonly messages: readonly Message[];
  readonly lastEventId: string | undefined;
}

/** The members of a JSON-RPC message that tests read. */
export interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: { readonly content?: readonly { readonly text?: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

export interface RawRequest {
  readonly method?: 'POST' | 'GET' | 'DELETE';
  readonly body?: object;
  readonly session?: string | undefined;
  readonly version?: string | null;
  readonly lastEventId?: string | undefined;
  readonly token?: string;
  /** Cuts the connection when this returns true for the bytes read so far. */
  readonly cutWhen?: (body: string) => boolean;
  /** Reads no more than this, even if more has arrived. */
  readonly cutAtBytes?: number;
  /** Once it is aborted, the connection is cut as soon as an event was read. */
  readonly signal?: AbortSignal;
}

/** A Streamable HTTP client of node:http and nothing else, which can cut its connection anywhere. */
export async function rawRequest(url: string, asked: RawRequest): Promise<RawAnswer> {
  const { method = 'POST', body, session, version = '2025-11-25', lastEventId, token } = asked;
  const sent = request(url, {
    method,
    agent: false,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
      ...(version === null ? {} : { 'mcp-protocol-version': version }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const read = await readUntilCut(response, asked);
  const events = parseEvents(read);
  return {
    status: response.statusCode ?? 0,
    sessionId: response.headers['mcp-session-id']?.toString(),
    body: read,
    events,
    messages: events.flatMap(({ data }) => (data === '' ? [] : [JSON.parse(data) as Message])),
    lastEventId: events.findLast(({ id }) => id !== undefined)?.id,
  };
}

function readUntilCut(response: IncomingMessage, asked: RawRequest): Promise<string> {
  const { cutWhen, cutAtBytes = Infinity, signal } = asked;
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    const soFar = (): Buffer => Buffer.concat(chunks);
    const finish = (): void => resolve(soFar().subarray(0, cutAtBytes).toString('utf8'));
    const cut = (): void => {
      response.socket.destroy();
      finish();
    };
    const look = (): void => {
      const text = soFar().toString('utf8');
      const isLost = signal?.aborted === true && text.includes('\n\n');
      if (isLost || soFar().length >= cutAtBytes || cutWhen?.(text) === true) cut();
    };
    if (cutAtBytes === 0) return cut();
    signal?.addEventListener('abort', look, { once: true });
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      look();
    });
    response.once('end', finish);
    response.once('error', finish);
    response.once('close', finish);
  });
}

/** Complete events: anything after the last empty line is lost with the connection. */
function parseEvents(body: string): RawEvent[] {
  return body
    .split('\n\n')
    .slice(0, -1)
    .map((block) => {
      const field = (name: string): string | undefined =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}:`))
          ?.slice(name.length + 1)
          .trim();
      return { id: field('id'), data: field('data') ?? '', retry: field('retry') };
    })
    .filter(({ id, data }) => id !== undefined || data !== '');
}

export async function openRawSession(
  url: string,
  options: { readonly version?: string; readonly token?: string } = {},
): Promise<string> {
  const { version = '2025-11-25', ...rest } = options;
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const opened = await rawRequest(url, {
    body: { jsonrpc: '2.0', id: 0, method: 'initialize', params },
    version: null,
    ...rest,
  });
  if (opened.sessionId === undefined) throw new Error(`No session: ${opened.status} ${opened.body}`);
  const session = opened.sessionId;
  await rawRequest(url, { body: { jsonrpc: '2.0', method: 'notifications/initialized' }, session, ...rest });
  return session;
}
