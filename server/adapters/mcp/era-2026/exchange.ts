import type { CallToolResult, InputRequest } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { deferred, waitAtMost, withTimeout } from '../../../../shared/async.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import type { ToolCall } from '../../../core/calls/call.ts';
import type { PersonPage } from '../../../core/context.ts';
import { progressText } from '../tools.ts';
import type { SessionOfCall } from './sessions.ts';

/** A question to the client. An answer that does not match its schema leaves it open. */
interface Question<Response> {
  readonly request: InputRequest;
  readonly response: z.ZodType<Response>;
  readonly timeoutMs: number;
}

interface Open {
  readonly request: InputRequest;
  take(given: unknown): boolean;
  fail(reason: unknown): void;
}

type Report = NonNullable<ToolCall['progress']>;

type Outcome = { readonly result: CallToolResult } | { readonly error: unknown };

/**
 * One call, over as many requests as it takes: in this era a server asks its client in an answer, and the
 * client repeats the call with its reply. The work itself is done once, and waits meanwhile.
 */
export class Exchange {
  /** Any client that knows it may answer, so it cannot be guessed, and is valid for one round. */
  state = '';
  readonly startedAt = new Date();
  changedAt = this.startedAt;
  message: string | undefined;
  /** Pages that have to be opened before the call is repeated. */
  required: readonly PersonPage[] = [];
  /** The progress for the request that waits; a task has none. */
  onProgress: Report | null = null;
  readonly #cancel = new AbortController();
  readonly signal = this.#cancel.signal;
  readonly #open = new Map<string, Open>();
  #asked = 0;
  outcome: Outcome | null = null;
  #news = deferred<void>();

  get questions(): Record<string, InputRequest> {
    return Object.fromEntries([...this.#open].map(([key, { request }]) => [key, request]));
  }

  /** Settles when the work has ended, however it ended. */
  async run(work: () => Promise<CallToolResult>): Promise<void> {
    try {
      this.outcome = { result: await work() };
    } catch (error) {
      this.outcome = { error };
    }
    this.#changed();
    this.#news.resolve();
  }

  readonly report: Report = (progress, output) => {
    this.message = progressText(progress);
    this.#changed();
    this.onProgress?.(progress, output);
  };

  /** @throws SpillwayError `human_input_expired`, `human_unreachable`; the reason of the signal */
  async ask<Response>(question: Question<Response>, signal: AbortSignal): Promise<Response> {
    const { request, response, timeoutMs } = question;
    if (this.outcome !== null) throw unreachable();
    const answer = deferred<Response>();
    this.#asked += 1;
    const key = `q${this.#asked}`;
    const take = (given: unknown): boolean => {
      const parsed = response.safeParse(given);
      if (parsed.success) answer.resolve(parsed.data);
      return parsed.success;
    };
    this.#open.set(key, { request, take, fail: answer.reject });
    this.#changed();
    this.#news.resolve();
    const expired = (): Error => new SpillwayError('human_input_expired', 'Nobody answered in time.');
    return withTimeout(answer.promise, timeoutMs, expired, signal).finally(() => this.#close(key));
  }

  /** Takes the expected answers and ignores the rest. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    for (const [key, given] of Object.entries(responses))
      if (this.#open.get(key)?.take(given) === true) this.#close(key);
  }

  /** Ends the questions that no request will show again. */
  leave(): void {
    for (const { fail } of this.#open.values()) fail(unreachable());
    this.#open.clear();
  }

  /** Resolves when the work has ended, when the client is asked, or after a time. */
  async next(timeoutMs = Infinity): Promise<void> {
    await waitAtMost(this.#news.promise, timeoutMs);
  }

  cancel(reason: unknown): void {
    this.#cancel.abort(reason);
    this.#changed();
  }

  #close(key: string): void {
    if (!this.#open.delete(key)) return;
    this.#changed();
    if (this.#open.size === 0 && this.outcome === null) this.#news = deferred();
  }

  #changed(): void {
    this.changedAt = new Date();
  }
}

const unreachable = (): SpillwayError =>
  new SpillwayError('human_unreachable', 'The call has been answered, so its client can show no more.');

/** A call whose work has begun. */
export interface Begun {
  readonly exchange: Exchange;
  readonly call: ToolCall;
  readonly ended: Promise<void>;
  readonly given: SessionOfCall;
}
