import type { ComponentChildren } from 'preact';
import type { Language } from '../../ui/words/locale.ts';
import { commandOf, faultTexts, SPILLWAY } from '../../ui/words/en/link.ts';
import { popupTexts } from '../../ui/words/en/popup.ts';
import type { PopupState } from './protocol.ts';

/** Large pages become handles. */
export const addAgent = (client: 'claude' | 'codex', spillway: string): string =>
  `${client} mcp add spillway -- ${spillway} --output-mode-default auto`;

const viewOf = (
  kind: PopupState['link']['kind'],
  headline: string,
  detail = '',
  command: string | null = null,
) => ({ kind, headline, detail, command });
type StatusView = Readonly<ReturnType<typeof viewOf>>;

/** The worker's state in words; "connecting" until it has answered. */
export function statusOf(state: PopupState | null, language: Language): StatusView {
  const words = popupTexts(language);
  const connecting = viewOf('connecting', words.connecting);
  if (state === null) return connecting;
  const { link, servers, command } = state;
  if (link.kind === 'connected')
    return servers.length > 0
      ? viewOf('connected', words.connected, words.connectedDetail)
      : viewOf('connected', words.ready, words.readyDetail, addAgent('claude', command ?? SPILLWAY));
  const { fault } = link;
  // A quick retry after a failure keeps the failure's explanation.
  if (fault === null) return connecting;
  const { messages, remedies } = faultTexts(language);
  const detail = `${fault.message ?? messages[fault.kind]} ${remedies[fault.kind]}`;
  const help = commandOf(fault.kind, command);
  if (fault.kind !== 'host_not_found') return viewOf('failed', words.notConnected, detail, help);
  // Not an error: Spillway was never set up, or was uninstalled along with the command.
  return command === null
    ? viewOf('connecting', words.notSetUp, detail, help)
    : viewOf('connecting', words.uninstalled, words.uninstalledDetail, help);
}

interface StatusCardProps {
  readonly view: StatusView;
  /** Next to the command. */
  readonly copy?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** Whether it works, and the command that helps if not. */
export const StatusCard = ({ view, copy, children }: StatusCardProps) => (
  <section id="status" class="card box" role="status" tabIndex={-1} data-kind={view.kind}>
    <p id="headline" class="headline strong dot">
      {view.headline}
    </p>
    <p id="detail">{view.detail}</p>
    <div id="command" class="command box" hidden={view.command === null}>
      <code id="command-text">{view.command}</code>
      {copy}
    </div>
    {children}
  </section>
);
