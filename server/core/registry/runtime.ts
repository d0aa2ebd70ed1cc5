import type { JsonObject } from '../../../shared/json.ts';
import type { CallContext } from '../context.ts';
import type { Produced } from '../payload.ts';
import type { ToolResult } from '../result.ts';

/**
 * What another server answered. It is not ours to shape: no output policy, no row of a mode. Who
 * brings it has redacted it. Blocks are MCP's, the protocol of upstreams.
 */
export interface PassedThrough {
  readonly passed: {
    readonly content: readonly JsonObject[];
    readonly structuredContent?: JsonObject;
    readonly isError: boolean;
    readonly meta?: JsonObject;
  };
  /** Whose text it is, where a note says that it is untrusted. */
  readonly untrustedFrom?: string;
}

export const isPassedThrough = (produced: object): produced is PassedThrough => 'passed' in produced;

/** The end of another call, as it is. */
export interface Resumed {
  readonly resumed: ToolResult;
}

export const isResumed = (produced: object): produced is Resumed => 'resumed' in produced;

/**
 * The work of one tool. `args` have passed the manifest's schema; services came in through the
 * factory that made the runtime.
 */
export interface ToolRuntime<Args = never, Answer = Produced> {
  /** Each call is a run, whose work is `run`; else `run` itself starts the runs that its tool makes. */
  readonly isRun?: boolean;
  /** Of such a one: throws what keeps a call from becoming a run, such as arguments that do not fit. */
  admit?(args: Args, context: CallContext): Promise<void>;
  run(args: Args, context: CallContext): Promise<Answer>;
}

/** The runtime of a tool that a provider brought. */
export type ProvidedRuntime = ToolRuntime<never, Produced | PassedThrough | Resumed>;

/** The runtime of a tool of ours. */
export type OwnRuntime = ToolRuntime<never, Produced | Resumed>;

/** The runtimes of one identifier, by api. */
export type ToolRuntimes = Readonly<Record<string, OwnRuntime>>;
