import type { z } from 'zod';
import type { resumeCall } from '../../../shared/tools/resume_call/manifest.ts';
import type { ToolRuntimes } from '../../core/registry/definition.ts';
import type { ResumeCall } from '../../core/people.ts';

/** `resume_call`: the end of a call that was left while a person was asked. */
export const createRuntimes = ({
  resumeCall: resume,
}: {
  readonly resumeCall: ResumeCall;
}): ToolRuntimes => ({
  resume_call: async ({ id }: z.output<typeof resumeCall.input>, { session, signal, syncWaitMs }) => ({
    resumed: await resume(id, { session, signal, timeoutMs: syncWaitMs }),
  }),
});
