import { setImmediate } from 'node:timers/promises';
import { Listeners } from '../../../shared/queue.ts';
import { anySignal, abortable, withTimeout } from '../../../shared/async.ts';
import { cut } from '../../../shared/cut.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { CallContext } from '../../core/context.ts';
import type { Produced } from '../../core/result.ts';
import type { UpstreamSource, UpstreamStatus, UpstreamTool } from '../answers.ts';
import { produceAnswer } from './answer.ts';
import { loadDocument, type ApiDocument, type DocumentPlace } from './document.ts';
import { listOperations } from './bindings.ts';
import { buildRequest } from './request.ts';
import { checkPlace, lateAnswer, securityOf, send, serverOf, statedServer } from './security.ts';
import { buildTool, type ApiTool } from './tool.ts';

/** A service and its document. */
export interface OpenApiOptions extends DocumentPlace {
  readonly id: string;
  /** Where requests go; default: the first server of the document. */
  readonly baseUrl?: string | undefined;
  /**
   * Final values, by the name of a header, of a security scheme's query parameter or cookie, or of the scheme
   * itself. No message and no log line contains them.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** Removes the secrets of the entry from a text of the service that a failure or a note quotes. */
  readonly redactOwn?: (text: string) => string;
}

export interface OpenApiParts {
  /** Limit until the headers of an answer. */
  readonly answerMs?: number;
  /** Limit between two parts of a body, if it is longer than the other. */
  readonly idleMs?: number;
  /** Delay before an unreadable document is requested again; doubled each time, up to five minutes. */
  readonly retryMs?: number;
}

const ANSWER_MS = 120_000;
const IDLE_MS = 60_000;
const RETRY_MS = 2_000;
const RETRY_MAX_MS = 300_000;
/** Tools that are made before other work gets its turn. */
const TURN = 25;

/** The tools of the service that an OpenAPI document describes: one for each operation. */
export class OpenApiSource implements UpstreamSource {
  readonly #closed = new AbortController();
  readonly changes = new Listeners<void>();
  status: UpstreamStatus = { state: 'starting', problem: null };
  #ready: Awaited<ReturnType<typeof makeReady>> | null = null;
  #loading: Promise<void>;
  #retry: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: OpenApiOptions,
    private readonly parts: OpenApiParts = {},
  ) {
    this.#loading = this.#load(parts.retryMs ?? RETRY_MS);
  }

  get tools(): readonly UpstreamTool[] {
    return this.#ready?.tools ?? [];
  }

  async call(rawName: string, args: JsonObject, context: CallContext): Promise<Produced> {
    await abortable(this.#loading, context.signal);
    const { id, baseUrl } = this.options;
    if (this.#ready === null)
      throw new SpillwayError('upstream_error', `${id}: ${this.status.problem ?? 'it is not ready'}.`);
    const { document, security, byName } = this.#ready;
    const tool = byName.get(rawName);
    if (tool === undefined)
      throw new SpillwayError('unknown_tool', `${id}: its document has no ${cut(rawName, 80)}.`);
    const { operation } = tool;
    const place = serverOf(operation.servers, { baseUrl, documentUrl: document.url });
    const credentials = security.credentialsFor(operation.security);
    const request = buildRequest(tool, args, { server: place.url, credentials });
    await checkPlace(place);
    const { answerMs = ANSWER_MS, idleMs = IDLE_MS } = this.parts;
    const what = `${operation.method} ${operation.path}`;
    // fetch aborts a body with its signal, which has to outlive the headers.
    const ended = new AbortController();
    const { signal, release } = anySignal([context.signal, this.#closed.signal, ended.signal]);
    context.registerAfterCompletion(() => {
      ended.abort();
      release();
    });
    const late = (): SpillwayError =>
      lateAnswer(request.method, `${what} was not answered within ${answerMs} ms.`);
    const response = await withTimeout(send(request, signal), answerMs, late);
    const limits = { idleMs: Math.max(answerMs, idleMs), streamMs: answerMs };
    return produceAnswer(response, { ...request, what, signal, ...limits });
  }

  async close(): Promise<void> {
    clearTimeout(this.#retry);
    this.#closed.abort(new SpillwayError('cancelled', `${this.options.id} was closed.`));
    await this.#loading;
  }

  async #load(retryMs: number): Promise<void> {
    try {
      const document = await loadDocument(this.options, this.#closed.signal);
      this.#ready = await makeReady(document, this.options);
      this.#become({ state: 'ready', problem: null });
    } catch (thrown) {
      if (this.#closed.signal.aborted) return;
      const { message, hint, code } = toSpillwayError(thrown);
      this.#become({ state: 'failed', problem: `${message} ${hint}`.replace(/\.$/, '') });
      // An invalid document stays so until somebody changes it.
      if (code !== 'upstream_error' && code !== 'timeout') return;
      this.#retry = setTimeout(() => {
        this.#loading = this.#load(Math.min(retryMs * 2, RETRY_MAX_MS));
      }, retryMs);
      this.#retry.unref();
    }
  }

  #become(status: UpstreamStatus): void {
    this.status = status;
    this.changes.notify();
  }
}

async function makeReady(document: ApiDocument, options: OpenApiOptions) {
  const { root } = document;
  const { headers = {}, baseUrl, redactOwn } = options;
  const security = securityOf(root, headers, redactOwn);
  const byName = new Map<string, ApiTool>();
  const operations = listOperations(root);
  if (operations.length === 0)
    throw new SpillwayError('openapi_invalid', 'The document describes no operation.');
  for (const [at, operation] of operations.entries()) {
    if (at % TURN === TURN - 1) await setImmediate();
    // A person also accepts where requests go: a document's statement of it is part of its tools.
    const server = baseUrl === undefined ? statedServer(operation.servers, document.url) : '';
    byName.set(operation.name, buildTool(root, operation, security.headerNames, server));
  }
  return { document, security, byName, tools: [...byName.values()].map(({ tool }) => tool) };
}
