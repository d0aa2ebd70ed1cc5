/*
 * A Streamable HTTP client of fetch and nothing else: the scenarios measure and compare whole
 * response bodies, which an SDK's client does not show.
 */

const PROTOCOL = '2025-11-25';

/** One block of a tool's result. */
interface TextBlock {
  readonly type: string;
  readonly text?: string;
}

/** A tool's result as it is on the wire. */
interface CallResult {
  readonly content: readonly TextBlock[];
  readonly isError?: boolean;
}

interface HttpAnswer {
  readonly status: number;
  /** The whole body, SSE framing included. */
  readonly body: string;
  readonly bodyBytes: number;
  readonly result: CallResult;
  /** Text of the first block: the payload, the descriptor or the error. */
  readonly text: string;
}

export interface HttpSession {
  readonly id: string;
  /** Calls a tool. The same `id` twice makes bodies comparable byte by byte. */
  call(name: string, args: object, id?: number): Promise<HttpAnswer>;
  close(): Promise<void>;
}

interface Endpoint {
  readonly url: string;
  readonly token: string;
}

/** Initialises a session. @throws when the server refuses it. */
export async function openHttpSession({ url, token }: Endpoint): Promise<HttpSession> {
  const headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  };
  const post = (message: object): Promise<Response> =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
  const hello = await post({
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: PROTOCOL,
      capabilities: {},
      clientInfo: { name: 'spillway-scripts', version: '1' },
    },
  });
  const answer = await hello.text();
  const id = hello.headers.get('mcp-session-id');
  if (!hello.ok || id === null) throw new Error(`initialize returned ${hello.status}: ${answer}`);
  headers['mcp-session-id'] = id;
  headers['mcp-protocol-version'] = PROTOCOL;
  await (await post({ method: 'notifications/initialized' })).arrayBuffer();

  let lastId = 0;
  return {
    id,
    async call(name, args, callId = (lastId += 1)) {
      const response = await post({ id: callId, method: 'tools/call', params: { name, arguments: args } });
      const bytes = Buffer.from(await response.arrayBuffer());
      const body = bytes.toString('utf8');
      const result = parseResult(body, callId);
      return {
        status: response.status,
        body,
        bodyBytes: bytes.length,
        result,
        text: result.content[0]?.text ?? '',
      };
    },
    async close() {
      await (await fetch(url, { method: 'DELETE', headers })).arrayBuffer();
    },
  };
}

/** Finds the answer in a JSON body or among the events of an SSE body. */
function parseResult(body: string, id: number): CallResult {
  const texts = body.trimStart().startsWith('{') ? [body] : readEvents(body);
  for (const text of texts) {
    const message: unknown = JSON.parse(text);
    if (typeof message === 'object' && message !== null && 'id' in message && message.id === id) {
      if ('result' in message && isCallResult(message.result)) return message.result;
      throw new Error(`The call returned no result: ${text}`);
    }
  }
  throw new Error(`The call was not answered: ${body.slice(0, 500)}`);
}

const readEvents = (body: string): string[] =>
  body
    .split(/\r?\n\r?\n/)
    .map((event) =>
      event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length).trimStart())
        .join('\n'),
    )
    .filter((data) => data !== '');

function isCallResult(value: unknown): value is CallResult {
  return typeof value === 'object' && value !== null && 'content' in value && Array.isArray(value.content);
}
