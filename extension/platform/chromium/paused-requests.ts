import * as z from 'zod/mini';
import { hear } from './debugger/exchange.ts';
import { NETWORK_BUFFERS } from './debugger/send-command.ts';
import type { DebuggerLease } from './debugger/sessions.ts';
import { followSessions } from './debugger/targets.ts';

const Headers = z.record(z.string(), z.string());
const Paused = z.object({
  requestId: z.string(),
  frameId: z.optional(z.string()),
  request: z.object({ url: z.string(), method: z.string(), headers: Headers }),
  resourceType: z.string(),
  responseStatusCode: z.optional(z.int()),
  responseErrorReason: z.optional(z.string()),
  responseHeaders: z.optional(z.array(z.object({ name: z.string(), value: z.string() }))),
});
const Asked = z.extend(Paused, {
  authChallenge: z.object({ source: z.optional(z.string()), origin: z.string() }),
});

/** An answer that the page gets instead of the site's. */
export interface MadeAnswer {
  readonly status: number;
  readonly phrase?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In base64. */
  readonly body?: string;
}

/** A request that waits for a decision. */
export interface PausedRequest {
  readonly session: string | null;
  readonly facts: z.infer<typeof Paused>;
  /** The address of the document that asks, unless it is the tab's own. */
  readonly from: string | undefined;
  block(errorReason: 'BlockedByClient' | 'Aborted'): Promise<unknown>;
  answer(answer: MadeAnswer): Promise<unknown>;
  /** @param headers instead of its own */
  proceed(headers?: Readonly<Record<string, string>>): Promise<unknown>;
  /** Answers a site that asks who a person is. @param by null leaves it to the browser */
  logIn(by: { readonly username: string; readonly password: string } | 'cancel' | null): Promise<unknown>;
}

/** The same, held by the debugger. */
class HeldRequest implements PausedRequest {
  constructor(
    private readonly lease: DebuggerLease,
    readonly session: string | null,
    readonly facts: z.infer<typeof Paused>,
  ) {}

  get from(): string | undefined {
    return this.lease.targets().find(({ session }) => session === this.session)?.url;
  }

  block(errorReason: 'BlockedByClient' | 'Aborted'): Promise<unknown> {
    return this.#send('Fetch.failRequest', { errorReason });
  }

  answer({ status, phrase, headers, body }: MadeAnswer): Promise<unknown> {
    const answer = { responseCode: status, responsePhrase: phrase, responseHeaders: listOf(headers), body };
    return this.#send('Fetch.fulfillRequest', answer);
  }

  proceed(headers?: Readonly<Record<string, string>>): Promise<unknown> {
    return this.#send('Fetch.continueRequest', headers === undefined ? {} : { headers: listOf(headers) });
  }

  logIn(by: Parameters<PausedRequest['logIn']>[0]): Promise<unknown> {
    const response = by === null ? 'Default' : by === 'cancel' ? 'CancelAuth' : 'ProvideCredentials';
    const authChallengeResponse = { response, ...(typeof by === 'object' && by) };
    return this.#send('Fetch.continueWithAuth', { authChallengeResponse });
  }

  #send(method: string, params: object): Promise<unknown> {
    const { requestId } = this.facts;
    return this.lease.send(method, { requestId, ...params }, { sessionId: this.session });
  }
}

/** Whether a request can be answered in place of its site. @throws SpillwayError `unsupported_in_firefox` */
export const expectAnswers = (): void => undefined;

const listOf = (headers: Readonly<Record<string, string>>): readonly object[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

interface Listener {
  onRequest(request: PausedRequest): void;
  /** A request is answered with the question who a person is. */
  onLogin?(request: PausedRequest, by: { readonly origin: string; readonly isProxy: boolean }): void;
}

/** Reports requests that wait, until the returned function is called. */
export function onPaused(lease: DebuggerLease, { onRequest, onLogin }: Listener): () => void {
  const ignore = hear(lease, 'Fetch.requestPaused', Paused, (paused, session) =>
    onRequest(new HeldRequest(lease, session, paused)),
  );
  const ignoreLogins = hear(lease, 'Fetch.authRequired', Asked, (asked, session) => {
    const { origin, source } = asked.authChallenge;
    onLogin?.(new HeldRequest(lease, session, asked), { origin, isProxy: source === 'Proxy' });
  });
  return () => {
    ignore();
    ignoreLogins();
  };
}

/** Makes requests for documents wait, and their responses. */
export const pauseDocuments = (lease: DebuggerLease): Promise<unknown> =>
  lease.send('Fetch.enable', {
    patterns: ['Request', 'Response'].map((requestStage) => ({ resourceType: 'Document', requestStage })),
  });

/** No listener sees what a page takes from its cache. All are sent at once: the session may be waiting for them. */
async function pause(lease: DebuggerLease, sessionId: string | null): Promise<void> {
  await Promise.all([
    lease.send('Network.enable', NETWORK_BUFFERS, { sessionId }),
    lease.send('Network.setCacheDisabled', { cacheDisabled: true }, { sessionId }),
    lease.send('Fetch.enable', { handleAuthRequests: true }, { sessionId }),
  ]);
}

/**
 * Makes all requests of a tab, its frames and its workers wait.
 * @param paused takes their sessions, for {@link resumeAll}
 */
export async function pauseAll(
  lease: DebuggerLease,
  paused: Set<string | null>,
  listener: Listener,
): Promise<void> {
  const stop = onPaused(lease, listener);
  const begin = (sessionId: string | null): Promise<void> => {
    paused.add(sessionId);
    return pause(lease, sessionId);
  };
  try {
    await followSessions(lease, begin);
    await begin(null);
  } catch (thrown) {
    stop();
    throw thrown;
  }
}

export const resumeAll = (lease: DebuggerLease, paused: ReadonlySet<string | null>): Promise<unknown> =>
  Promise.allSettled(
    [...paused].flatMap((sessionId) => [
      lease.send('Fetch.disable', {}, { sessionId }),
      lease.send('Network.setCacheDisabled', { cacheDisabled: false }, { sessionId }),
    ]),
  );
