import { defined } from '../../shared/base/json.ts';
import { Json } from '../../shared/base/json-schema.ts';
import type { script } from '../../shared/programs/script.manifest.ts';
import { answerRun } from '../core/calls/produce.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import { rememberCall } from './caller.ts';
import { stripTypes } from './source.ts';
import type { ToolServices } from '../core/index.ts';

/** `script`: a program is a run, whose work is in `work.ts`. */
export const createRuntimes = ({ runs }: Pick<ToolServices, 'runs'>): ToolRuntimes => ({
  script: async ({ code, input, timeout_ms, async }: ArgsOf<typeof script>, context) => {
    // An invalid program starts nothing.
    stripTypes(code);
    rememberCall(context);
    const given = Json.parse(input ?? null);
    const view = await runs.start({
      tool: 'script',
      args: { code, input: given, ...defined({ timeout_ms }) },
      source: 'script',
      session: context.session,
      call: context.call,
      signal: context.signal,
      output: context.output,
      callsTools: true,
    });
    return answerRun(runs, view, { async, context });
  },
});
