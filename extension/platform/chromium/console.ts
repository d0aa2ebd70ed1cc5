import { z } from 'zod';
import { LIMITS } from '../../../shared/base/limits.ts';
import { targetIn } from './debugger/page-guard.ts';
import type { DebuggerEvent, DebuggerLease } from './debugger/sessions.ts';
import { announceOnce } from './debugger/targets.ts';

/*
 * Events of `Runtime` and `Log` about messages, with the members in use.
 * https://chromedevtools.github.io/devtools-protocol/tot/Runtime/, …/Log/
 */

const PreviewProperty = z.object({ name: z.string(), type: z.string(), value: z.string().optional() });
const Preview = z.object({
  overflow: z.boolean().default(false),
  properties: z.array(PreviewProperty).default([]),
});

/** A value of the page. */
const RemoteObject = z.object({
  type: z.string(),
  subtype: z.string().optional(),
  className: z.string().optional(),
  value: z.unknown().optional(),
  unserializableValue: z.string().optional(),
  description: z.string().optional(),
  objectId: z.string().optional(),
  preview: Preview.optional(),
});
export type RemoteObject = z.infer<typeof RemoteObject>;

const CallFrame = z.object({
  functionName: z.string(),
  url: z.string(),
  lineNumber: z.int(),
  columnNumber: z.int(),
});
const StackTrace = z.object({ callFrames: z.array(CallFrame) });
export type StackTrace = z.infer<typeof StackTrace>;

export const ConsoleCall = z.object({
  type: z.string(),
  args: z.array(RemoteObject),
  timestamp: z.number(),
  stackTrace: StackTrace.optional(),
});
export type ConsoleCall = z.infer<typeof ConsoleCall>;

export const ExceptionThrown = z.object({
  timestamp: z.number(),
  exceptionDetails: z.object({
    exceptionId: z.int(),
    text: z.string(),
    url: z.string().optional(),
    lineNumber: z.int(),
    columnNumber: z.int(),
    stackTrace: StackTrace.optional(),
    exception: RemoteObject.optional(),
  }),
});
export type ExceptionThrown = z.infer<typeof ExceptionThrown>;

const ExceptionRevoked = z.object({ exceptionId: z.int() });

export const LogEntry = z.object({
  entry: z.object({
    source: z.string(),
    level: z.enum(['verbose', 'info', 'warning', 'error']),
    text: z.string(),
    timestamp: z.number(),
    url: z.string().optional(),
    lineNumber: z.int().optional(),
    stackTrace: StackTrace.optional(),
  }),
});
export type LogEntry = z.infer<typeof LogEntry>;

/** Own properties of an object. */
export const Properties = z.object({
  result: z.array(z.object({ name: z.string(), enumerable: z.boolean(), value: RemoteObject.optional() })),
});

/** A message, and the session of its page, frame or worker. */
export type ConsoleEvent =
  | { readonly kind: 'call'; readonly session: string | null; readonly call: ConsoleCall }
  | { readonly kind: 'exception'; readonly session: string | null; readonly thrown: ExceptionThrown }
  | { readonly kind: 'log'; readonly session: string | null; readonly log: LogEntry };

/** Null for another event, and for a message that the browser reports in an unknown form. */
function messageIn({ sessionId: session, method, params }: DebuggerEvent): ConsoleEvent | null {
  const call = method === 'Runtime.consoleAPICalled' ? ConsoleCall.safeParse(params).data : undefined;
  if (call !== undefined) return { kind: 'call', session, call };
  const thrown = method === 'Runtime.exceptionThrown' ? ExceptionThrown.safeParse(params).data : undefined;
  if (thrown !== undefined) return { kind: 'exception', session, thrown };
  const log = method === 'Log.entryAdded' ? LogEntry.safeParse(params).data : undefined;
  return log === undefined ? null : { kind: 'log', session, log };
}

