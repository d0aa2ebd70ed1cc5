import { Protocol } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Result, ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { LINEAGE_METHOD, type Resources } from '../../../core/upstreams.ts';
import { lazy } from '../../../../shared/async/wait.ts';
import { onAbort } from '../../../../shared/async/abort.ts';
import { LevelParams, SessionLog } from '../log.ts';
import { LineageParams, ListParams, PromptParams, UriParams, answerRequest } from '../rpc.ts';
import type { McpServerOptions } from '../scope.ts';
import type { Extra, McpSession } from './asks.ts';

/** Serves a method. */
export function serveMethod<Params>(
  mcp: McpSession,
  method: string,
  params: z.ZodType<Params>,
  answer: (params: Params, extra: Extra) => Promise<Result>,
): void {
  const Request = z.object({ method: z.literal(method), params: z.unknown().optional() });
  // The capability is asserted by Server's own; the schema of the SDK would answer without a code.
  Protocol.prototype.setRequestHandler.call(mcp.server, Request, async (request, extra) => {
    const given = Request.parse(request).params ?? {};
    return answerRequest(mcp, { params, given }, (parsed) => answer(parsed, extra as Extra));
  });
}

/** Everything that a server with these options serves, except tools. */
export function faceCapabilities(options: McpServerOptions): ServerCapabilities {
  const isLive = options.resources !== undefined;
  return {
    ...(isLive ? { resources: { subscribe: true, listChanged: true } } : {}),
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
  if (mcp.options.resources !== undefined) serveResources(mcp, mcp.options.resources, ended);
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

function serveResources(mcp: McpSession, resources: Resources, ended: ReadonlySet<string>): void {
  serveMethod(mcp, 'resources/list', ListParams, async ({ cursor }) => {
    const { listResources, newestFirst } = await import('../resources.ts');
    return listResources(mcp.options, { outputs: newestFirst(mcp.session), ended }, cursor);
  });
  serveMethod(mcp, 'resources/templates/list', ListParams, async ({ cursor }) =>
    (await import('../resources.ts')).listTemplates(mcp.options, cursor),
  );
  serveMethod(mcp, 'resources/read', UriParams, async ({ uri }, { signal }) =>
    (await import('../resources.ts')).readResource(mcp, uri, signal),
  );
  serveSubscriptions(mcp, resources);
}

function serveSubscriptions(mcp: McpSession, resources: Resources): void {
  const { server, session } = mcp;
  const load = lazy(async () => {
    const { Subscriptions } = await import('../subscriptions.ts');
    return new Subscriptions({
      resources,
      signal: session.signal,
      onUpdate: (uri) => void server.sendResourceUpdated({ uri }).catch(() => undefined),
    });
  });
  serveMethod(mcp, 'resources/subscribe', UriParams, async ({ uri }) => {
    await (await load()).subscribe(uri);
    return {};
  });
  serveMethod(mcp, 'resources/unsubscribe', UriParams, async ({ uri }) => {
    (await load()).unsubscribe(uri);
    return {};
  });
}

/** A Spillway that is our client asks where we lead before it offers our tools. */
function serveLineage(mcp: McpSession): void {
  const { session, options } = mcp;
  const lineage = options.resources?.upstreams?.lineage;
  if (lineage === undefined) return;
  serveMethod(mcp, LINEAGE_METHOD, LineageParams, async ({ ids }) => ({ ...lineage.askedBy(session, ids) }));
  onAbort(session.signal, () => lineage.forget(session));
}

function servePrompts(mcp: McpSession): void {
  serveMethod(mcp, 'prompts/list', ListParams, async ({ cursor }) =>
    (await import('../prompts/prompts.ts')).listPrompts(mcp.options, cursor),
  );
  serveMethod(mcp, 'prompts/get', PromptParams, async (params, { signal }) =>
    (await import('../prompts/prompts.ts')).getPrompt(mcp, params, signal),
  );
}

function serveCompletion(mcp: McpSession, ended: ReadonlySet<string>): void {
  serveMethod(mcp, 'completion/complete', z.unknown(), async (params, { signal }) =>
    (await import('../completion.ts')).complete(mcp, ended, params, signal),
  );
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
  serveMethod(mcp, 'logging/setLevel', LevelParams, async ({ level }) => {
    log.setLevel(level);
    return {};
  });
}
