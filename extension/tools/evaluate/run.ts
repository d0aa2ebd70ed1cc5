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

/** A page that does not answer an empty request this long is busy. */
const PROBE_MS = 500;
/** How long a stopped script may take to end. */
const STOP_MS = 2_000;
/** Waits longer than the function may run, so that its own end comes first. */
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
 * Calls a function in the page, and stops it at its time limit. The browser itself awaits promises and serialises the
 * value, so a page's changes to `Promise` and `JSON` have no effect.
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
 * The arguments are part of the function's source: objects passed through the extension's API would lose null members,
 * and the page may have changed `JSON.parse`. In an object literal, `__proto__` would not be a member.
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
 * Stops a script in a page. The browser lets an extension terminate a script only where it has paused, so the Debugger
 * domain is enabled meanwhile, and pauses for another reason are resumed.
 */
class Stopper {
  readonly #send: Send;
  readonly #isAsked: () => boolean;
  #isStopping = false;
  /** Resolves when the page is no longer touched. */
  ended: Promise<void> = Promise.resolve();

  constructor(send: Send, isAsked: () => boolean) {
    this.#send = send;
    this.#isAsked = isAsked;
  }

  resume(): void {
    this.#send('Debugger.resume', { terminateOnResume: this.#isStopping }).catch(() => undefined);
  }

  /** A function that only waits has nothing to stop, and the page's next script must not be stopped instead. */
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

/** The browser's own reason for a refusal. */
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
