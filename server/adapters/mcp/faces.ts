import type { ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { ListParams } from './pages.ts';
import { serveMethod } from './rpc.ts';
import type { McpServerOptions, McpSession } from './session.ts';

/** What a server with these options serves beside tools, and nothing else. */
export function faceCapabilities({ resources, ownResources }: McpServerOptions): ServerCapabilities {
  return {
    ...(resources === undefined && ownResources === undefined
      ? {}
      : { resources: { subscribe: false, listChanged: resources !== undefined } }),
  };
}

/** Resources. Each handler is loaded with its first request, so that a start reads none of it. */
export function serveFaces(mcp: McpSession): void {
  const capabilities = faceCapabilities(mcp.options);
  if (capabilities.resources !== undefined) serveResources(mcp);
}

const UriParams = z.object({ uri: z.string().max(4_096) });

function serveResources(mcp: McpSession): void {
  const { server, session, options } = mcp;
  /** Handles of this session that are no more. */
  const ended = new Set<string>();
  // A client that has gone, or that is not there yet, needs no news.
  const listChanged = (): void => void server.sendResourceListChanged().catch(() => undefined);
  session.outputs.onAdd(listChanged);
  const stop = options.resources?.outputs.onEnd((handle) => {
    if (!session.outputs.has(handle) || ended.has(handle)) return;
    ended.add(handle);
    listChanged();
  });
  if (stop !== undefined) session.signal.addEventListener('abort', stop, { once: true });
  serveMethod(mcp, {
    method: 'resources/list',
    params: ListParams,
    answer: async ({ cursor }) => (await import('./resources/list.ts')).listResources(mcp, ended, cursor),
  });
  serveMethod(mcp, {
    method: 'resources/templates/list',
    params: ListParams,
    answer: async ({ cursor }) => (await import('./resources/list.ts')).listTemplates(mcp, cursor),
  });
  serveMethod(mcp, {
    method: 'resources/read',
    params: UriParams,
    answer: async ({ uri }, { signal }) =>
      (await import('./resources/read.ts')).readResource(mcp, uri, signal),
  });
}
