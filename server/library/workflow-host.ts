import type { CallTool, ClientSession } from '../core/context.ts';
import type { ToolRegistry } from '../core/registry/registry.ts';
import type { Runs, RunScope } from '../core/runs.ts';
import type { Outcome } from '../core/result.ts';

export interface WorkflowHost {
  readonly runs: () => Promise<Runs>;
  readonly registry: ToolRegistry;
  readonly callTool: CallTool;
  /** The session for which they make calls. */
  readonly session: ClientSession;
  /** How its workflows are executed, by their names. */
  readonly defined: Map<string, ExecuteWorkflow>;
}

/** The tool of their runs, which no session can find. */
export const WORKFLOW_RUNS = 'workflow';

/** How a workflow's run is executed now: set by the caller that starts or resumes it. */
type ExecuteWorkflow = (input: unknown, scope: RunScope) => Promise<Outcome>;

const hosts = new WeakMap<object, WorkflowHost>();
export const addHost = (spillway: object, host: WorkflowHost): void => void hosts.set(spillway, host);
export const hostOf = (spillway: object): WorkflowHost | undefined => hosts.get(spillway);
