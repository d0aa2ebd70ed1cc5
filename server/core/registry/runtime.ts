import type { JsonObject } from '../../../shared/json.ts';
import type { CallContext } from '../context.ts';
import type { Produced } from '../payload.ts';

/**
 * What another server answered. It is not ours to shape: no redaction, no output policy, no row of
 * a mode. Blocks are MCP's, the protocol of upstreams.
 */
export interface PassedThrough {
  readonly passed: {
    readonly content: readonly JsonObject[];
    readonly structuredContent?: JsonObject;
    readonly isError: boolean;
    readonly meta?: JsonObject;
  };
}

export const isPassedThrough = (produced: Produced | PassedThrough): produced is PassedThrough =>
  'passed' in produced;

/**
 * The work of one tool. `args` have passed the manifest's schema; services came in through the
 * factory that made the runtime.
 */
export interface ToolRuntime<Args = never, Answer = Produced> {
  run(args: Args, context: CallContext): Promise<Answer>;
}

/** The runtime of a tool that a provider brought. */
export type ProvidedRuntime = ToolRuntime<never, Produced | PassedThrough>;

/** The runtimes of one identifier, by api. */
export type ToolRuntimes = Readonly<Record<string, ToolRuntime>>;
