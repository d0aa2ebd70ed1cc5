import type { z } from 'zod';
import { MIME } from '../../../shared/mime.ts';
import type { runOutput } from '../../../shared/tools/runs/manifest.ts';
import type { Produced } from '../../core/result.ts';
import { produceRunResult, runNotes, wantsHandle } from '../../core/calls/produce.ts';
import { cleanRecord } from '../../redact/clean.ts';
import type { Runs, RunView } from '../../core/runs.ts';
import type { ToolRuntime } from '../../core/registry/definition.ts';

type Args = z.output<typeof runOutput.input>;

const OVERSIZED_NOTE =
  'Items too large for a page show their size alone: read them from the output handle with oc_output_fetch and format "bytes", once the run has ended.';

/**
 * `run_output`: one page of what a run has committed. Asked for no page in particular, a run that
 * has ended and whose call wanted a handle answers that handle.
 */
export function createRunOutput({ runs }: { readonly runs: Runs }): ToolRuntime<Args> {
  return {
    async run({ run_id, offset, limit }, { session }) {
      const view = await runs.get(run_id);
      // Tools that resume or end it join the session's list.
      session.facts.add('has_run');
      if (offset === undefined && limit === undefined && wantsHandle(view)) {
        const handle = await produceHandle(runs, view);
        if (handle !== null) return handle;
      }
      const page = await runs.page({ runId: run_id, offset: offset ?? 0, limit });
      // What it says about all items comes with its last items.
      const ending = page.eof ? await runs.ending(run_id) : undefined;
      return {
        // Items were redacted before they were written.
        clean: { kind: 'json', mimeType: MIME.json, value: cleanRecord(page) },
        done: Promise.resolve({
          state: {},
          coverage: [
            ...runNotes(view),
            ...(page.oversized === undefined ? [] : [OVERSIZED_NOTE]),
            ...(ending?.outcome.coverage ?? []),
          ],
        }),
        untrustedFrom: () => ending?.outcome.source ?? view.source,
        ...(ending === undefined ? {} : { redacted: ending.redacted }),
      };
    },
  };
}

/** Null while the run is active, and when the store is full: its pages can still be read. */
async function produceHandle(runs: Runs, view: RunView): Promise<Produced | null> {
  if (view.status === 'queued' || view.status === 'running' || view.status === 'interrupted') return null;
  const result = await runs.result(view.run_id);
  if (result.view.output_handle === null) return null;
  return { ...produceRunResult(result), deliverAs: 'handle' };
}
