import type { z } from 'zod';
import { MIME } from '../../../shared/mime.ts';
import type { runList } from '../../../shared/tools/runs/manifest.ts';
import { describeRun } from '../../core/calls/produce.ts';
import type { Runs } from '../../core/runs.ts';
import type { ToolRuntime } from '../../core/registry/definition.ts';

type Args = z.output<typeof runList.input>;

/** `run_list`: the newest runs, as `{ runs, total }`. */
export function createRunList({ runs }: { readonly runs: Runs }): ToolRuntime<Args> {
  return {
    run: async ({ status, count }, { session }) => {
      const { runs: views, total, left } = await runs.list({ status, count });
      if (views.length > 0) session.facts.add('has_run');
      return {
        payload: { kind: 'json', mimeType: MIME.json, value: { runs: views.map(describeRun), total } },
        done: Promise.resolve({
          state: {},
          coverage: left === 0 ? [] : [`${left} older runs were not checked.`],
        }),
      };
    },
  };
}
