import type { PendingInteraction } from '../../core/result.ts';
import { inOrder } from '../order.ts';
import type { SpillwaySession } from '../types.ts';
import { Approvals, type ModelMessage } from './approvals.ts';
import { toModelOutput, toOutput, type ToolOutput } from './output.ts';
import { runCall, stepOf } from './run-call.ts';

/** How the AI SDK makes a call. */
export interface AiSdkExecution {
  readonly toolCallId: string;
  readonly messages: readonly ModelMessage[];
  readonly abortSignal?: AbortSignal | undefined;
}

/** What a tool of a session does for the AI SDK, of which nothing is loaded. */
export function callable(
  session: SpillwaySession,
  name: string,
  onPending: ((pending: PendingInteraction) => void) | undefined,
) {
  const approvals = onPending === undefined ? Approvals.of(session) : null;
  return {
    approvals,
    parts: {
      execute: (input: unknown, execution: AiSdkExecution): Promise<ToolOutput> => {
        const { toolCallId: id, abortSignal: signal, messages } = execution;
        const step = stepOf(messages);
        // The AI SDK runs the calls of a step all at once.
        return inOrder(session, { name, step, signal }, async () =>
          toOutput(await runCall(session, { id, name, input, messages }, { signal, step, onPending })),
        );
      },
      toModelOutput: ({ output }: { readonly output: unknown }) => toModelOutput(output as ToolOutput),
      ...(approvals === null
        ? {}
        : {
            needsApproval: (input: unknown, { toolCallId: id, messages }: AiSdkExecution): Promise<boolean> =>
              approvals.isNeeded({ id, name, input, messages }),
          }),
    },
  };
}
