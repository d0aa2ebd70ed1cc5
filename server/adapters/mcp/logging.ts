import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { parseJson, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { LogLine, LogSource } from '../../core/log-feed.ts';
import { clip } from '../../core/calls/notes.ts';
import { onAbort } from '../../../shared/async/abort.ts';

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

export const LevelParams = z.object({ level: z.enum(LEVELS) });

const LEVEL_OF = { debug: 'debug', info: 'info', warn: 'warning', error: 'error' } as const;

/** What holds before a client has said what it wants to hear. */
const FIRST_LEVEL: LoggingLevel = 'warning';
/** So many lines may come at once, and so many a second after that. */
const BURST_LINES = 50;
const LINES_PER_SECOND = 10;
const TEXT_LENGTH = 2_000;
const FACTS_MAX = 32;

export interface SessionLogOptions {
  readonly source: LogSource;
  /** Whose lines are heard at the client's level; of the server's own only warnings, without facts. */
  readonly sessionId: string;
  readonly signal: AbortSignal;
  /** `callId` is the call with whose answer the line goes, if any. */
  readonly send: (
    params: { readonly level: LoggingLevel; readonly logger: string; readonly data: JsonObject },
    callId: string | undefined,
  ) => Promise<void>;
}

/**
 * What a client hears of the server's log. It is a courtesy: a line that cannot be redacted or sent
 * is dropped, and nothing waits for it.
 */
export class SessionLog {
  readonly #options: SessionLogOptions;
  #from = LEVELS.indexOf(FIRST_LEVEL);
  /** Whether the client has said what it wants to hear. */
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
    const { session, call_id: callId, ...rest } = Lines.parse(facts);
    if (session !== undefined && session !== this.#options.sessionId) return;
    if (session === undefined && level !== 'warn' && level !== 'error') return;
    if (LEVELS.indexOf(LEVEL_OF[level]) < this.#from || !this.#admit()) return;
    const left = this.#dropped;
    this.#dropped = 0;
    // Facts of no session may be those of another: its handles, its addresses.
    const own = session === undefined ? {} : toJson(rest);
    const data = { message, ...own, ...(left === 0 ? {} : { lines_left_out: left }) };
    const send = async (): Promise<void> => {
      const redacted = await this.#options.source.redact(data);
      // The body of an answer is bounded: what nobody asked for is sent beside it.
      const beside = this.#isAsked ? callId : undefined;
      await this.#options.send({ level: LEVEL_OF[level], logger: 'spillway', data: redacted }, beside);
    };
    // A client that has gone hears nothing.
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

/** Facts of a line, with those that say whose it is. */
const Lines = z.looseObject({
  session: z.string().optional().catch(undefined),
  call_id: z.string().optional().catch(undefined),
});

/** The facts that are short and plain; of an error its name, code and message. */
function toJson(facts: Readonly<Record<string, unknown>>): JsonObject {
  const entries = Object.entries(facts).slice(0, FACTS_MAX);
  return Object.fromEntries(entries.map(([key, fact]) => [key, plain(fact)]));
}

function plain(fact: unknown): JsonValue {
  if (fact === null || typeof fact === 'boolean') return fact;
  if (typeof fact === 'number') return Number.isFinite(fact) ? fact : null;
  if (typeof fact === 'string') return clip(fact, TEXT_LENGTH);
  if (fact instanceof Error) {
    const code: unknown = 'code' in fact ? fact.code : undefined;
    return {
      name: fact.name,
      ...(typeof code === 'string' ? { code } : {}),
      message: clip(fact.message, TEXT_LENGTH),
    };
  }
  try {
    const text: unknown = JSON.stringify(fact);
    return typeof text === 'string' && text.length <= TEXT_LENGTH ? parseJson(text) : '…';
  } catch {
    return '…';
  }
}
