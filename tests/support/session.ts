import { createRedactor } from '../../server/libraries/redaction/index.ts';
import { createSession as create } from '../../server/core/registry/session.ts';
import type { CallContext, ClientSession } from '../../server/core/context.ts';
import { systemClock as clock } from '../../server/core/services.ts';
import { ToolRegistry } from '../../server/core/registry/registry.ts';
import { loadMode } from '../../server/core/modes/loader.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import type { CallScope } from '../../shared/core/policy/call-facts.ts';
import type { ToolManifest } from '../../shared/core/tools/manifest.ts';
import { silentLogger as logger } from './app-options.ts';

export const testRegistry = (manifests: readonly ToolManifest[] = []): ToolRegistry =>
  new ToolRegistry({
    manifests,
    outputModeDefault: 'inline',
    mode: loadMode('default'),
    providers: [],
    logger: { warn: () => undefined },
  });

/** A session that lists no tool, for tests that only need one to keep state. */
export const createSession = (id: string, signal?: AbortSignal): ClientSession =>
  create(id, { registry: testRegistry(), ...(signal === undefined ? {} : { signal }) });

const redactor = createRedactor({ enabled: true });

export const TEST_SCOPE: CallScope = {
  caller: { session: 's', name: 'test' },
  call: {
    call_id: 'c',
    tool: 'test_tool',
    title: 'Test tool',
    args: {},
    is_editable: true,
    args_hash: '0'.repeat(64),
  },
};

/** The context of a call, of which a test says what matters to it. */
export function callContext(more: Partial<CallContext> = {}): CallContext {
  const session = more.session ?? createSession('s');
  const nothing = (): void => undefined;
  return {
    ...{ callId: 'c', execution: 'sync', call: TEST_SCOPE, step: null, givenNames: [] },
    ...{ session, signal: session.signal, syncWaitMs: LIMITS.syncWaitMs, logger, clock },
    aside: (waiting) => waiting(),
    ...{ progress: nothing, keepState: nothing, registerAfterCompletion: nothing, sends: nothing },
    leaves: async () => undefined,
    output: { mode: 'inline', inlineLimitBytes: 1_000 },
    redact: (text: string) => redactor.text(text),
    ...more,
  };
}