/** Reports messages of a tab, and maybe earlier ones again, until the returned function is called. */
export function onMessage(lease: DebuggerLease, listener: (message: ConsoleEvent) => void): () => void {
  const stop = lease.onEvent((event) => {
    const message = messageIn(event);
    if (message !== null) listener(message);
  });
  for (const domain of ['Runtime', 'Log']) lease.send(`${domain}.enable`).catch(() => undefined);
  return stop;
}

/**
 * Does work with the messages so far of the page, its frames and its workers: enabling a domain makes the browser
 * report its history. Nothing else uses these two domains, so they are disabled again afterwards.
 * @param work gets them, and since when there are any; null if since the start of the page
 * @throws SpillwayError `page_unresponsive`, or of the lost attachment
 */
export async function useMessages<T>(
  lease: DebuggerLease,
  work: (messages: readonly ConsoleEvent[], since: number | null) => Promise<T>,
): Promise<T> {
  const history = new History(lease);
  lease.onEvent((event) => history.onEvent(event));
  try {
    await history.enableAll();
    return await work(history.messages, null);
  } finally {
    await history.disableAll();
  }
}

/** Own members of an object in a message, read without running its code. */
export async function membersOf(
  lease: DebuggerLease,
  sessionId: string | null,
  objectId: string,
): Promise<z.infer<typeof Properties>['result']> {
  const params = { objectId, ownProperties: true, generatePreview: true };
  const options = { sessionId, timeoutMs: LIMITS.helloNoticeMs };
  return Properties.parse(await lease.send('Runtime.getProperties', params, options)).result;
}

class History {
  readonly messages: ConsoleEvent[] = [];
  readonly #sessions = new Set<string>();
  readonly #pending: Promise<void>[] = [];

  constructor(private readonly lease: DebuggerLease) {}

  async enableAll(): Promise<void> {
    for (const session of this.lease.sessions()) this.#join(session);
    await this.#enable(null);
    // Each session may add others.
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) await next;
  }

  /** But not where another call listens to messages: it may have begun meanwhile. */
  async disableAll(): Promise<void> {
    await Promise.allSettled(
      [null, ...this.#sessions]
        .filter((sessionId) => !this.lease.isRecording(sessionId))
        .map((sessionId) => this.#disable(sessionId, LIMITS.helloNoticeMs)),
    );
  }

  #disable(sessionId: string | null, timeoutMs: number): Promise<unknown> {
    return Promise.all(
      ['Runtime.disable', 'Log.disable'].map((method) =>
        this.lease.send(method, {}, { sessionId, timeoutMs }),
      ),
    );
  }

  #join(session: string): void {
    if (this.#sessions.has(session)) return;
    this.#sessions.add(session);
    // Not every kind of target has both domains, and one may disappear at any time: it then adds nothing.
    this.#pending.push(this.#enable(session).catch(() => undefined));
  }

  async #enable(sessionId: string | null): Promise<void> {
    const timeoutMs = sessionId === null ? LIMITS.pageResponseTimeoutMs : LIMITS.helloNoticeMs;
    const send = (method: string): Promise<unknown> => this.lease.send(method, {}, { sessionId, timeoutMs });
    const announcing = announceOnce(this.lease, { sessionId, timeoutMs });
    // Enabling the domains reports earlier messages, if they were not enabled.
    const disabling = this.#disable(sessionId, timeoutMs);
    await Promise.all([announcing, disabling, send('Runtime.enable'), send('Log.enable')]);
  }

  onEvent(event: DebuggerEvent): void {
    const { sessionId, method, params } = event;
    if (method === 'Runtime.exceptionRevoked')
      return this.#revoke(sessionId, ExceptionRevoked.parse(params).exceptionId);
    const target = targetIn(event);
    if (target !== null) return this.#join(target.session);
    const message = messageIn(event);
    if (message !== null) this.messages.push(message);
  }

  /** A rejection that was handled later is no longer a message. */
  #revoke(session: string | null, exceptionId: number): void {
    const at = this.messages.findIndex(
      (event) =>
        event.kind === 'exception' &&
        event.session === session &&
        event.thrown.exceptionDetails.exceptionId === exceptionId,
    );
    if (at >= 0) this.messages.splice(at, 1);
  }
}
