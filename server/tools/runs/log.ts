import type { z } from 'zod';
import { MIME } from '../../../shared/mime.ts';
import type { runLog } from '../../../shared/tools/runs/manifest.ts';
import { cleanRecord } from '../../redact/clean.ts';
import type { Runs } from '../../core/runs.ts';
import type { ToolRuntime } from '../../core/registry/definition.ts';
import type { Clock } from '../../core/services.ts';
import { parseSince } from '../../toolkit/since.ts';

type Args = z.output<typeof runLog.input>;

/** `run_log`: the last lines of a run's log, oldest first, as `{ run_id, status, lines, total }`. */
export function createRunLog(services: { readonly runs: Runs; readonly clock: Clock }): ToolRuntime<Args> {
  const { runs, clock } = services;
  return {
    run: async ({ run_id, count, since: asked }) => {
      const since = asked === undefined ? undefined : parseSince(asked, clock.now());
      const view = await runs.get(run_id);
      const { lines, total } = await runs.log({ runId: run_id, count, since });
      const head = cleanRecord({ run_id: view.run_id, status: view.status });
      const value = { ...head, lines: [...lines], total };
      return {
        // Lines were redacted before they were written.
        clean: { kind: 'json', mimeType: MIME.json, value },
        done: Promise.resolve({ state: {}, coverage: [] }),
        untrustedFrom: () => view.source,
      };
    },
  };
}
