import { serveHttp, type HttpOptions, type HttpSession } from '../../server/adapters/mcp/http/serve.ts';
import type { AdapterTool } from '../../server/adapters/mcp/session.ts';
import { silentLogger } from './app-options.ts';
import { GatedTool } from './gated-tool.ts';
import { startMemoryServer } from './memory-client.ts';

const schema = { type: 'object' as const };
/** Tools that speak the protocol themselves: one grows its session's list, one sends its client away. */
const ownTools: readonly AdapterTool[] = [
  {
    tool: { name: 'grow', inputSchema: schema },
    call: async (_args, _extra, { session }) => {
      const added = session.tools.add(['console']);
      return { content: [{ type: 'text', text: added.join(' ') }] };
    },
  },
  {
    tool: { name: 'poll', inputSchema: schema },
    call: async (_args, { closeSSEStream }) => {
      closeSSEStream?.();
      return { content: [{ type: 'text', text: closeSSEStream === undefined ? 'kept' : 'closed' }] };
    },
  },
];

/** A server over HTTP whose calls of `gated` continue until a test ends them. */
export interface ResumableServer {
  readonly gated: GatedTool;
  readonly http: HttpSession;
  /** Another port of the same server, with options of its own. */
  serve(options?: Partial<HttpOptions>): Promise<HttpSession>;
  close(): Promise<void>;
}

export async function startResumableServer(): Promise<ResumableServer> {
  const gated = new GatedTool();
  const memory = await startMemoryServer({}, { manifests: [gated.manifest], runtimes: gated.runtimes });
  const serve = (options: Partial<HttpOptions> = {}): Promise<HttpSession> =>
    serveHttp({
      executor: memory.executor,
      version: '0.0.0-test',
      port: 0,
      token: null,
      logger: silentLogger,
      ownTools,
      onClients: () => undefined,
      ...options,
    });
  const http = await serve();
  return {
    gated,
    http,
    serve,
    close: async () => {
      await http.close();
      await memory.close();
    },
  };
}

/** `1 … count`. */
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Steps of progress, before and after a client has come back. */
export const STEPS = 12;
