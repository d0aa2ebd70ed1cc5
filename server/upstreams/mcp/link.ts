import { randomUUID } from 'node:crypto';
import {
  Client,
  ProtocolError,
  ProtocolErrorCode,
  StreamableHTTPClientTransport,
  type ClientContext,
  type LoggingLevel,
  type ServerCapabilities,
  type Transport,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { anySignal } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { defined, isObject, type JsonObject } from '../../../shared/base/json.ts';
import { JsonRecord } from '../../../shared/base/json-schema.ts';
import { VERSION } from '../../../shared/base/version.ts';
import { LINEAGE_METHOD, type Lineage } from '../../core/upstreams.ts';
import type { Logger } from '../../core/services.ts';
import { expectHeaders, fillVariables, type McpEntry } from '../config.ts';
import { environmentOf, type Cleaner, type OfferLists, type UpstreamTool } from '../answers.ts';
import { patientFetch } from '../patient-fetch.ts';
import { fetchSignedIn, type OAuthSession } from './oauth/session.ts';
import { fetchWithIntake, transportOf, tryFor, Intake } from './intake.ts';
import { REVISION, Sessionless } from './sessionless.ts';
import { BoundedLines, News, type Step, taskOf } from './news.ts';
import { reasonOf } from './failures.ts';
import { noteProcess, StdioTransport } from './stdio.ts';
import { type Pages, passElicitation, passPage, passSampling, type UpstreamCalls } from './questions.ts';

const CONNECT_TIMEOUT_MS = 30_000;
const PAGES_MAX = 100;
const TOOLS_MAX = 1_000;
/** A larger definition is left out: no model could use it. */
const TOOL_MAX_UNITS = 256 * 1_024;
/** A longer timer would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;
const OFFERS_MAX = 1_000;
const OFFER_MAX_UNITS = 16 * 1_024;
const CLOSE_MS = 1_300;
const TERMINATE_MS = 200;

/** Some servers write null after the last page. */
const Page = z.looseObject({ nextCursor: z.string().nullish() });
const Listed = z.array(z.unknown());
const Tool = z.looseObject({
  name: z.string().min(1).max(1_000),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: JsonRecord,
  outputSchema: JsonRecord.optional().catch(undefined),
  annotations: z
    .looseObject({
      title: z.string().optional().catch(undefined),
      readOnlyHint: z.boolean().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  execution: z
    .looseObject({ taskSupport: z.enum(['optional', 'required', 'forbidden']) })
    .optional()
    .catch(undefined),
});
const Reach = z.object({ ids: z.array(z.string()).max(200), home: z.string() });
const AnyResult = z.looseObject({});

const OUR_LEVEL = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
} as const satisfies Record<LoggingLevel, keyof Logger>;

export interface LinkOptions {
  readonly entry: McpEntry;
  /** The id that it is known by. */
  readonly id: string;
  readonly logger: Logger;
  readonly lineage: Lineage;
  /** For the server, to note started processes. */
  readonly home: string;
  /** Redacts its questions: everything secret or invisible. */
  readonly redact: Cleaner;
  /** It opens no sessions: it speaks only 2026-07-28. */
  readonly isNewEra: boolean;
  /** Null if no tokens are needed. */
  readonly session: OAuthSession | null;
  readonly calls: UpstreamCalls;
  readonly pages: Pages;
  readonly onListChange: () => void;
  /** The same of resources and prompts. */
  readonly onOffersChange: () => void;
  /** A followed resource has changed. */
  readonly onUpdate: (uri: string) => void;
  /** Called after a failure that may mean that it has ended. */
  readonly onTrouble: () => void;
  /** Called once, when the connection has ended. */
  readonly onEnd: () => void;
}

interface RequestOptions {
  /** Each ends the wait. */
  readonly signals: readonly AbortSignal[];
  /** Default: only the signals end the wait. */
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: Step) => void;
}

/** One connection to an upstream, from its start to its end. */
export class Link {
  readonly #client: Client;
  readonly news: News;
  readonly #transport: Transport;
  readonly #lines: BoundedLines;
  readonly #intake: Intake;
  /** Null for a server with sessions. */
  readonly #sessionless: Sessionless | null;
  #problem: string | null = null;
  #refusal: unknown;
  #hasEnded = false;
  isCut = false;

  /** @throws SpillwayError `invalid_argument` for a variable that is not set */
  constructor(private readonly options: LinkOptions) {
    const { entry, onListChange, onOffersChange, onUpdate } = options;
    this.#lines = new BoundedLines(options.redact, (line, level) => this.#log(line, level));
    this.#intake = new Intake(`The upstream ${options.id}`);
    this.#transport = this.#open();
    this.#intake.watch(this.#transport);
    const client = new Client(
      { name: 'spillway', version: VERSION },
      {
        capabilities: { elicitation: { form: {}, url: {} }, ...(entry.sampling ? { sampling: {} } : {}) },
        ...(options.isNewEra ? { versionNegotiation: { mode: { pin: REVISION } } } : {}),
      },
    );
    client.setNotificationHandler('notifications/tools/list_changed', onListChange);
    client.setNotificationHandler('notifications/resources/list_changed', onOffersChange);
    client.setNotificationHandler('notifications/prompts/list_changed', onOffersChange);
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => onUpdate(params.uri));
    client.setNotificationHandler('notifications/message', ({ params: { level, data } }) =>
      this.#lines.write(typeof data === 'string' ? data : JSON.stringify(data), level),
    );
    this.#takeQuestions(client);
    client.onerror = (error) => {
      this.#problem = reasonOf(error);
      options.onTrouble();
    };
    client.onclose = () => this.#end();
    this.#client = client;
    this.news = new News(client);
    const onMissed = (followed: Iterable<string>): void => {
      onListChange();
      onOffersChange();
      for (const uri of followed) onUpdate(uri);
    };
    this.#sessionless = options.isNewEra ? new Sessionless({ client, onMissed }) : null;
  }

  /** Why the connection has ended, if known: its last error, or the last line on stderr. */
  get problem(): string {
    const problem = this.#problem ?? this.#lines.last ?? 'the connection has ended';
    return this.options.redact.json(problem);
  }

  get #has(): ServerCapabilities {
    return this.#client.getServerCapabilities() ?? {};
  }

  get hasOffers(): boolean {
    return (this.#has.resources ?? this.#has.prompts) !== undefined;
  }

  get hasUpdates(): boolean {
    return this.#has.resources?.subscribe === true;
  }

  async connect(signal: AbortSignal): Promise<void> {
    const until = anySignal([signal]);
    await this.#client
      .connect(this.#transport, { timeout: CONNECT_TIMEOUT_MS, signal: until.signal })
      .catch((thrown: unknown) => {
        // Transports put `fetch` failures into their own words.
        throw this.#refusal ?? thrown;
      })
      .finally(until.release);
    this.#sessionless?.listen();
  }

  /**
   * Leaves out malformed or too large definitions.
   * @throws SpillwayError `upstream_loop` for a Spillway that leads back to this one
   */
  async list(signal: AbortSignal): Promise<readonly UpstreamTool[]> {
    await this.#expectNoLoop(signal);
    const listed = await this.#pages('tools/list', 'tools', TOOLS_MAX, signal);
    this.isCut = listed.length > TOOLS_MAX;
    const tools = listed.flatMap((tool) => this.#toolOf(tool)).slice(0, TOOLS_MAX);
    if (this.#sessionless !== null)
      this.#sessionless.inputs = new Map(tools.map(({ rawName, inputSchema }) => [rawName, inputSchema]));
    return tools;
  }

  async #expectNoLoop(signal: AbortSignal): Promise<void> {
    const { lineage } = this.options;
    if (this.#client.getServerVersion()?.name !== 'spillway') return;
    const how = { signals: [signal], timeoutMs: CONNECT_TIMEOUT_MS };
    const answer = await this.request(LINEAGE_METHOD, { ids: lineage.asking }, how).catch(
      (thrown: unknown) => {
        // A server without upstreams, or an older one, has no such method.
        if (thrown instanceof ProtocolError && thrown.code === ProtocolErrorCode.MethodNotFound) return null;
        throw thrown;
      },
    );
    if (answer !== null) lineage.leadsTo(this, Reach.parse(answer));
  }

  /** A malformed or too large entry is left out. */
  async offers(signal: AbortSignal): Promise<OfferLists> {
    const { resources, prompts } = this.#has;
    const list = async (has: unknown, method: string, member: string, key: string): Promise<JsonObject[]> => {
      if (has === undefined) return [];
      const entries = await this.#pages(method, member, OFFERS_MAX, signal);
      const fits = (entry: JsonObject): boolean =>
        typeof entry[key] === 'string' &&
        typeof entry['name'] === 'string' &&
        JSON.stringify(entry).length <= OFFER_MAX_UNITS;
      return entries.filter(isObject).filter(fits).slice(0, OFFERS_MAX);
    };
    return {
      resources: await list(resources, 'resources/list', 'resources', 'uri'),
      // A server may have resources but no such method.
      templates: await list(resources, 'resources/templates/list', 'resourceTemplates', 'uriTemplate').catch(
        () => [],
      ),
      prompts: await list(prompts, 'prompts/list', 'prompts', 'name'),
    };
  }

  async #pages(method: string, member: string, most: number, signal: AbortSignal): Promise<unknown[]> {
    const entries: unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < PAGES_MAX && entries.length <= most; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const answer = Page.parse(
        await this.request(method, params, { signals: [signal], timeoutMs: CONNECT_TIMEOUT_MS }),
      );
      entries.push(...Listed.parse(answer[member]));
      cursor = answer.nextCursor ?? undefined;
      if (cursor === undefined) break;
    }
    return entries;
  }

  /** Sends a request. @throws ProtocolError, SpillwayError for a too large answer, the connection's error */
  async request(method: string, params: JsonObject, how: RequestOptions): Promise<object> {
    const { signals, timeoutMs = TIMER_MAX_MS, onProgress } = how;
    // The SDK leaves its listener on the given signal.
    const until = anySignal(signals);
    const progress = onProgress === undefined ? null : this.news.ofProgress(onProgress);
    const sent = progress === null ? params : { ...params, _meta: { progressToken: progress.token } };
    const options = { signal: until.signal, timeout: timeoutMs };
    try {
      const special = this.#sessionless?.request(method, sent, options);
      return await (special ?? this.#client.request({ method, params: sent }, AnyResult, options));
    } catch (thrown) {
      // Our own message for a rejected answer.
      throw thrown instanceof ProtocolError && thrown.data instanceof SpillwayError ? thrown.data : thrown;
    } finally {
      progress?.stop();
      until.release();
    }
  }

  /** Whether a request failed at its sign-in, before it was sent. */
  isOfSignIn(thrown: unknown): boolean {
    return this.#refusal !== undefined && thrown === this.#refusal;
  }

  /** Ends it, and the process behind it. Idempotent. */
  async close(): Promise<void> {
    this.#sessionless?.end();
    const transport = this.#transport;
    if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined)
      await tryFor(TERMINATE_MS, transport.terminateSession());
    await tryFor(CLOSE_MS, this.#client.close());
    // A transport that failed before the client's own end.
    await tryFor(CLOSE_MS, transport.close());
    this.#end();
  }

  #takeQuestions(client: Client): void {
    const { entry, id, calls, pages, redact, logger } = this.options;
    const log = (why: string): void => logger.info({ upstream: id }, why);
    const questionOf = ({ mcpReq }: ClientContext) => ({
      ...{ id, calls, pages, redact, log, signal: mcpReq.signal },
      taskId: taskOf(mcpReq._meta),
    });
    client.setRequestHandler('elicitation/create', async ({ params }, context) =>
      'requestedSchema' in params
        ? passElicitation(questionOf(context), params)
        : // Only sessions identify a page.
          passPage(questionOf(context), { ...params, elicitationId: params.elicitationId ?? randomUUID() }),
    );
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
      pages.noteCompleted(params.elicitationId),
    );
    if (entry.sampling)
      client.setRequestHandler('sampling/createMessage', async ({ params }, context) =>
        passSampling(questionOf(context), params),
      );
  }

  /** A call's line goes to its client, too, at the level that the client has requested. */
  #log(line: string, level: LoggingLevel | null): void {
    const { id, calls, logger } = this.options;
    const call = level === null ? undefined : calls.asking();
    if (level === null || call === undefined)
      logger.info({ upstream: id }, level === null ? line : `${level}: ${line}`);
    else call.context.logger[OUR_LEVEL[level]]({ upstream: id, level }, line);
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.news.end();
    this.options.lineage.forget(this);
    this.options.onEnd();
  }

  #open(): Transport {
    const { entry, id } = this.options;
    const where = `upstream ${id}`;
    if ('command' in entry) {
      const env = environmentOf(fillVariables(entry.env, `${where}: env`), process.env);
      const { command, args, cwd } = entry;
      const onErrorLine = (line: string): void => this.#lines.write(line);
      const onStart = (pid: number): (() => void) => noteProcess(this.options.home, pid);
      return new StdioTransport({ command, args, cwd, env, onErrorLine, onStart, intake: this.#intake });
    }
    const headers = fillVariables(entry.headers, `${where}: headers`);
    expectHeaders(headers, `${where}: headers`);
    const { session } = this.options;
    const onRefused = (failure: unknown): void => void (this.#refusal = failure);
    const fetch = fetchWithIntake(
      this.#intake,
      session === null ? patientFetch : fetchSignedIn(session, { send: patientFetch, onRefused }),
    );
    return transportOf(entry, { headers, fetch });
  }

  #toolOf(value: unknown): readonly UpstreamTool[] {
    const { id, logger } = this.options;
    const { data, success } = Tool.safeParse(value);
    if (!success || JSON.stringify(data).length > TOOL_MAX_UNITS) {
      const name = isObject(value) ? String(value['name']).slice(0, 80) : '';
      logger.warn(
        { upstream: id, tool: name },
        'a tool of an upstream is malformed or too large, and is left out',
      );
      return [];
    }
    const { name, title = data.annotations?.title, description = '', inputSchema, outputSchema } = data;
    const takesTasks = this.#has.tasks?.requests?.tools?.call !== undefined;
    return [
      {
        rawName: name,
        description,
        inputSchema,
        ...defined({ title, outputSchema }),
        isReadOnly: data.annotations?.readOnlyHint === true,
        taskSupport: (takesTasks ? data.execution?.taskSupport : undefined) ?? 'forbidden',
      },
    ];
  }
}
