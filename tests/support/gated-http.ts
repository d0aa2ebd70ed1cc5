import { afterAll, beforeAll } from 'vitest';
import type { HttpOptions } from '../../server/mcp/http/exchange.ts';
import { serveHttp, type HttpSession } from '../../server/mcp/http/serve.ts';
import { GatedTool } from './gated-tool.ts';
import { startMemoryServer, type MemoryServer } from './memory-client.ts';
import { rawRequest, type Message, type RawAnswer } from './raw-http.ts';

export interface GatedHttp {
  /** The tool of the ports, whose calls a test ends. */
  readonly gated: GatedTool;
  /** Opens a port over the server of the file; all are closed when its tests are over. */
  serve(options?: Partial<HttpOptions>): Promise<string>;
}

/** HTTP ports of one server with a {@link GatedTool}, for the tests of a file. */
export function gatedHttp(): GatedHttp {
  const gated = new GatedTool();
  let memory: MemoryServer;
  const open: HttpSession[] = [];
  beforeAll(async () => {
    memory = await startMemoryServer({}, { manifests: [gated.manifest], runtimes: gated.runtimes });
  });
  afterAll(async () => {
    for (const http of open) await http.close();
    await memory.close();
  });
  return {
    gated,
    async serve(options = {}) {
      const given = { ...memory.faces, port: 0, token: null, onClients: () => undefined };
      const http = await serveHttp({ ...given, ...options });
      open.push(http);
      return http.url;
    },
  };
}

/** `1 … count`. */
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

export const callOf = (id: number, more: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'gated', arguments: {}, ...more },
});
export const callWithProgress = (id: number, meta: object = {}): object =>
  callOf(id, { _meta: { progressToken: `p${id}`, ...meta } });
export const progressOf = (messages: readonly Message[]): unknown[] =>
  messages.flatMap(({ method, params }) =>
    method === 'notifications/progress' ? [params?.['progress']] : [],
  );
/** 404 once the session has ended. */
export const statusOf = async (url: string, session: string): Promise<number> =>
  (await rawRequest(url, { body: { jsonrpc: '2.0', id: 'ping', method: 'ping' }, session })).status;
export const answersOf = ({ messages }: Pick<RawAnswer, 'messages'>, id: number): unknown[] =>
  messages.flatMap((message) => (message.id === id ? [message.result?.content?.[0]?.text] : []));
