import * as z from 'zod/mini';
import { onAbort, withTimeout } from '../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { JsonValue } from '../../../shared/base/json.ts';
import { objectOf } from './debugger/exchange.ts';
import type { DebuggerLease } from './debugger/sessions.ts';
import { frameIdsOf } from './tracing.ts';
import { quotePage } from '../../core/pages/targets.ts';
import type { WorkerServices } from '../../core/handler.ts';
import type { ActDebugger } from '../../act/worker/act-debugger.ts';

const Remote = z.object({ objectId: z.optional(z.string()) });
const Evaluated = z.object({ result: Remote });
const Described = z.object({ node: z.object({ backendNodeId: z.int() }) });
const World = z.object({ executionContextId: z.int() });

/** The debugger releases a function's objects by this name. */
const GROUP = 'spillway.evaluate';
const WORLD = 'spillway.evaluate';

/** Asks our own script, in a world where no page can interfere. */
const FIND = `function (ref, viewer) {
  return Reflect.get(globalThis, Symbol.for('spillway.page'))?.element(ref, viewer) ?? null;
}`;

export interface Scope {
  /** Null for the tab's own. */
  readonly session: string | null;
  /** Any object of its world. */
  readonly within: string;
  /** The element that it receives. */
  readonly element: string | null;
}

/** A tab to evaluate in. */
interface Evaluator {
  readonly lease: DebuggerLease;
  readonly frames: Pick<ActDebugger['frames'], 'all'>;
  release(): void;
}

/** @throws SpillwayError of a refused attachment */
export const evaluator = (
  { acting }: Pick<WorkerServices, 'acting' | 'debuggers'>,
  tabId: number,
  signal: AbortSignal,
): Promise<Evaluator> => acting.acquire(tabId, signal);

interface Wanted extends Pick<Evaluator, 'lease' | 'frames'> {
  readonly world: 'isolated' | 'page';
  readonly ref: string | null;
  /** The session that `ref` was shown to. */
  readonly viewer: string;
}

const senderOf =
  (lease: DebuggerLease, sessionId: string | null): Send =>
  (method, params = {}) =>
    lease.send(method, params, { sessionId });

/** @throws SpillwayError `stale_ref`, and of the lost attachment */
export async function findScope(wanted: Wanted): Promise<Scope> {
  const { lease, world, ref } = wanted;
  const element = ref === null ? null : await findElement(wanted, ref);
  const session = element?.session ?? null;
  const send = senderOf(lease, session);
  const isolated = async (): Promise<number> => {
    const frameId = element?.frameId ?? (await frameIdsOf(lease, session))[0];
    return World.parse(await send('Page.createIsolatedWorld', { frameId, worldName: WORLD }))
      .executionContextId;
  };
  const context = world === 'isolated' ? await isolated() : undefined;
  if (element !== null) {
    const asked = { backendNodeId: element.node, objectGroup: GROUP, executionContextId: context };
    const object = await objectOf(lease, session, asked);
    return { session, within: object, element: object };
  }
  const asked = { expression: 'this', objectGroup: GROUP, contextId: context };
  const { result } = Evaluated.parse(await send('Runtime.evaluate', asked));
  return { session, within: result.objectId ?? '', element: null };
}

/** A ref is issued once per browser, so only the document that knows it answers. */
async function findElement({ lease, frames, viewer }: Wanted, ref: string) {
  for (const session of await frames.all()) {
    const send = senderOf(lease, session);
    for (const { id, frameId } of lease.contexts.in(session)) {
      const asked = {
        functionDeclaration: FIND,
        executionContextId: id,
        objectGroup: GROUP,
        arguments: [{ value: ref }, { value: viewer }],
      };
      const { objectId } = Evaluated.parse(await send('Runtime.callFunctionOn', asked)).result;
      if (objectId === undefined) continue;
      const { node } = Described.parse(await send('DOM.describeNode', { objectId }));
      return { session, frameId, node: node.backendNodeId };
    }
  }
  throw new SpillwayError('stale_ref', `The element of ref ${ref} is gone or was replaced.`);
}

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

/**
 * Calls a function in the page, and stops it at its time limit. The browser itself awaits promises and serialises the
 * value, so a page's changes to `Promise` and `JSON` have no effect. Returns the value as JSON, and its type.
 * @throws SpillwayError `evaluate_failed`, `page_changed`, `page_unresponsive`, and of the lost attachment
 */
