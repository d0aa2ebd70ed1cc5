import { isObject } from '../../../shared/json.ts';
import { runCompletionHooks, type CompletionHook } from './completion-hooks.ts';
import type { CallScope } from '../../../shared/policy/call-facts.ts';
import type { ToolCall } from './call.ts';
import type { CallContext, Progress } from '../context.ts';
import type { Feed } from '../feed.ts';
import type { KeptState } from './kept-state.ts';
import type { OutputRequest } from '../output-request.ts';
import type { ToolDefinition } from '../registry/definition.ts';
import { callLogger } from '../log-feed.ts';
import type { Clock, Logger, Redactor } from '../services.ts';

/** A call on its way, as far as its runtime's context needs it. */
interface Scope {
  readonly call: ToolCall;
  readonly services: {
    readonly clock: Clock;
    readonly logger: Logger;
    readonly redactor: Redactor;
    readonly feed: Feed;
  };
  readonly afterCompletion: CompletionHook;
  readonly state: KeptState;
}

/** Of the time that a call waits: what its work may spend on a person's decision. */
const PERSON_SHARE = 0.8;

/** What a runtime knows of the call that it works for, and of the server's defaults. */
export function contextOf(
  scope: Scope,
  how: {
    readonly definition: ToolDefinition;
    readonly output: OutputRequest;
    readonly syncWaitMs: number;
    readonly scope: CallScope;
  },
): CallContext {
  const { call, services, afterCompletion } = scope;
  const { definition, output, syncWaitMs, scope: told } = how;
  const { clock, redactor } = services;
  const waitMs = call.syncWaitMs ?? syncWaitMs;
  const logger = callLogger(services.logger, call);
  return {
    callId: call.callId,
    session: call.session,
    call: told,
    givenNames: isObject(call.args) ? Object.keys(call.args) : [],
    signal: call.signal,
    progress: (progress) => reportProgress(scope, progress, output),
    keepState: scope.state.keep,
    output,
    execution: definition.row.execution,
    syncWaitMs: waitMs,
    personWaitMs: waitMs * PERSON_SHARE,
    step: call.step ?? null,
    ...(call.askPerson === undefined ? {} : { askPerson: call.askPerson }),
    ...(call.pages === undefined ? {} : { pages: call.pages }),
    ...(call.rank === undefined ? {} : { rank: call.rank }),
    ...(call.sample === undefined ? {} : { sample: call.sample }),
    ...(call.selector === undefined ? {} : { selector: call.selector }),
    logger,
    clock,
    redact: (text) => redactor.text(text),
    registerAfterCompletion: (task) => {
      // Work that continues after its call has ended was abandoned.
      if (afterCompletion.tasks === null)
        void runCompletionHooks({ tasks: [task] }, { isSuccess: false }, logger);
      else afterCompletion.tasks.push(task);
    },
  };
}

/** A listener cannot make the tool fail, and is not called after its end. */
function reportProgress(
  { call, services, afterCompletion }: Scope,
  progress: Progress,
  output: OutputRequest,
): void {
  if (afterCompletion.tasks === null) return;
  services.feed.progress(call, progress);
  try {
    call.progress?.(progress, output);
  } catch (thrown) {
    callLogger(services.logger, call).warn({ err: thrown }, 'a progress listener failed');
  }
}
