import { z } from 'zod';
import { onAbort } from '../../shared/base/async.ts';
import { isJsonList } from '../../shared/base/json.ts';
import type { LogLine, LogSource } from '../core/services.ts';
import { clean, clipClean, type CleanJson, type CleanRecord } from '../libraries/redaction/clean.ts';

/** The protocol's levels, from the least severe on. */
export const LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;
type Level = (typeof LEVELS)[number];

/** `params` of `logging/setLevel`. */
export const LevelParams = z.object({ level: z.enum(LEVELS) });

const LEVEL_OF = { debug: 'debug', info: 'info', warn: 'warning', error: 'error' } as const;

/** The number of lines that may arrive at once, and then per second. */
const BURST_LINES = 50;
const LINES_PER_SECOND = 10;
const TEXT_LENGTH = 2_000;

interface SessionLogOptions {
  readonly source: LogSource;
  /** Loggers whose lines a client receives at its own level; from the server's own only warnings, without facts. */
  readonly sessionId: string;
  readonly signal: AbortSignal;
  /** `callId` is the call with whose answer the line is sent, if any. */
  readonly send: (
    params: { readonly level: Level; readonly logger: string; readonly data: CleanRecord },
    callId: string | undefined,
  ) => Promise<void>;
}

/**
 * Forwards the server's log to a client. It is a courtesy: a line that cannot be sent is dropped, and nothing
 * waits for it.
 */
export class SessionLog {
  #from = LEVELS.indexOf('warning');
  #isAsked = false;
  #room = BURST_LINES;
  #filledAt = performance.now();
  #dropped = 0;
  /** Lines keep their order. */
  #sent: Promise<void> = Promise.resolve();

  constructor(private readonly options: SessionLogOptions) {
    const stop = options.source.onLine((line) => this.#hear(line));
    onAbort(options.signal, stop);
  }

  setLevel(level: Level): void {
    this.#isAsked = true;
    this.#from = LEVELS.indexOf(level);
  }

  #hear({ level, facts, message }: LogLine): void {
    const { session, callId, upstream, said } = originOf(facts);
    if (session !== undefined && session !== this.options.sessionId) return;
    if (session === undefined && level !== 'warn' && level !== 'error') return;
    const shown = said ?? LEVEL_OF[level];
    if (LEVELS.indexOf(shown) < this.#from || !this.#admit()) return;
    const left = this.#dropped;
    this.#dropped = 0;
    // Facts without a session may belong to another one: its handles, its addresses.
    const own = session === undefined ? {} : shortFacts(facts);
    const data = { message, ...own, ...(left === 0 ? {} : { lines_left_out: left }) };
    const send = async (): Promise<void> => {
      // The body of a response is bounded: messages that were not requested are sent outside it.
      const related = this.#isAsked ? callId : undefined;
      await this.options.send({ level: shown, logger: upstream ?? 'spillway', data }, related);
    };
    // A disconnected client receives nothing.
    this.#sent = this.#sent.then(send).catch(() => undefined);
  }

  /** A bucket that refills: a flood of lines is counted, not sent. */
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
function originOf(facts: CleanRecord) {
  const { client: session, call_id: callId, upstream, level: said } = Origin.parse(facts);
  const isOfUpstream = session !== undefined && upstream !== undefined && said !== undefined;
  return { session, callId, ...(isOfUpstream ? { upstream, said } : {}) };
}

/** Facts for a client: bounded, without the owner and without stacks. */
const shortFacts = ({ client: _client, call_id: _callId, ...facts }: CleanRecord): CleanRecord =>
  Object.fromEntries(Object.entries(facts).map(([key, fact]) => [key, shorten(fact ?? null)]));

function shorten(fact: CleanJson): CleanJson {
  if (typeof fact === 'string') return clipClean(fact, TEXT_LENGTH);
  if (typeof fact !== 'object' || fact === null) return fact;
  const shown = isJsonList(fact) ? fact : withoutStack(fact);
  return JSON.stringify(shown).length <= TEXT_LENGTH ? shown : clean`…`;
}

const withoutStack = ({ stack: _stack, cause: _cause, ...rest }: CleanRecord): CleanRecord => rest;
