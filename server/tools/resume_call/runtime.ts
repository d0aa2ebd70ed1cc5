import type { z } from 'zod';
import type { resumeCall } from '../../../shared/tools/resume_call/manifest.ts';
import type { Resumed, ToolRuntime, ToolRuntimes } from '../../core/registry/definition.ts';
import type { ResumeCall } from '../../core/people.ts';

type Args = z.output<typeof resumeCall.input>;

interface ResumeServices {
  readonly resumeCall: ResumeCall;
}

export const createRuntimes = (services: ResumeServices): ToolRuntimes => ({
  resume_call: createResume(services),
});

/** `resume_call`: the end of a call that was left while a person was asked. */
const createResume = ({ resumeCall }: ResumeServices): ToolRuntime<Args, Resumed> => ({
  run: async ({ id }, { session, signal, syncWaitMs }) => ({
    resumed: await resumeCall(id, { session, signal, timeoutMs: syncWaitMs }),
  }),
});
