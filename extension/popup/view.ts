import type { Language } from '../words/languages.ts';
import { commandOf } from '../words/link-faults.ts';
import type { PopupState } from './protocol.ts';
import { faultTexts, popupTexts, type PopupWords } from '../words/texts.ts';

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
export function statusOf({ link, servers, command }: PopupState, language: Language): StatusView {
  const words = popupTexts[language];
  const spillway = command ?? 'spillway';
  if (link.kind === 'connected') {
    if (servers.length > 0)
      return {
        kind: link.kind,
        headline: words.connected,
        detail: words.connectedDetail,
        command: null,
        retryAt: null,
      };
    return {
      kind: link.kind,
      headline: words.ready,
      detail: words.readyDetail,
      command: addAgent(spillway),
      retryAt: null,
    };
  }
  const { fault } = link;
  // An attempt that follows a failure keeps its explanation: it is over in a moment.
  if (fault === null)
    return { kind: 'connecting', headline: words.page.connecting, detail: '', command: null, retryAt: null };
  // Not an error: nobody has set it up yet, or somebody has uninstalled it.
  const isAbsent = fault.kind === 'host_not_found';
  const { message, remedy } = faultTexts[language][fault.kind];
  return {
    kind: isAbsent ? 'connecting' : 'failed',
    headline: isAbsent ? words.notSetUp : words.notConnected,
    detail: `${fault.message ?? message} ${remedy}`,
    command: commandOf(fault.kind).replace(/^spillway(?= )/, () => spillway),
    retryAt: link.kind === 'failed' ? link.retryAt : Date.now(),
  };
}

/** One row a client; a server whose client has not said its name yet has one of its own. */
export function agentRows(
  servers: PopupState['servers'],
  { anAgent, server }: PopupWords,
): { name: string; via: string }[] {
  return servers.flatMap(({ version, clients }) => {
    const via = server(version);
    if (clients.length === 0) return [{ name: anAgent, via }];
    return clients.map((client) => ({ name: `${client.name} ${client.version}`.trim(), via }));
  });
}
