import { randomBytes, randomUUID } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { defined } from '../../../shared/base/json.ts';
import { buildCancelled } from '../../core/calls/call.ts';
import type { ClientSession } from '../../core/context.ts';
import { createSession } from '../../core/registry/session.ts';
import type { HttpOptions } from '../http/exchange.ts';
import type { McpServerOptions } from '../rpc.ts';
import { LEVELS } from '../log.ts';

/** The extension of tasks. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Names the session of a request over HTTP; in the first answer, the new session. */
export const SESSION_KEY = 'spillway/session';

const Declared = z.object({
  elicitation: z.looseObject({ form: z.unknown().optional(), url: z.unknown().optional() }).optional(),
  sampling: z.looseObject({}).optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
});
export type Capabilities = z.infer<typeof Declared>;

const Envelope = z.object({
  [CLIENT_INFO_META_KEY]: z.object({ name: z.string(), version: z.string() }).optional().catch(undefined),
  [CLIENT_CAPABILITIES_META_KEY]: Declared.catch({}),
  [LOG_LEVEL_META_KEY]: z.enum(LEVELS).optional().catch(undefined),
});

const OwnMeta = z.object({
  [SESSION_KEY]: z.string().max(200).optional(),
  progressToken: z.union([z.string(), z.number()]).optional(),
});

export type Caller = ReturnType<typeof callerOf>;

/** Reads the facts about its client from a request: in this era each request carries them. */
export function callerOf({ mcpReq }: ServerContext) {
  const envelope = Envelope.parse(mcpReq.envelope ?? {});
  const own = OwnMeta.safeParse(mcpReq._meta ?? {}).data;
  return {
    client: envelope[CLIENT_INFO_META_KEY],
    capabilities: envelope[CLIENT_CAPABILITIES_META_KEY],
    logLevel: envelope[LOG_LEVEL_META_KEY],
    handle: own?.[SESSION_KEY],
    progressToken: own?.progressToken,
  };
}

/** Whether a client supports tasks. */
export const takesTasks = ({ capabilities }: Caller): boolean =>
  capabilities.extensions?.[TASKS_EXTENSION] !== undefined;

/** The session of one call. */
export interface SessionOfCall {
  readonly session: ClientSession;
  /** Its handle, if it was made for this call. */
  readonly made: string | null;
  /** Call it when the call has ended. */
  done(): void;
}

/** The client, and the tools that its list was chosen from. */
type Asking = Pick<Caller, 'client' | 'handle'> & Pick<McpServerOptions, 'selectors'>;

/** The session that a call's current tab, refs and budget belong to. */
export interface Sessions {
  /** Whether requests name their sessions. */
  readonly haveHandles: boolean;
  /** The session of a call, or the error: `session_closed`, `too_many_sessions`. */
  open(caller: Asking): SessionOfCall | SpillwayError;
  /** The session of a request that needs none, for its time. */
  borrow(caller: Asking): SessionOfCall;
}

function newSession(
  { executor, selectors }: Pick<McpServerOptions, 'executor' | 'selectors'>,
  signal: AbortSignal,
): ClientSession {
  const { registry } = executor;
  const session = createSession(randomUUID(), { registry, signal, ...defined({ selectors }) });
  // The list is the same for all clients, so that one may keep an earlier copy.
  session.tools.noteListSent();
  return session;
}

/** A connection is a session for as long as the client reads. */
export function sessionOfConnection(options: McpServerOptions, signal: AbortSignal): Sessions {
  const session = newSession(options, signal);
  let isNamed = false;
  const open: Sessions['borrow'] = ({ client }) => {
    if (client !== undefined && !isNamed) {
      isNamed = true;
      name(session, client);
      options.onClient(client);
    }
    return { session, made: null, done: () => undefined };
  };
  return { haveHandles: false, open, borrow: open };
}

function name(session: ClientSession, client: NonNullable<Caller['client']>): void {
  session.name = client.name;
  session.version = client.version;
}

interface KeptSession {
  readonly session: ClientSession;
  readonly end: AbortController;
  client: Caller['client'];
  calls: number;
  lastUsedAt: number;
}

/**
 * Sessions without connections: a call without a handle makes one, and its answer names the handle. Beyond
 * the maximum, the least recently used session without an active call ends.
 */
export class HandleSessions implements Sessions {
  readonly haveHandles = true;
  readonly #kept = new Map<string, KeptSession>();

  constructor(
    private readonly options: Pick<HttpOptions, 'executor' | 'onClients'> & { readonly max: number },
  ) {}

  open(asking: Asking): SessionOfCall | SpillwayError {
    const { client, handle } = asking;
    if (handle === undefined) return this.#make(asking);
    const kept = this.#kept.get(handle);
    if (kept !== undefined) return this.#use(kept, client, null);
    const message = `There is no session ${JSON.stringify(handle.slice(0, 64))}.`;
    const hint =
      'It has ended: call again without session, with an explicit tab. The answer names a new session; refs have to be read again.';
    return new SpillwayError('session_closed', message, { hint });
  }

  borrow(asking: Asking): SessionOfCall {
    const { client, handle } = asking;
    const kept = handle === undefined ? undefined : this.#kept.get(handle);
    if (kept !== undefined) return this.#use(kept, client, null);
    const end = new AbortController();
    const session = newSession({ ...asking, ...this.options }, end.signal);
    if (client !== undefined) name(session, client);
    return { session, made: null, done: () => end.abort(buildCancelled('its end')) };
  }

  /** Ends the sessions that were not used since then, by `performance.now()`. */
  closeIdle(before: number): void {
    for (const [handle, { calls, lastUsedAt }] of this.#kept)
      if (calls === 0 && lastUsedAt < before) this.#end(handle);
  }

  closeAll(): void {
    for (const handle of this.#kept.keys()) this.#end(handle);
  }

  #make(asking: Asking): SessionOfCall | SpillwayError {
    if (this.#kept.size >= this.options.max) {
      const [oldest] = [...this.#kept]
        .filter(([, { calls }]) => calls === 0)
        .toSorted(([, a], [, b]) => a.lastUsedAt - b.lastUsedAt);
      if (oldest === undefined)
        return new SpillwayError('too_many_sessions', 'Every session of this server is busy.');
      this.#end(oldest[0]);
    }
    const end = new AbortController();
    const handle = `s_${randomBytes(12).toString('base64url')}`;
    const session = newSession({ ...asking, ...this.options }, end.signal);
    const kept: KeptSession = { session, end, client: undefined, calls: 0, lastUsedAt: 0 };
    this.#kept.set(handle, kept);
    return this.#use(kept, asking.client, handle);
  }

  #use(kept: KeptSession, client: Caller['client'], made: string | null): SessionOfCall {
    kept.calls += 1;
    kept.lastUsedAt = performance.now();
    if (client !== undefined && kept.client === undefined) {
      kept.client = client;
      name(kept.session, client);
      this.#report();
    }
    return {
      session: kept.session,
      made,
      done: () => {
        kept.calls -= 1;
        kept.lastUsedAt = performance.now();
      },
    };
  }

  #end(handle: string): void {
    this.#kept.get(handle)?.end.abort(buildCancelled('the end of the session'));
    this.#kept.delete(handle);
    this.#report();
  }

  #report(): void {
    this.options.onClients([...this.#kept.values()].flatMap(({ client }) => client ?? []));
  }
}
