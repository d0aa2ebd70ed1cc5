import type { CallContext } from './context.ts';
import type { Produced } from './payload.ts';

/**
 * The work of one tool. `args` have passed the manifest's schema; services came in through the
 * factory that made the runtime.
 */
export interface ToolRuntime<Args = never> {
  run(args: Args, context: CallContext): Promise<Produced>;
}
