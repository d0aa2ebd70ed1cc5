import * as z from 'zod/mini';
import { onAbort } from '../../../shared/async/abort.ts';
import { withTimeout } from '../../../shared/async/wait.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { JsonValue } from '../../../shared/json.ts';
import type { DebuggerLease } from '../../background/chromium/debugger/sessions.ts';
import { quotePage } from '../../background/pages/targets.ts';
import { GROUP, type Scope } from './scope.ts';

const Called = z.object({
  result: z.object({
    type: z.string(),
    value: z.optional(z.unknown()),
    unserializableValue: z.optional(z.string()),
  }),
  exceptionDetails: z.optional(
    z.object({
      text: z.string(),
      exception: z.optional(
        z.object({ description: z.optional(z.string()), value: z.optional(z.unknown()) }),
      ),
    }),
  ),
});

/** Longer than that, a page that was asked for nothing is busy. */
const PROBE_MS = 500;
/** How long what was stopped may take to end. */
const STOP_MS = 2_000;
/** The call is waited for longer than the function, so that its own end comes first. */
const CALL_MS = 5_000;
const MESSAGE_UNITS = 500;
/** The browser's message about a function whose document went away. */
const LEFT =
  /context was destroyed|navigated or closed|cannot find context|could not find object|session with given id/i;

interface Running {
  readonly lease: DebuggerLease;
  readonly code: string;
  readonly args: readonly JsonValue[];
  readonly timeout_ms: number;
  /** A dialog of the page waits for an answer: the page is not busy. */
  readonly isAsked: () => boolean;
  readonly signal: AbortSignal;
}

/** The value of a function as JSON, and its type. */
interface Value {
  readonly text: string;
  readonly type: string;
}

/**
 * Calls a function in the page, and stops it at the end of its time. The browser itself waits for promises and writes
 * the value, so that what a page made of `Promise` and `JSON` plays no part.
 *
 * @throws SpillwayError `evaluate_failed`, `page_changed`, `page_unresponsive`, and of the lost attachment
 */
export async function runFunction(scope: Scope, running: Running): Promise<Value> {
  const { lease, timeout_ms: timeoutMs, signal } = running;
  const send: Send = (method, params = {}, waitMs = LIMITS.pageResponseTimeoutMs) =>
    lease.send(method, params, { sessionId: scope.session, timeoutMs: waitMs });
  const stopper = new Stopper(send, running.isAsked);
  const unwatch = lease.onEvent((event) => {
    if (event.sessionId === scope.session && event.method === 'Debugger.paused') stopper.resume();
  });
  let unlisten = (): void => undefined;
  const late = (): SpillwayError =>
    new SpillwayError('evaluate_failed', `The function did not end within ${timeoutMs} ms, and was stopped.`);
  try {
    await send('Debugger.enable', { maxScriptsCacheSize: 0 });
    signal.throwIfAborted();
    unlisten = onAbort(signal, () => void stopper.stop());
    const called = send('Runtime.callFunctionOn', callOf(scope, running), timeoutMs + CALL_MS);
    return valueOf(Called.parse(await withTimeout(called, timeoutMs, late, signal)));
  } catch (thrown) {
    const error = toSpillwayError(thrown);
    if (error.code === 'evaluate_failed') await stopper.stop();
    throw error.code === 'internal_error' ? failure(error) : error;
  } finally {
    unlisten();
    await stopper.ended;
    unwatch();
    for (const [method, params] of [
      ['Debugger.disable', {}],
      ['Runtime.releaseObjectGroup', { objectGroup: GROUP }],
    ] as const)
      send(method, params).catch(() => undefined);
  }
}

type Send = (method: string, params?: object, timeoutMs?: number) => Promise<Record<string, unknown>>;

/**
 * The arguments are a part of the function: on their way through the extension's API objects would lose what is null, and
 * the page may have changed how a text is parsed. As a member of an object literal, `__proto__` would not be one.
 */
function callOf({ within, element }: Scope, { code, args }: Running): object {
  const given = args.map((arg) => JSON.stringify(arg).replaceAll('"__proto__":', '["__proto__"]:'));
  const all = [...(element === null ? [] : ['element']), ...given].join(', ');
  return {
    functionDeclaration: `function (element) { return (${code}\n)(${all}); }`,
    objectId: within,
    arguments: element === null ? [] : [{ objectId: element }],
    objectGroup: GROUP,
    awaitPromise: true,
    returnByValue: true,
  };
}

/**
 * Ends what runs in a page. The browser lets an extension terminate a script only where it has paused, so the Debugger
 * domain is enabled meanwhile, and what pauses for another reason is resumed.
 */
class Stopper {
  readonly #send: Send;
  readonly #isAsked: () => boolean;
  #isStopping = false;
  /** Resolves when the page is left as it is. */
  ended: Promise<void> = Promise.resolve();

  constructor(send: Send, isAsked: () => boolean) {
    this.#send = send;
    this.#isAsked = isAsked;
  }

  resume(): void {
    this.#send('Debugger.resume', { terminateOnResume: this.#isStopping }).catch(() => undefined);
  }

  /** Of a function that only waits nothing is left to end, and the next script of the page must not be. */
  stop(): Promise<void> {
    this.ended = this.#stop().catch(() => undefined);
    return this.ended;
  }

  async #stop(): Promise<void> {
    if (this.#isAsked()) return;
    if (await this.#isAnswering(PROBE_MS)) return;
    this.#isStopping = true;
    await this.#send('Debugger.pause', {}, STOP_MS);
    await this.#isAnswering(STOP_MS);
    this.#isStopping = false;
  }

  #isAnswering(timeoutMs: number): Promise<boolean> {
    return this.#send('Runtime.evaluate', { expression: '0' }, timeoutMs).then(
      () => true,
      (thrown: unknown) => toSpillwayError(thrown).code !== 'page_unresponsive',
    );
  }
}

/** @throws SpillwayError `evaluate_failed` */
function valueOf({ result, exceptionDetails: thrown }: z.infer<typeof Called>): Value {
  if (thrown !== undefined) {
    const { description, value } = thrown.exception ?? {};
    const reason = description?.replace(/\n\s+at [\s\S]*$/, '') ?? JSON.stringify(value) ?? thrown.text;
    throw new SpillwayError('evaluate_failed', `The function threw ${quotePage(reason, MESSAGE_UNITS)}.`);
  }
  const { type, value, unserializableValue } = result;
  if (unserializableValue !== undefined) return { text: JSON.stringify(unserializableValue), type };
  const text = JSON.stringify(value) ?? JSON.stringify(type);
  if (text.length > LIMITS.outputInlineMaxBytes)
    throw new SpillwayError(
      'evaluate_failed',
      `The value has ${text.length} characters of JSON; at most ${LIMITS.outputInlineMaxBytes} are returned.`,
    );
  return { text, type };
}

/** The browser's reason for a refusal, in its words. */
function failure(error: SpillwayError): SpillwayError {
  if (LEFT.test(error.message))
    return new SpillwayError('page_changed', 'The page navigated before the function ended.', {
      cause: error,
    });
  const reason = error.message.replace(/^.*? failed: /, '');
  return new SpillwayError(
    'evaluate_failed',
    `The browser refused the function: ${quotePage(reason, MESSAGE_UNITS)}.`,
    {
      cause: error,
    },
  );
}
