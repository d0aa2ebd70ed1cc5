import { METHODS, type MethodName } from '../../../shared/bridge/methods.ts';
import type { CallGuard } from '../dispatch.ts';
import type { AgentControl } from './agent-control.ts';

/** They read nothing that the rules are asked about, and are what an agent works with. */
const OF_TABS: ReadonlySet<MethodName> = new Set(['tabs.list', 'tabs.get', 'tabs.active', 'tabs.activate']);

/** What servers have to do while all agents are stopped, such as giving up what a call had: it neither reads nor acts. */
const isHousekeeping = (method: MethodName): boolean =>
  METHODS[method].policy.judged === 'nothing' && !OF_TABS.has(method);

interface AgentGuardOptions {
  readonly control: Pick<AgentControl, 'run'>;
  /** Names of the agents that the server serves now. */
  readonly clients: () => readonly string[];
  readonly next: CallGuard;
}

/**
 * Holds up every request of an agent that a person has stopped or paused. A server of wire 1 does not say whose call a
 * request is for, and some requests of newer ones belong to no call: such a request is held up if any agent of its server is.
 */
export const createAgentGuard =
  ({ control, clients, next }: AgentGuardOptions): CallGuard =>
  (call) => {
    const { scope, signal, method } = call;
    if (scope === null && isHousekeeping(method)) return next(call);
    const requesters = scope === null ? clients().map((name) => ({ name, session: null })) : [scope.caller];
    return control.run(requesters, signal, (limited) => next({ ...call, signal: limited }));
  };
