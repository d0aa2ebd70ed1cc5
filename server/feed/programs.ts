import { PROGRAM_METHODS } from '../../shared/bridge/programs.ts';
import type { ServerMethods } from '../../shared/bridge/server-methods.ts';
import type { Runs } from '../core/runs.ts';
import type { Redactor } from '../core/services.ts';
import type { Parking } from '../toolkit/programs/parking.ts';
import { recordedCalls } from '../toolkit/programs/shown.ts';
import { cleanBy } from './clean.ts';
import { shortArguments } from './methods.ts';

interface ProgramParts {
  readonly runs: Pick<Runs, 'get' | 'state'>;
  readonly parking: Pick<Parking, 'answer'>;
  /** Writes to the ledger what a person has done to a run. It never rejects. */
  readonly changed: (facts: {
    readonly kind: 'run_resumed';
    readonly subject: string;
    readonly tool: string;
  }) => Promise<void>;
  readonly redactor: Redactor;
}

/** What people see of programs, and say to them. */
export function createProgramMethods({
  runs,
  parking,
  changed,
  redactor,
}: ProgramParts): Pick<ServerMethods, keyof typeof PROGRAM_METHODS> {
  const clean = cleanBy(redactor);
  return {
    'runs.calls': async ({ run_id: runId, from }) => {
      const { calls, ...page } = recordedCalls(await runs.get(runId), await runs.state(runId), from);
      const shown = calls.map(({ args, ...call }) => ({
        ...clean({ ...call }),
        args: shortArguments(clean(args)).args ?? {},
      }));
      return PROGRAM_METHODS['runs.calls'].result.parse({ ...page, calls: shown });
    },
    'runs.answer': async ({ run_id: runId, call, answer }) => {
      const given = answer === undefined ? { declined: true } : { answer };
      const { tool } = await parking.answer(runId, { call, input: { ...given, where: 'the side panel' } });
      await changed({ kind: 'run_resumed', subject: runId, tool });
      return {};
    },
  };
}