export async function runFunction(scope: Scope, running: Running): Promise<ReturnType<typeof unwrapResult>> {
  const { lease, timeout_ms: timeoutMs, signal } = running;
  const send: Send = (method, params = {}, waitMs = LIMITS.pageResponseTimeoutMs) =>
    lease.send(method, params, { sessionId: scope.session, timeoutMs: waitMs });
  const stopper = new Stopper(send, running.isAsked);
  const unwatch = lease.onEvent((event) => {
    if (event.sessionId === scope.session && event.method === 'Debugger.paused') stopper.resume();
  });
  let unlisten = (): void => undefined;
  const late = new Error();
  try {
    await send('Debugger.enable', { maxScriptsCacheSize: 0 });
    signal.throwIfAborted();
    unlisten = onAbort(signal, () => void stopper.stop());
    const called = send('Runtime.callFunctionOn', callOf(scope, running), timeoutMs + CALL_MS);
    return unwrapResult(Called.parse(await withTimeout(called, timeoutMs, () => late, signal)));
  } catch (thrown) {
    if (thrown === late) {
      const end = (await stopper.stop()) ? ', and was stopped' : ': it may still run';
      throw new SpillwayError('evaluate_failed', `The function did not end within ${timeoutMs} ms${end}.`);
    }
    const error = toSpillwayError(thrown);
    throw error.code === 'internal_error' ? failure(error) : error;
  } finally {
    unlisten();
    await stopper.ended;
    unwatch();
    send('Debugger.disable').catch(() => undefined);
    send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(() => undefined);
  }
}

type Send = (method: string, params?: object, timeoutMs?: number) => Promise<Record<string, unknown>>;

/** Where a statement ends. */
const END = /(?<![\s;])[\s;]+$/;

/**
 * The arguments are part of the function's source: objects passed through the extension's API would lose null members,
 * and the page may have changed `JSON.parse`. In an object literal, `__proto__` would not be a member. Without arguments,
 * any expression but a function is the value itself. Its names are the page's: none of ours hides one.
 */
function callOf({ within, element }: Scope, { code, args }: Running): object {
  const given = args.map((arg) => JSON.stringify(arg).replaceAll('"__proto__":', '["__proto__"]:'));
  const all = [...(element === null ? [] : ['arguments[0]']), ...given].join(', ');
  const written = `(${code.replace(END, '')}\n)`;
  const value = `(function (is) { return typeof is === 'function' ? is() : is; })(${written})`;
  return {
    functionDeclaration: `function () { return ${all === '' ? value : `${written}(${all})`}; }`,
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
  #isStopping = false;
  /** Resolves when the page is no longer touched. */
  ended: Promise<boolean> | undefined;

  constructor(
    private readonly send: Send,
    private readonly isAsked: () => boolean,
  ) {}

  resume(): void {
    this.send('Debugger.resume', { terminateOnResume: this.#isStopping }).catch(() => undefined);
  }

  /**
   * False if it may still run. A function that only waits has nothing to stop, and the page's next script must not be
   * stopped instead.
   */
  stop(): Promise<boolean> {
    return (this.ended = this.#stop().catch(() => false));
  }

  async #stop(): Promise<boolean> {
    if (this.isAsked() || (await this.#isAnswering(PROBE_MS))) return false;
    this.#isStopping = true;
    await this.send('Debugger.pause', {}, STOP_MS);
    return this.#isAnswering(STOP_MS);
  }

  #isAnswering(timeoutMs: number): Promise<boolean> {
    return this.send('Runtime.evaluate', { expression: '0' }, timeoutMs).then(
      () => true,
      (thrown: unknown) => toSpillwayError(thrown).code !== 'page_unresponsive',
    );
  }
}

/** @throws SpillwayError `evaluate_failed` */
function unwrapResult({ result, exceptionDetails: thrown }: z.infer<typeof Called>) {
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
function failure(cause: SpillwayError): SpillwayError {
  if (LEFT.test(cause.message))
    return new SpillwayError('page_changed', 'The page navigated before the function ended.', { cause });
  const reason = quotePage(cause.message.replace(/^.*? failed: /, ''), MESSAGE_UNITS);
  return new SpillwayError('evaluate_failed', `The browser refused the function: ${reason}.`, { cause });
}
