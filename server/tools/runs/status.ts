import type { z } from 'zod';
import type { runStatus } from '../../../shared/tools/runs/manifest.ts';
import { MIME } from '../../../shared/mime.ts';
import { describeRun } from '../../core/calls/produce.ts';
import type { Runs } from '../../core/runs.ts';
import type { ToolRuntime } from '../../core/registry/definition.ts';

type Args = z.output<typeof runStatus.input>;

/** `run_status`: how far a run is. */
export function createRunStatus({ runs }: { readonly runs: Runs }): ToolRuntime<Args> {
  return {
    run: async ({ run_id }, { session }) => {
      const view = await runs.get(run_id);
      // Tools that resume or end it join the session's list.
      session.facts.add('has_run');
      const { notes, source } = view;
      return {
        payload: { kind: 'json', mimeType: MIME.json, value: describeRun(view) },
        done: Promise.resolve({ state: {}, coverage: notes }),
        // They name addresses that pages gave.
        ...(notes.length === 0 ? {} : { untrustedFrom: () => source }),
      };
    },
  };
}
