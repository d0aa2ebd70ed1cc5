import { METHODS, type MethodName } from '../../../shared/core/bridge/methods.ts';
import { StreamParams } from '../../../shared/core/bridge/streams.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { RESULT_BYTES } from './frame-room.ts';
import type { HandlerContext, Handlers, ServerPort, StreamSink } from '../handler.ts';
import { ActLedger, type CallPolicy } from '../policy/call-policy.ts';
import type { PolicyGuard } from '../../people/worker/guard.ts';
import type { StreamSender } from './stream-sender.ts';
import { describeIssues } from '../../../shared/base/json-schema.ts';
import { isObject } from '../../../shared/base/json.ts';
import { CALL_SCOPE, CallScope, READ_SITES } from '../../../shared/core/policy/call-facts.ts';

export interface GuardedCall {
  /** The agent and call of the request; null for none. */
  readonly scope: CallScope | null;
  readonly method: MethodName;
  readonly params: unknown;
  readonly signal: AbortSignal;
  /** Instance of the calling server. */
  readonly server: string;
  readonly policy: CallPolicy;
  run(signal: AbortSignal): Promise<unknown>;
}

/** Runs a call, unless it finds that it cannot be run. */
export type CallGuard = (call: GuardedCall) => Promise<unknown>;

export interface DispatchOptions {
  readonly method: string;
  readonly params: unknown;
  readonly handlers: Handlers;
  readonly signal: AbortSignal;
  readonly openStream: (params: StreamParams) => StreamSender;
  readonly guard?: CallGuard | undefined;
  readonly policy: Pick<PolicyGuard, 'call'>;
  readonly server: ServerPort;
}

type AnyHandler = (params: unknown, context: HandlerContext, sink?: StreamSink) => Promise<unknown>;

const MAX_BYTES_PER_UNIT = 3;

const unguarded: CallGuard = ({ run, signal }) => run(signal);

const isMethodName = (name: string): name is MethodName => Object.hasOwn(METHODS, name);

/**
 * Runs one call: checks its params, asks the rules, runs its handler, seals its stream, checks its result.
 * @throws SpillwayError `api_not_found`, `invalid_argument`, `frame_too_large`, `internal_error` if the result breaks
 * its own schema, `policy_denied`, `approval_required`, or the handler's error.
 */
export async function dispatch(options: DispatchOptions): Promise<unknown> {
  const { method, handlers, signal, openStream, guard = unguarded } = options;
  if (!isMethodName(method))
    throw new SpillwayError('api_not_found', `The extension has no method ${method}.`);
  const definition = METHODS[method];
  const params = definition.params.safeParse(options.params);
  if (!params.success)
    throw new SpillwayError(
      'invalid_argument',
      `${method}: ${describeIssues(params.error.issues, 'params')}`,
    );
  // The handler's type is inferred from the schema above.
  const handler = handlers[method] as AnyHandler;
  signal.throwIfAborted();
  const scope = scopeOf(method, options.params);
  const policy = options.policy.call(scope, {
    ledger: new ActLedger(options.server, { scope, signal }),
    signal,
  });
  const sender = 'stream' in params.data ? openStream(StreamParams.parse(params.data)) : undefined;
  const run = async (limited: AbortSignal): Promise<unknown> => {
    await judge(method, params.data, policy);
    limited.throwIfAborted();
    return handler(params.data, { signal: limited, scope, policy }, sender);
  };
  const result = check(
    method,
    await guard({ method, params: params.data, scope, signal, server: options.server.instance, policy, run }),
  );
  await sender?.end();
  const sites = policy.readSites();
  return sites.length === 0 ? result : { ...result, [READ_SITES]: sites };
}

async function judge(method: MethodName, params: object, policy: CallPolicy): Promise<void> {
  const { policy: rule } = METHODS[method];
  const tabId = 'tab_id' in params ? params.tab_id : null;
  if (typeof tabId !== 'number') return;
  if (rule.judged === 'tab') await policy.expectTab(tabId, rule.risks);
  if (rule.judged === 'page') await policy.expectTab(tabId, rule.risks, { awaitsPage: true });
}

/** The call of a request; null for none. */
function scopeOf(method: MethodName, params: unknown): CallScope | null {
  const given = isObject(params) ? params[CALL_SCOPE] : undefined;
  if (given === undefined) return null;
  const scope = CallScope.safeParse(given);
  if (scope.success) return scope.data;
  throw new SpillwayError('invalid_argument', `${method}: ${describeIssues(scope.error.issues, CALL_SCOPE)}`);
}

/** UTF-8 bytes of a text; if its length alone is too large, no need to count. */
function measureText(text: string): number {
  if (text.length * MAX_BYTES_PER_UNIT <= RESULT_BYTES) return text.length;
  return new TextEncoder().encode(text).length;
}

function check(method: MethodName, value: unknown): object {
  const result = METHODS[method].result.safeParse(value);
  if (!result.success)
    throw new SpillwayError(
      'internal_error',
      `${method} returned an invalid answer: ${describeIssues(result.error.issues, 'params')}`,
    );
  const sizeBytes = measureText(JSON.stringify(result.data));
  if (sizeBytes > RESULT_BYTES)
    throw new SpillwayError('frame_too_large', `The answer to ${method} has ${sizeBytes} bytes.`);
  return result.data;
}
