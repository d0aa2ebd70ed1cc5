import type { CallGuard } from '../dispatch.ts';
import type { AgentControl } from './agent-control.ts';

/** Holds up every call of an agent that a person has stopped or paused. What a server does by itself belongs to no agent. */
export const createAgentGuard =
  (control: Pick<AgentControl, 'run'>, next: CallGuard): CallGuard =>
  (call) => {
    const { scope, signal } = call;
    if (scope === null) return next(call);
    return control.run(scope.caller, signal, (limited) => next({ ...call, signal: limited }));
  };
