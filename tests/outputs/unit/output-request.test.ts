import { expect, it } from 'vitest';
import { type OutputRequest } from '../../../server/core/result.ts';
import type { DeliverOptions } from '../../../server/core/output/index.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { OutputMode } from '../../../shared/core/descriptor.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import { testExecutor } from '../../core/unit/support.ts';

async function requestsOf(byDefault: OutputMode, args: object): Promise<readonly OutputRequest[]> {
  const seen: OutputRequest[] = [];
  const { executor, call } = testExecutor(
    async (_args, context) => {
      seen.push(context.output);
      context.progress({ done: 1 });
      return produceJson({ ok: true });
    },
    {
      spills: true,
      outputModeDefault: byDefault,
      onDeliver: ({ mode, inlineLimitBytes }: DeliverOptions) => seen.push({ mode, inlineLimitBytes }),
    },
  );
  await executor.execute(call({ args, progress: (_progress, output) => seen.push(output) }));
  return seen;
}

it.each(
  OutputMode.options.flatMap((byDefault) =>
    [undefined, ...OutputMode.options].map((given) => ({ byDefault, given })),
  ),
)(
  'the output request of a call is the same for runtime, progress and policy: $byDefault, $given',
  async ({ byDefault, given }) => {
    const args = given === undefined ? {} : { output_mode: given, output_inline_limit_bytes: 7 };
    const inlineLimitBytes = given === undefined ? LIMITS.outputInlineLimitBytes : 7;
    const expected = { mode: given ?? byDefault, inlineLimitBytes };
    expect(await requestsOf(byDefault, args)).toEqual([expected, expected, expected]);
  },
);
