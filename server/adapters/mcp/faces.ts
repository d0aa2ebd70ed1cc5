import type { ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { LINEAGE_METHOD } from '../../core/lineage.ts';
import { lazy } from '../../core/lazy.ts';
import { onAbort } from '../../../shared/async/abort.ts';
import { LevelParams, SessionLog } from './logging.ts';
import { ListParams } from './pages.ts';
import { serveMethod } from './rpc.ts';
import type { McpServerOptions, McpSession } from './session.ts';

const hasResources = ({ resources, ownResources }: McpServerOptions): boolean =>
  resources !== undefined || ownResources !== undefined;

/** What a server with these options serves besides tools. */
export function faceCapabilities(options: McpServerOptions): ServerCapabilities {
  const isLive = options.resources !== undefined;
  return {
    ...(hasResources(options) ? { resources: { subscribe: isLive, listChanged: isLive } } : {}),
    prompts: options.resources?.upstreams === undefined ? {} : { listChanged: true },
    completions: {},
    ...(options.logs === undefined ? {} : { logging: {} }),
  };
}

/**
 * Resources, prompts, completion and logging. Handlers of requests are loaded with the first one,
 * so that a start reads none of it.
 */
export function serveFaces(mcp: McpSession): void {
  const ended = followEnds(mcp);
  if (hasResources(mcp.options)) serveResources(mcp, ended);
  serveLineage(mcp);
  servePrompts(mcp);
  serveCompletion(mcp, ended);
  serveLogging(mcp);
}

/** Handles of this session that no longer exist; the client is notified that its list changed. */
function followEnds({ server, session, options }: McpSession): ReadonlySet<string> {
  const ended = new Set<string>();
  if (options.resources === undefined) return ended;
  // A client that has disconnected, or is not connected yet, needs no notification.
  const listChanged = (): void => void server.sendResourceListChanged().catch(() => undefined);
  session.outputs.onAdd(listChanged);
  const promptsChanged = (): void => void server.sendPromptListChanged().catch(() => undefined);
  const stopOffers = options.resources.upstreams?.onChange((kind) =>
    kind === 'prompts' ? promptsChanged() : listChanged(),
  );
  const stop = options.resources.outputs.onEnd((handle) => {
    if (!session.outputs.has(handle) || ended.has(handle)) return;
    ended.add(handle);
    listChanged();
  });
  onAbort(session.signal, () => {
    stop();
    stopOffers?.();
  });
  return ended;
}

const UriParams = z.object({ uri: z.string().max(4_096) });

function serveResources(mcp: McpSession, ended: ReadonlySet<string>): void {
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
  if (mcp.options.resources !== undefined) serveSubscriptions(mcp, mcp.options.resources);
}

function serveSubscriptions(mcp: McpSession, resources: NonNullable<McpServerOptions['resources']>): void {
  const { server, session, options } = mcp;
  const load = lazy(async () => {
    const { Subscriptions } = await import('./subscriptions.ts');
    return new Subscriptions({
      resources,
      own: options.ownResources ?? [],
      signal: session.signal,
      onUpdate: (uri) => void server.sendResourceUpdated({ uri }).catch(() => undefined),
    });
  });
  serveMethod(mcp, {
    method: 'resources/subscribe',
    params: UriParams,
    answer: async ({ uri }) => {
      await (await load()).subscribe(uri);
      return {};
    },
  });
  serveMethod(mcp, {
    method: 'resources/unsubscribe',
    params: UriParams,
    answer: async ({ uri }) => {
      (await load()).unsubscribe(uri);
      return {};
    },
  });
}

const LineageParams = z.object({ ids: z.array(z.string().max(64)).max(200) });

/** A client that is a Spillway asks where this one leads, before it offers its tools. */
function serveLineage(mcp: McpSession): void {
  const { session, options } = mcp;
  const lineage = options.resources?.upstreams?.lineage;
  if (lineage === undefined) return;
  serveMethod(mcp, {
    method: LINEAGE_METHOD,
    params: LineageParams,
    answer: async ({ ids }) => ({ ...lineage.askedBy(session, ids) }),
  });
  onAbort(session.signal, () => lineage.forget(session));
}

const PromptParams = z.object({
  name: z.string().max(200),
  arguments: z.record(z.string(), z.string()).optional(),
});

function servePrompts(mcp: McpSession): void {
  serveMethod(mcp, {
    method: 'prompts/list',
    params: ListParams,
    answer: async ({ cursor }) => (await import('./prompts/prompts.ts')).listPrompts(mcp, cursor),
  });
  serveMethod(mcp, {
    method: 'prompts/get',
    params: PromptParams,
    answer: async (params, { signal }) =>
      (await import('./prompts/prompts.ts')).getPrompt(mcp, params, signal),
  });
}

function serveCompletion(mcp: McpSession, ended: ReadonlySet<string>): void {
  serveMethod(mcp, {
    method: 'completion/complete',
    params: z.unknown(),
    answer: async (params, { signal }) =>
      (await import('./completion.ts')).complete(mcp, ended, params, signal),
  });
}

function serveLogging(mcp: McpSession): void {
  const { server, session, options } = mcp;
  const source = options.logs;
  if (source === undefined) return;
  const log = new SessionLog({
    source,
    sessionId: session.id,
    signal: session.signal,
    send: (params, callId) => {
      const relatedRequestId = callId === undefined ? undefined : mcp.requests.get(callId);
      return server.notification(
        { method: 'notifications/message', params },
        relatedRequestId === undefined ? {} : { relatedRequestId },
      );
    },
  });
  serveMethod(mcp, {
    method: 'logging/setLevel',
    params: LevelParams,
    answer: async ({ level }) => {
      log.setLevel(level);
      return {};
    },
  });
}
