import { z } from 'zod';
import {
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  type CreateMessageRequestParams,
  type CreateMessageResult,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
} from '@modelcontextprotocol/client';
import { BoundedMap } from '../../../shared/base/maps.ts';
import { cut } from '../../../shared/base/cut.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { parseUrl } from '../../../shared/base/private-address.ts';
import type { PersonPage, PersonPages, CallContext } from '../../core/context.ts';
import { type Cleaner, redactBlock, type UpstreamCleaners } from '../answers.ts';
import { anySignal } from '../../../shared/base/async.ts';
import { defined, isObject, type JsonObject } from '../../../shared/base/json.ts';
import { JsonRecord } from '../../../shared/base/json-schema.ts';
import type { CleanRecord } from '../../libraries/redaction/clean.ts';

/** How long work may stay active without news. */
const SAME_MAX_MS = 60 * 60_000;
const LATE = new SdkError(SdkErrorCode.RequestTimeout, 'The call took too long.');

/** The time limit of one call: each step restarts it, and it pauses while a person or a model is asked. */
export class Countdown {
  readonly #over = new AbortController();
  readonly signal: AbortSignal = this.#over.signal;
  #timer: NodeJS.Timeout | undefined;
  #holds = 0;
  #isStopped = false;
  /** Time of the last news that differed from before. */
  #newsAt = 0;

  constructor(private readonly timeoutMs: number) {
    this.restart();
  }

  restart(): void {
    this.#newsAt = performance.now();
    this.#restart();
  }

