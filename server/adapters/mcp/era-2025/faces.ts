import { Protocol } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Result } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Resources } from '../../../core/upstreams.ts';
import { lazy, onAbort } from '../../../../shared/async.ts';
import { LevelParams, SessionLog } from '../log.ts';
import { serveFaces } from '../faces.ts';
import { answerRequest, UriParams } from '../rpc.ts';
import type { Extra, McpSession } from './asks.ts';

/** Serves a method. */
export function serveMethod<Params>(
  mcp: McpSession,
  method: string,
  params: z.ZodType<Params>,
  answer: (params: Params, extra: Extra) => Promise<Result>,
): void {
  const Request = z.object({ method: z.literal(method), params: z.unknown().optional() });
  // `Server` asserts the capability itself, and the SDK's schema would answer without a code.
  Protocol.prototype.setRequestHandler.call(mcp.server, Request, async (request, extra) => {
    const given = Request.parse(request).params ?? {};
    return answerRequest(mcp, { params, given }, (parsed) => answer(parsed, extra as Extra));
  });
}

/** Everything but tools. */
export function serveAll(mcp: McpSession): void {
  const { session, options } = mcp;
  serveFaces(
    (method, params, answer) =>
      serveMethod(mcp, method, params, (parsed, { signal }) => answer(parsed, mcp, signal)),
    options,
    followEnds(mcp),
  );
  if (options.resources !== undefined) serveSubscriptions(mcp, options.resources);
  const lineage = options.resources?.upstreams?.lineage;
  if (lineage !== undefined) onAbort(session.signal, () => lineage.forget(session));
  serveLogging(mcp);
}

/** Handles of this session that no longer exist; the client is notified that its list changed. */
function followEnds({ server, session, options }: McpSession): ReadonlySet<string> {
  const ended = new Set<string>();
  if (options.resources === undefined) return ended;
  // A client that has disconnected, or is not yet connected, needs no notification.
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

function serveSubscriptions(mcp: McpSession, resources: Resources): void {
  const { server, session } = mcp;
  const load = lazy(async () => {
    const { Subscriptions } = await import('../subscriptions.ts');
    return new Subscriptions({
      resources,
      picks: session.picks,
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
