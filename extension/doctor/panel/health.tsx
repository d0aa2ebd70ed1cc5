import { Button, CopyButton, theirs } from '../../ui/kit.tsx';
import { useClock } from '../../ui/use-clock.ts';
import { useTexts } from '../../ui/words/use-texts.ts';
import { faultTexts, commandOf } from '../../ui/words/en/link.ts';
import { type SettingWords, settingTexts } from '../../ui/words/en/parts.ts';
import { usePanel } from '../../ui/frame/panel-context.tsx';
import type { PanelState } from '../../ui/frame/protocol.ts';
import type { ComponentChildren } from 'preact';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import type { PanelFeed } from '../../ui/frame/panel-feed.ts';
import { formatList, formatTime } from '../../ui/words/format.ts';
import { useEffect, useState } from 'preact/hooks';
import type { FeedAnswer } from '../../ui/frame/feed-port.ts';
import { CircleCheck, CircleDashed, CircleX, TriangleAlert } from 'lucide-preact';

type Words = SettingWords;

interface HealthRow {
  readonly id: string;
  readonly name: string;
  readonly status: keyof Words['states'];
  /** A sentence of ours; a program's words are in `said`. */
  readonly detail?: string;
  readonly said?: string | null;
  readonly fix?: string | null;
  readonly command?: string;
  readonly action?: 'allow_debugging';
}

type Own = PanelState['own'];

/** Facts of the extension: its permissions, the host, and the connected servers. */
function useOwnHealth(): readonly HealthRow[] {
  const { own, hasSiteAccess } = usePanel().state;
  const words = useTexts(settingTexts);
  const host = useHostRow(own);
  const access = { id: 'access', name: words.access } as const;
  const debugging = { id: 'debugging', name: words.debugging } as const;
  return [
    {
      id: 'extension',
      name: words.extension,
      status: 'ok',
      detail: words.extensionVersion({
        version: own.version,
        browser: `${own.browser.name} ${own.browser.version}`,
      }),
    },
    hasSiteAccess
      ? { ...access, status: 'ok', detail: words.hasAccess }
      : { ...access, status: 'failed', detail: words.noAccess, fix: words.fixAccess },
    own.isDebuggingCancelled
      ? { ...debugging, status: 'warning', detail: words.debuggingCancelled, action: 'allow_debugging' }
      : { ...debugging, status: 'ok', detail: words.canDebug },
    host,
    ...serverRows(own, words),
  ];
}

function useHostRow({ link, command }: Own): HealthRow {
  const words = useTexts(settingTexts);
  const { messages, remedies } = useTexts(faultTexts);
  const now = useClock(link.kind === 'failed');
  const base = { id: 'host', name: words.host } as const;
  if (link.kind === 'connected') return { ...base, status: 'ok', detail: words.connected };
  const { fault } = link;
  if (fault === null) return { ...base, status: 'skipped', detail: words.connecting };
  const message = messages[fault.kind];
  const seconds = link.kind === 'failed' ? Math.ceil((link.retryAt - now) / 1_000) : 0;
  return {
    ...base,
    status: 'failed',
    detail: seconds > 0 ? `${message} ${words.retryingIn({ seconds })}` : message,
    said: fault.message,
    fix: remedies[fault.kind],
    command: commandOf(fault.kind, command),
  };
}

function serverRows({ link, servers, version }: Own, words: Words): readonly HealthRow[] {
  if (link.kind !== 'connected') return [];
  if (servers.length === 0)
    return [{ id: 'servers', name: words.servers, status: 'skipped', detail: words.noServers }];
  return servers.map((server, index) => {
    const names = [...new Set(server.clients.map(({ name }) => name))];
    const isSame = server.version === version;
    return {
      id: `server-${index}`,
      name: words.server({ version: server.version }),
      status: isSame ? 'ok' : 'warning',
      detail: names.length === 0 ? words.servesNobody : words.serves({ agents: formatList(names) }),
      fix: isSame ? null : words.otherVersion({ extension: version }),
    };
  });
}

const STATES = { ok: 'ok', failed: 'failed', not_tested: 'skipped' } as const;

