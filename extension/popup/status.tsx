import type { PopupRequest } from '../ports/requests.ts';
import type { ComponentChildren, JSX } from 'preact';
import { connectWorker } from '../ports/from-worker.ts';
import type { Language } from '../words/languages.ts';
import { commandOf } from '../words/link-faults.ts';
import { faultTexts } from '../words/en/link.ts';
import { popupTexts } from '../words/en/popup.ts';
import { POPUP_PORT, type PopupState } from './protocol.ts';

/** @returns sends the worker a request */
export const connectPopup = (onState: (state: PopupState) => void): ((request: PopupRequest) => void) =>
  connectWorker(POPUP_PORT, onState);

/** Large pages become handles. */
export const addAgent = (client: 'claude' | 'codex', spillway: string): string =>
  `${client} mcp add spillway -- ${spillway} --output-mode-default auto`;

interface StatusView {
  readonly kind: PopupState['link']['kind'];
  readonly headline: string;
  readonly detail: string;
  readonly command: string | null;
}

/** The worker's state in words; "connecting" until it has answered. */
export function statusOf(state: PopupState | null, language: Language): StatusView {
  const words = popupTexts(language);
  const connecting = { kind: 'connecting', headline: words.connecting, detail: '', command: null } as const;
  if (state === null) return connecting;
  const { link, servers, command } = state;
  const spillway = command ?? 'spillway';
  if (link.kind === 'connected')
    return servers.length > 0
      ? { kind: link.kind, headline: words.connected, detail: words.connectedDetail, command: null }
      : {
          kind: link.kind,
          headline: words.ready,
          detail: words.readyDetail,
          command: addAgent('claude', spillway),
        };
  const { fault } = link;
  // A quick retry after a failure keeps the failure's explanation.
  if (fault === null) return connecting;
  const { message, remedy } = faultTexts(language)[fault.kind];
  const what = {
    detail: `${fault.message ?? message} ${remedy}`,
    command: commandOf(fault.kind).replace(/^spillway(?= )/, () => spillway),
  };
  if (fault.kind !== 'host_not_found') return { kind: 'failed', headline: words.notConnected, ...what };
  // Not an error: Spillway was never set up, or was uninstalled along with the command.
  return command === null
    ? { kind: 'connecting', headline: words.notSetUp, ...what }
    : {
        kind: 'connecting',
        headline: words.uninstalled,
        detail: words.uninstalledDetail,
        command: commandOf(fault.kind),
      };
}

/** A heading with its dot, in the colour of the card. */
export const Headline = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <>
    <span class="dot" aria-hidden="true" />
    {children}
  </>
);