  /** The work is still active, which also restarts the time, for an hour. */
  extend(): void {
    if (performance.now() - this.#newsAt < SAME_MAX_MS) this.#restart();
  }

  #restart(): void {
    if (this.#holds > 0 || this.#isStopped) return;
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#over.abort(LATE), this.timeoutMs);
    else this.#timer.refresh();
  }

  /** Pauses the time. Returns a function that restarts it from the beginning. */
  hold(): () => void {
    this.#holds += 1;
    this.#clear();
    return () => {
      this.#holds -= 1;
      this.restart();
    };
  }

  stop(): void {
    this.#isStopped = true;
    this.#clear();
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

const ASKED_MAX = 10;

/** A call that the upstream has not answered yet. */
export interface UpstreamCall {
  readonly context: CallContext;
  readonly countdown: Countdown;
  /** The upstream has made a task of it. */
  taskId?: string;
}

interface WaitingClient {
  readonly calls: Set<UpstreamCall>;
  /** Aborts when its last call has ended: it is asked nothing more. */
  readonly over: AbortController;
  asked: number;
}

/**
 * The calls that an upstream has not answered. Except for tasks, MCP does not say which of them a question or
 * a log line belongs to. So others go to a client only while no other client has calls pending: no client
 * sees the subject of another's call.
 */
export class UpstreamCalls {
  readonly #clients = new Map<string, WaitingClient>();

  /** Returns a function to call when the call has ended. */
  begin(call: UpstreamCall): () => void {
    const { id } = call.context.session;
    const client = this.#clients.get(id) ?? { calls: new Set(), over: new AbortController(), asked: 0 };
    this.#clients.set(id, client);
    client.calls.add(call);
    return () => {
      client.calls.delete(call);
      if (client.calls.size > 0) return;
      client.over.abort(new Error('the call has ended'));
      this.#clients.delete(id);
    };
  }

  /**
   * The call that a question belongs to: the one of its task, else the newest of the only waiting client;
   * undefined with none, or with several clients.
   */
  asking(taskId?: string): UpstreamCall | undefined {
    const clients = [...this.#clients.values()].map(({ calls }) => [...calls]);
    const ofTask = taskId && clients.flat().find((call) => call.taskId === taskId);
    return ofTask || (clients.length === 1 ? clients[0]?.at(-1) : undefined);
  }

  /**
   * Asks the client of a call while the upstream waits and the client has calls pending, whose time pauses
   * meanwhile.
   * @throws Refusal if it was asked too often
   */
  async ask<T>(
    { context }: UpstreamCall,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const client = this.#clients.get(context.session.id);
    if (client === undefined || (client.asked += 1) > ASKED_MAX)
      throw new QuestionRefusal('The client was asked too often.');
    const both = anySignal([signal, client.over.signal]);
    const releases = [...client.calls].map(({ countdown }) => countdown.hold());
    try {
      return await work(both.signal);
    } finally {
      for (const release of releases) release();
      both.release();
    }
  }
}

/** Nobody can be asked. */
class QuestionRefusal extends ProtocolError {
  constructor(why: string) {
    super(ProtocolErrorCode.InvalidRequest, why);
  }
}

const MESSAGE_UNITS = 4_000;
const ADDRESS_UNITS = 4_096;
const OPEN_MAX = 100;
const REQUIRED_MAX = 5;

const Wanted = z.object({
  message: z.string(),
  url: z.string().max(ADDRESS_UNITS),
  elicitationId: z.string().min(1).max(200),
});
const Required = z.object({ elicitations: z.array(Wanted).min(1).max(REQUIRED_MAX) });

/** Pages that an upstream wants people to open, and the clients that have shown them. */
export class Pages {
  readonly #shown = new BoundedMap<string, PersonPages>(OPEN_MAX);

  constructor(private readonly options: UpstreamCleaners & { readonly id: string }) {}

  /** A page in the form for a person; null for an address that must not be opened. */
  pageOf(given: unknown): PersonPage | null {
    const { data } = Wanted.safeParse(given);
    const address = data === undefined ? null : addressOf(data.url);
    if (data === undefined || address === null) return null;
    const { id, redact, redactOwn } = this.options;
    // An address has to stay whole; a credential of its entry in it would be shown, and kept in a history.
    if (redactOwn.json(address.href) !== address.href) return null;
    const shown = cut(redact.json(data.message), MESSAGE_UNITS);
    return {
      id: this.#idOf(data.elicitationId),
      message: `The upstream "${id}" (not Spillway) asks you to open a page of ${address.host}: ${shown}`,
      url: address.href,
    };
  }

  keep({ id }: PersonPage, by: PersonPages): void {
    this.#shown.set(id, by);
  }

  /** The upstream reports that a page's purpose has been served. */
  noteCompleted(elicitationId: string): void {
    const id = this.#idOf(elicitationId);
    this.#shown.get(id)?.completed(id);
    this.#shown.delete(id);
  }

  /** The failure of a call that needs pages first; null if one of them must not be opened. */
  askPages(data: unknown, by: PersonPages | undefined): SpillwayError | null {
    const wanted = Required.safeParse(data).data?.elicitations ?? [];
    const pages = wanted.map((each) => this.pageOf(each)).filter((page) => page !== null);
    const [first] = pages;
    if (first === undefined || pages.length < wanted.length) return null;
    if (by !== undefined) {
      for (const page of pages) this.keep(page, by);
      by.require(pages);
    }
    const addresses = pages.map(({ url }) => url).join(' and ');
    return new SpillwayError('upstream_page_required', first.message, {
      hint: `Ask the person to open ${addresses} if they trust it, and call again when they have. Do not open it yourself.`,
    });
  }

  #idOf(elicitationId: string): string {
    return `${this.options.id}/${elicitationId}`;
  }
}

/** An address that a person can judge: http or https, and no user name that looks like a host. */
function addressOf(url: string): URL | null {
  const address = parseUrl(url);
  const isPlain = address?.username === '' && address.password === '';
  return isPlain && ['http:', 'https:'].includes(address.protocol) ? address : null;
}

const FORM_UNITS = 32 * 1_024;
const PROMPT_UNITS = 256 * 1_024;
const TOKENS_MAX = 4_096;
const CAUSE_LENGTH = 200;

/** An upstream's request, and what it takes to pass it on. */
interface Question {
  readonly id: string;
  readonly calls: UpstreamCalls;
  readonly redact: Cleaner;
  readonly pages: Pages;
  readonly log: (why: string) => void;
  /** Ends when the upstream withdraws the request. */
  readonly signal: AbortSignal;
  /** The task that it belongs to, by the upstream's statement. */
  readonly taskId: string | undefined;
}

const Content = z.custom<NonNullable<ElicitResult['content']>>();
const Sampled = z.custom<CreateMessageResult>();
const unitsOf = (value: unknown): number => JSON.stringify(value).length;

/**
 * Passes a request to the client whose call is pending.
 * @param ask makes the client's question. It throws a `Refusal` if the client cannot be asked
 */
async function pass<T>(
  { calls, log, signal, taskId }: Question,
  ask: (context: CallContext) => (until: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    const call = calls.asking(taskId);
    if (call === undefined) throw new QuestionRefusal('It is not clear which client this request is for.');
    return await calls.ask(call, signal, ask(call.context));
  } catch (thrown) {
    log(`its request was not answered: ${cut(messageOf(thrown), CAUSE_LENGTH)}`);
    throw thrown;
  }
}

/** The upstream continues without an answer. */
const buildUnanswered = (thrown: unknown): ElicitResult => ({
  action: thrown instanceof QuestionRefusal ? 'decline' : 'cancel',
});

/** An upstream's question to the person behind the client whose call is pending. */
export function passElicitation(question: Question, params: ElicitRequestFormParams): Promise<ElicitResult> {
  const { id, redact } = question;
  return pass(question, ({ askPerson }) => {
    if (askPerson === undefined) throw new QuestionRefusal('The client cannot ask its person.');
    if (unitsOf(params.requestedSchema) > FORM_UNITS) throw new QuestionRefusal('Its form is too large.');
    const given = JsonRecord.parse(params.requestedSchema);
    const shown: CleanRecord = redact.json({ message: params.message, schema: given });
    const message = `The upstream "${id}" (not Spillway) asks: ${cut(String(shown['message']), MESSAGE_UNITS)}`;
    const schema = JsonRecord.parse(shown['schema']);
    return async (until): Promise<ElicitResult> => {
      const reply = await askPerson({ message, schema }, until);
      if (reply.action !== 'accept') return { action: reply.action };
      const { properties } = given;
      const wanted = isObject(properties) ? Object.keys(properties) : [];
      const content = Object.fromEntries(
        Object.entries(reply.content).filter(([key]) => wanted.includes(key)),
      );
      if (unitsOf(content) > FORM_UNITS) throw new QuestionRefusal('The answer is too large.');
      return { action: 'accept', content: Content.parse(content) };
    };
  }).catch(buildUnanswered);
}

/**
 * A page that an upstream wants the person behind the client to open. The client asks its person; nothing
 * opens the page by itself.
 */
export function passPage(question: Question, params: ElicitRequestURLParams): Promise<ElicitResult> {
  const { pages } = question;
  return pass(question, ({ pages: shows }) => {
    if (shows === undefined) throw new QuestionRefusal('The client shows no pages.');
    const page = pages.pageOf(params);
    if (page === null) throw new QuestionRefusal('Its address must not be opened.');
    return async (until): Promise<ElicitResult> => {
      // It may be done before the client reports that it was opened.
      pages.keep(page, shows);
      return { action: await shows.ask(page, until) };
    };
  }).catch(buildUnanswered);
}

/**
 * An upstream's request to the client's model. It contains only the upstream's words, and nothing of the
 * conversation or of other servers. @throws ProtocolError if no client answers
 */
export function passSampling(
  question: Question,
  params: CreateMessageRequestParams,
): Promise<CreateMessageResult> {
  const { id, redact } = question;
  return pass(question, ({ sample, leaves }) => {
    if (sample === undefined) throw new QuestionRefusal('The client lends no model.');
    if (params.tools !== undefined || params.toolChoice !== undefined)
      throw new QuestionRefusal('Tools are not passed to the model.');
    if (unitsOf(params) > PROMPT_UNITS) throw new QuestionRefusal('The request is too large.');
    const { systemPrompt = '', messages, maxTokens, temperature } = params;
    const { stopSequences, modelPreferences } = params;
    const shown: CleanRecord = redact.json({ systemPrompt, stopSequences, modelPreferences });
    const request: JsonObject = {
      systemPrompt: `The server "${id}" wrote this request, and no person has read it. ${String(shown['systemPrompt'])}`,
      maxTokens: Math.min(maxTokens, TOKENS_MAX),
      ...defined({ temperature }),
      ...defined({ stopSequences: shown['stopSequences'], modelPreferences: shown['modelPreferences'] }),
    };
    return async (until): Promise<CreateMessageResult> => {
      const asked = messages.map(async (message) => ({
        role: message.role,
        content: await redactContent(message.content, redact),
      }));
      const given = await sample({ messages: await Promise.all(asked), ...request }, until);
      const { role, model, stopReason } = given;
      const content = await redactContent(given.content, redact);
      const answer = { role, model, content, ...defined({ stopReason }) };
      if (unitsOf(answer) > PROMPT_UNITS) throw new QuestionRefusal('The answer is too large.');
      await leaves(`upstream://${id}`, JSON.stringify(content)).catch((thrown: unknown) => {
        throw new QuestionRefusal(messageOf(thrown));
      });
      return Sampled.parse(answer);
    };
  }).catch((thrown: unknown) => {
    throw thrown instanceof QuestionRefusal
      ? thrown
      : new QuestionRefusal('The client did not answer the request.');
  });
}

function redactContent(content: unknown, redact: Cleaner): Promise<JsonObject | JsonObject[]> {
  const one = (block: unknown): Promise<JsonObject> => redactBlock(JsonRecord.parse(block), redact);
  return Array.isArray(content) ? Promise.all(content.map(one)) : one(content);
}