/** Servers' reports about the hops to a page, in their own words. */
function testedHealth({ servers }: Tested, words: Words): readonly HealthRow[] {
  return servers.flatMap(({ version, hops }, server): readonly HealthRow[] => {
    const id = `tested-${server}`;
    const name = words.server({ version });
    if (hops === null)
      return [{ id, name, status: 'failed', detail: words.hopsFailed, command: 'spillway doctor' }];
    const of = servers.length > 1 ? ` · ${name}` : '';
    return hops.map(({ id: hop, status, detail: said, fix }, index) => ({
      id: `${id}-${index}`,
      name: `${words.hops[hop] ?? hop}${of}`,
      status: STATES[status],
      said,
      fix,
    }));
  });
}

/** Each hop between agents and pages, and what to do about failing ones. */
export function Health() {
  const { state, feed, request } = usePanel();
  const settings = useTexts(settingTexts);
  const { tested, test } = useHops(feed);
  const rows = [...useOwnHealth(), ...testedHealth(tested, settings)];
  const again = (): void => {
    request({ type: 'retry' });
    test();
  };
  return (
    <section aria-labelledby="health-title">
      <div class="line title">
        <h2 id="health-title">{settings.health}</h2>
        {state.isPanel && <Button onClick={again}>{settings.testAgain}</Button>}
      </div>
      <p class="quiet" role="status">
        {tested.at === null ? settings.testing : settings.testedAt({ time: formatTime(tested.at) })}
      </p>
      <ul class="hops divided">
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </ul>
    </section>
  );
}

function Row({ row }: { readonly row: HealthRow }) {
  const { state, request } = usePanel();
  const settings = useTexts(settingTexts);
  const { status, name, detail, said = null, fix = null, command, action: type } = row;
  return (
    <Hop status={status} text={settings.states[status]}>
      <b>{name}</b>
      {detail !== undefined && <p>{reveal(detail)}</p>}
      {said !== null && <p class="quiet">{theirs(said)}</p>}
      {fix !== null && <p class="fix strong">{reveal(fix)}</p>}
      {command !== undefined && <Command text={command} label={settings.copyCommand} />}
      {type !== undefined && state.isPanel && (
        <Button kind="above" onClick={() => request({ type })}>
          {settings.allowDebugging}
        </Button>
      )}
    </Hop>
  );
}

/** For a terminal. */
export const Command = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <p class="command cluster above">
    <code>{text}</code>
    <CopyButton text={text} label={label} />
  </p>
);

/** Null for one that could not be asked. */
interface Tested {
  readonly servers: readonly {
    readonly version: string;
    readonly hops: FeedAnswer<'health.read'>['hops'] | null;
  }[];
  /** When all had answered; null before that. */
  readonly at: number | null;
}

/** Asks all servers for their health, at first and on demand. */
function useHops(feed: PanelFeed): { readonly tested: Tested; readonly test: () => void } {
  const [tested, setTested] = useState<Tested>({ servers: [], at: null });
  const [turn, setTurn] = useState(0);
  const names = feed.servers.value.map(({ server }) => server).join();
  useEffect(() => {
    /** A later test wins. */
    let isOver = false;
    setTested((before) => ({ ...before, at: null }));
    const servers = feed.servers.value.map(async ({ server, version }) => ({
      version,
      hops: (await feed.client.ask('health.read', { server }).catch(() => null))?.hops ?? null,
    }));
    void Promise.all(servers).then((answers) => {
      if (!isOver) setTested({ servers: answers, at: Date.now() });
    });
    return () => {
      isOver = true;
    };
  }, [feed, turn, names]);
  return { tested, test: () => setTurn(turn + 1) };
}

const ICONS = { ok: CircleCheck, failed: CircleX, warning: TriangleAlert, skipped: CircleDashed } as const;
const TONES = { ok: 'good', failed: 'bad', warning: 'wait', skipped: 'dim' } as const;

interface Props {
  readonly status: keyof typeof ICONS;
  /** The status in words. */
  readonly text: string;
  readonly children: ComponentChildren;
}

/** One of several hops, working or not. */
export function Hop({ status, text, children }: Props) {
  const Icon = ICONS[status];
  return (
    <li class={`hop ${status}`}>
      <span class={`fixed ${TONES[status]}`} role="img" aria-label={text} title={text}>
        <Icon size={16} aria-hidden="true" />
      </span>
      <div>{children}</div>
    </li>
  );
}
