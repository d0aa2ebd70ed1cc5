import type { ServerCapabilities, LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { LINEAGE_METHOD } from '../../core/upstreams.ts';
import { lazy } from '../../../shared/async/deferred.ts';
import { onAbort } from '../../../shared/async/abort.ts';
import type { LogLine, LogSource } from '../../core/log.ts';
import { clean, clipClean, type CleanJson, type CleanRecord } from '../../redact/clean.ts';
import { defined, isJsonList } from '../../../shared/json.ts';
import { ListParams, serveMethod } from './rpc.ts';
import type { Resources } from '../../core/resources.ts';
import type { McpServerOptions, McpSession } from './session.ts';

/** The protocol's levels, from the least severe on. */
const LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const satisfies readonly LoggingLevel[];

const LevelParams = z.object({ level: z.enum(LEVELS) });

const LEVEL_OF = { debug: 'debug', info: 'info', warn: 'warning', error: 'error' } as const;

const FIRST_LEVEL: LoggingLevel = 'warning';
/** So many lines may come at once, and so many a second after that. */
const BURST_LINES = 50;
const LINES_PER_SECOND = 10;
const TEXT_LENGTH = 2_000;

interface SessionLogOptions {
  readonly source: LogSource;
  /** Whose lines are heard at the client's level; of the server's own only warnings, without facts. */
  readonly sessionId: string;
  readonly signal: AbortSignal;
  /** `callId` is the call with whose answer the line goes, if any. */
  readonly send: (
    params: { readonly level: LoggingLevel; readonly logger: string; readonly data: CleanRecord },
    callId: string | undefined,
  ) => Promise<void>;
}

/**
 * What a client hears of the server's log. It is a courtesy: a line that cannot be sent is dropped,
 * and nothing waits for it.
 */
class SessionLog {
  readonly #options: SessionLogOptions;
  #from = LEVELS.indexOf(FIRST_LEVEL);
  #isAsked = false;
  #room = BURST_LINES;
  #filledAt = performance.now();
  #dropped = 0;
  /** Lines keep their order. */
  #sent: Promise<void> = Promise.resolve();

  constructor(options: SessionLogOptions) {
    this.#options = options;
    const stop = options.source.onLine((line) => this.#hear(line));
    onAbort(options.signal, stop);
  }

  setLevel(level: LoggingLevel): void {
    this.#isAsked = true;
    this.#from = LEVELS.indexOf(level);
  }

  #hear({ level, facts, message }: LogLine): void {
    const { session, callId, upstream, said } = originOf(facts);
    if (session !== undefined && session !== this.#options.sessionId) return;
    if (session === undefined && level !== 'warn' && level !== 'error') return;
    const shown = said ?? LEVEL_OF[level];
    if (LEVELS.indexOf(shown) < this.#from || !this.#admit()) return;
    const left = this.#dropped;
    this.#dropped = 0;
    // Facts of no session may be those of another: its handles, its addresses.
    const own = session === undefined ? {} : shortFacts(facts);
    const data = { message, ...own, ...(left === 0 ? {} : { lines_left_out: left }) };
    const send = async (): Promise<void> => {
      // The body of a response is bounded: messages that were not requested are sent outside it.
      const related = this.#isAsked ? callId : undefined;
      await this.#options.send({ level: shown, logger: upstream ?? 'spillway', data }, related);
    };
    // A disconnected client receives nothing.
    this.#sent = this.#sent.then(send).catch(() => undefined);
  }

  /** A bucket that fills again: a flood of lines is counted, not sent. */
  #admit(): boolean {
    const now = performance.now();
    const filled = this.#room + ((now - this.#filledAt) / 1000) * LINES_PER_SECOND;
    this.#room = Math.min(filled, BURST_LINES);
    this.#filledAt = now;
    if (this.#room < 1) {
      this.#dropped += 1;
      return false;
    }
    this.#room -= 1;
    return true;
  }
}

// Not `session`: a value of that name is redacted as a secret.
const Origin = z.object({
  client: z.string().optional().catch(undefined),
  call_id: z.string().optional().catch(undefined),
  upstream: z.string().optional().catch(undefined),
  level: z.enum(LEVELS).optional().catch(undefined),
});

/** The session and the call that a line is about, and the other server that wrote it, if any. */
function originOf(facts: CleanRecord): {
  readonly session?: string;
  readonly callId?: string;
  readonly upstream?: string;
  readonly said?: LoggingLevel;
} {
  const { client: session, call_id: callId, upstream, level: said } = Origin.parse(facts);
  const isOfUpstream = session !== undefined && upstream !== undefined && said !== undefined;
  return {
    ...(isOfUpstream ? { upstream, said } : {}),
    ...defined({ session, callId }),
  };
}

/** Facts for a client: bounded, without the owner and without stacks. */
function shortFacts({ client: _client, call_id: _callId, ...facts }: CleanRecord): CleanRecord {
  return Object.fromEntries(Object.entries(facts).map(([key, fact]) => [key, shorten(fact ?? null)]));
}

function shorten(fact: CleanJson): CleanJson {
  if (typeof fact === 'string') return clipClean(fact, TEXT_LENGTH);
  if (typeof fact !== 'object' || fact === null) return fact;
  const shown = isJsonList(fact) ? fact : withoutStack(fact);
  return JSON.stringify(shown).length <= TEXT_LENGTH ? shown : clean`…`;
}

function withoutStack({ stack: _stack, cause: _cause, ...rest }: CleanRecord): CleanRecord {
  return rest;
}

/** What a server with these options serves besides tools. */
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

const UriParams = z.object({ uri: z.string().max(4_096) });

function serveResources(mcp: McpSession, resources: Resources, ended: ReadonlySet<string>): void {
  serveMethod(mcp, 'resources/list', ListParams, async ({ cursor }) =>
    (await import('./resources.ts')).listResources(mcp, ended, cursor),
  );
  serveMethod(mcp, 'resources/templates/list', ListParams, async ({ cursor }) =>
    (await import('./resources.ts')).listTemplates(mcp, cursor),
  );
  serveMethod(mcp, 'resources/read', UriParams, async ({ uri }, { signal }) =>
    (await import('./resources.ts')).readResource(mcp, uri, signal),
  );
  serveSubscriptions(mcp, resources);
}

function serveSubscriptions(mcp: McpSession, resources: Resources): void {
  const { server, session } = mcp;
  const load = lazy(async () => {
    const { Subscriptions } = await import('./subscriptions.ts');
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

const LineageParams = z.object({ ids: z.array(z.string().max(64)).max(200) });

/** A client that is a Spillway asks where this one leads, before it offers its tools. */
function serveLineage(mcp: McpSession): void {
  const { session, options } = mcp;
  const lineage = options.resources?.upstreams?.lineage;
  if (lineage === undefined) return;
  serveMethod(mcp, LINEAGE_METHOD, LineageParams, async ({ ids }) => ({ ...lineage.askedBy(session, ids) }));
  onAbort(session.signal, () => lineage.forget(session));
}

const PromptParams = z.object({
  name: z.string().max(200),
  arguments: z.record(z.string(), z.string()).optional(),
});

function servePrompts(mcp: McpSession): void {
  serveMethod(mcp, 'prompts/list', ListParams, async ({ cursor }) =>
    (await import('./prompts/prompts.ts')).listPrompts(mcp, cursor),
  );
  serveMethod(mcp, 'prompts/get', PromptParams, async (params, { signal }) =>
    (await import('./prompts/prompts.ts')).getPrompt(mcp, params, signal),
  );
}

function serveCompletion(mcp: McpSession, ended: ReadonlySet<string>): void {
  serveMethod(mcp, 'completion/complete', z.unknown(), async (params, { signal }) =>
    (await import('./completion.ts')).complete(mcp, ended, params, signal),
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
