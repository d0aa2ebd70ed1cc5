import type { PopupState } from './protocol.ts';

/** What to type to give an agent this browser, for one common agent. Large pages become handles. */
const addAgent = (spillway: string): string =>
  `claude mcp add spillway -- ${spillway} --output-mode-default auto`;

/** The card at the top: the state, and what to do. */
export interface StatusView {
  readonly kind: PopupState['link']['kind'];
  readonly headline: string;
  readonly detail: string;
  readonly command: string | null;
  /** When the next attempt comes by itself, in milliseconds since the epoch. */
  readonly retryAt: number | null;
}

/** Turns the worker's state into words. */
export function statusOf({ link, servers, command }: PopupState): StatusView {
  const spillway = command ?? 'spillway';
  if (link.kind === 'connected') {
    if (servers.length > 0)
      return {
        kind: link.kind,
        headline: 'Connected',
        detail: 'Agents on this computer can work in this browser.',
        command: null,
        retryAt: null,
      };
    return {
      kind: link.kind,
      headline: 'Ready',
      detail: 'No agent is using this browser. Start yours, or add Spillway to it:',
      command: addAgent(spillway),
      retryAt: null,
    };
  }
  const fault = link.fault;
  // An attempt that follows a failure keeps its explanation: it is over in a moment.
  if (fault === null)
    return { kind: 'connecting', headline: 'Connecting…', detail: '', command: null, retryAt: null };
  return {
    kind: 'failed',
    headline: 'Not connected',
    detail: `${fault.message} ${fault.remedy}`,
    command: fault.command?.replace(/^spillway(?= )/, () => spillway) ?? null,
    retryAt: link.kind === 'failed' ? link.retryAt : Date.now(),
  };
}

/** How many questions wait for a person. */
export const questionsText = (count: number): string =>
  count === 1 ? 'An agent asks for your permission' : `${count} questions wait for you`;

/** One row a client; a server whose client has not said its name yet has one of its own. */
export function agentRows(servers: PopupState['servers']): { name: string; via: string }[] {
  return servers.flatMap(({ version, clients }) => {
    const via = `server ${version}`;
    if (clients.length === 0) return [{ name: 'An agent', via }];
    return clients.map((client) => ({ name: `${client.name} ${client.version}`.trim(), via }));
  });
}
