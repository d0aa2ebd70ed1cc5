import type { PanelState } from '../../protocol.ts';
import type { Tested } from './use-hops.ts';
import { commandOf } from '../../../words/link-faults.ts';
import { formatList } from '../../../words/format.ts';
import type { SettingsStrings as Words } from '../../words/settings.ts';

/** One hop between agents and pages, in words. */
export interface HealthRow {
  readonly id: string;
  readonly name: string;
  readonly status: keyof Words['states'];
  /** A sentence of the catalogue; what a program says is in `said`. */
  readonly detail?: string;
  readonly said?: string;
  /** What to do. */
  readonly fix?: string;
  /** What to type in a terminal. */
  readonly command?: string;
  /** What a button can do about it at once. */
  readonly action?: 'allow_debugging';
}

type State = Pick<PanelState, 'own' | 'hasSiteAccess'>;

/** What the extension knows by itself: its permissions, the host, and the servers that are connected. */
export function ownHealth({ own, hasSiteAccess }: State, words: Words, now: number): readonly HealthRow[] {
  return [
    {
      id: 'extension',
      name: words.extension,
      status: 'ok',
      detail: words.extensionVersion(own.version, `${own.browser.name} ${own.browser.version}`),
    },
    hasSiteAccess
      ? { id: 'access', name: words.access, status: 'ok', detail: words.hasAccess }
      : {
          id: 'access',
          name: words.access,
          status: 'failed',
          detail: words.noAccess,
          fix: words.fixAccess,
        },
    own.isDebuggingCancelled
      ? {
          id: 'debugging',
          name: words.debugging,
          status: 'warning',
          detail: words.debuggingCancelled,
          action: 'allow_debugging',
        }
      : { id: 'debugging', name: words.debugging, status: 'ok', detail: words.canDebug },
    hostRow(own, words, now),
    ...serverRows(own, words),
  ];
}

function hostRow({ link, command }: State['own'], words: Words, now: number): HealthRow {
  const base = { id: 'host', name: words.host } as const;
  if (link.kind === 'connected') return { ...base, status: 'ok', detail: words.hostConnected };
  const { fault } = link;
  if (fault === null) return { ...base, status: 'skipped', detail: words.hostConnecting };
  const { message, remedy } = words.faults[fault.kind];
  const seconds = link.kind === 'failed' ? Math.ceil((link.retryAt - now) / 1_000) : 0;
  return {
    ...base,
    status: 'failed',
    detail: seconds > 0 ? `${message} ${words.retryingIn(seconds)}` : message,
    ...(fault.message === null ? {} : { said: fault.message }),
    fix: remedy,
    command: commandOf(fault.kind).replace(/^spillway(?= )/, () => command ?? 'spillway'),
  };
}

function serverRows({ link, servers, version }: State['own'], words: Words): readonly HealthRow[] {
  if (link.kind !== 'connected') return [];
  if (servers.length === 0)
    return [{ id: 'servers', name: words.servers, status: 'skipped', detail: words.noServers }];
  return servers.map((server, index) => {
    const names = [...new Set(server.clients.map(({ name }) => name))];
    const isSame = server.version === version;
    return {
      id: `server-${index}`,
      name: words.server(server.version),
      status: isSame ? 'ok' : 'warning',
      detail: names.length === 0 ? words.servesNobody : words.serves(formatList(names)),
      ...(isSame ? {} : { fix: words.otherVersion(version) }),
    };
  });
}

const STATES = { ok: 'ok', failed: 'failed', not_tested: 'skipped' } as const;

/** What servers say of the hops between them and a page. What they say is in their own words. */
export function testedHealth({ servers }: Tested, words: Words): readonly HealthRow[] {
  return servers.flatMap(({ version, hops }, server): HealthRow[] => {
    const of = servers.length > 1 ? ` · ${words.server(version)}` : '';
    if (hops === null)
      return [
        {
          id: `tested-${server}`,
          name: words.server(version),
          status: 'failed',
          detail: words.hopsFailed,
          command: 'spillway doctor',
        },
      ];
    return hops.map(({ id, status, detail, fix }, index) => ({
      id: `tested-${server}-${index}`,
      name: `${words.hops[id] ?? id}${of}`,
      status: STATES[status],
      said: detail,
      ...(fix === null ? {} : { fix }),
    }));
  });
}
