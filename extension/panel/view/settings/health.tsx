import { Button, CopyButton } from '../../components/kit.tsx';
import { useClock } from '../../components/use-clock.ts';
import { useTexts } from '../../../words/use-texts.ts';
import { faultTexts, commandOf } from '../../../words/en/link.ts';
import { partTexts, type PartWords } from '../../../words/en/parts.ts';
import { usePanel } from '../panel-context.tsx';
import type { PanelState } from '../../protocol.ts';
import type { JSX, ComponentChildren } from 'preact';
import { reveal } from '../../../../shared/policy/reveal.ts';
import type { PanelFeed } from '../../feed/panel-feed.ts';
import { formatList, formatTime } from '../../../words/format.ts';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Answer } from '../../../ports/feed.ts';
import { CircleCheck, CircleDashed, CircleX, TriangleAlert } from 'lucide-preact';

type Words = PartWords['settings'];

interface HealthRow {
  readonly id: string;
  readonly name: string;
  readonly status: keyof Words['states'];
  /** A sentence of ours; a program's words are in `said`. */
  readonly detail?: string;
  readonly said?: string;
  readonly fix?: string;
  readonly command?: string;
  readonly action?: 'allow_debugging';
}

type State = Pick<PanelState, 'own' | 'hasSiteAccess'>;

/** Facts of the extension: its permissions, the host, and the connected servers. */
function ownHealth({ own, hasSiteAccess }: State, words: Words, host: HealthRow): readonly HealthRow[] {
  return [
    {
      id: 'extension',
      name: words.extension,
      status: 'ok',
      detail: words.extensionVersion(own.version, `${own.browser.name} ${own.browser.version}`),
    },
    hasSiteAccess
      ? { id: 'access', name: words.access, status: 'ok', detail: words.hasAccess }
      : { id: 'access', name: words.access, status: 'failed', detail: words.noAccess, fix: words.fixAccess },
    own.isDebuggingCancelled
      ? {
          id: 'debugging',
          name: words.debugging,
          status: 'warning',
          detail: words.debuggingCancelled,
          action: 'allow_debugging',
        }
      : { id: 'debugging', name: words.debugging, status: 'ok', detail: words.canDebug },
    host,
    ...serverRows(own, words),
  ];
}

/** @param now for the seconds until the next attempt */
function useHostRow({ link, command }: State['own'], now: number): HealthRow {
  const words = useTexts(partTexts).settings;
  const faults = useTexts(faultTexts);
  const base = { id: 'host', name: words.host } as const;
  if (link.kind === 'connected') return { ...base, status: 'ok', detail: words.connected };
  const { fault } = link;
  if (fault === null) return { ...base, status: 'skipped', detail: words.connecting };
  const { message, remedy } = faults[fault.kind];
  const seconds = link.kind === 'failed' ? Math.ceil((link.retryAt - now) / 1_000) : 0;
  return {
    ...base,
    status: 'failed',
    detail: seconds > 0 ? `${message} ${words.retryingIn(seconds)}` : message,
    ...(fault.message === null ? {} : { said: fault.message }),
    fix: remedy,
    command: commandOf(fault.kind, command),
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

/** Servers' reports about the hops to a page, in their own words. */
function testedHealth({ servers }: Tested, words: Words): readonly HealthRow[] {
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

/** Each hop between agents and pages, and what to do about failing ones. */
export function Health(): JSX.Element {
  const { state, feed, request } = usePanel();
  const settings = useTexts(partTexts).settings;
  const now = useClock(state.own.link.kind === 'failed');
  const { tested, test } = useHops(feed);
  const host = useHostRow(state.own, now);
  const rows = [...ownHealth(state, settings, host), ...testedHealth(tested, settings)];
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
        {tested.at === null ? settings.testing : settings.testedAt(formatTime(tested.at))}
      </p>
      <ul class="hops">
        {rows.map((row) => (
          <Row
            key={row.id}
            row={row}
            onAct={state.isPanel ? () => request({ type: 'allow_debugging' }) : null}
          />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  readonly row: HealthRow;
  /** Null if nothing can be changed. */
  readonly onAct: (() => void) | null;
}

function Row({ row: { status, name, ...row }, onAct }: RowProps): JSX.Element {
  const settings = useTexts(partTexts).settings;
  return (
    <Hop status={status} text={settings.states[status]}>
      <b>{name}</b>
      {row.detail !== undefined && <p>{reveal(row.detail)}</p>}
      {row.said !== undefined && (
        <p class="quiet">
          <bdi>{reveal(row.said)}</bdi>
        </p>
      )}
      {row.fix !== undefined && <p class="fix">{reveal(row.fix)}</p>}
      {row.command !== undefined && (
        <p class="command">
          <code>{row.command}</code>
          <CopyButton text={row.command} label={settings.copyCommand} />
        </p>
      )}
      {row.action !== undefined && onAct !== null && (
        <Button onClick={onAct}>{settings.allowDebugging}</Button>
      )}
    </Hop>
  );
}

/** Null for one that could not be asked. */
interface Tested {
  readonly servers: readonly {
    readonly version: string;
    readonly hops: Answer<'health.read'>['hops'] | null;
  }[];
  /** When all had answered; null before that. */
  readonly at: number | null;
}

/** Asks all servers for their health, at first and on demand. */
function useHops(feed: PanelFeed): { readonly tested: Tested; readonly test: () => void } {
  const [tested, setTested] = useState<Tested>({ servers: [], at: null });
  /** A later test wins. */
  const asked = useRef(0);
  const names = feed.servers.value.map(({ server }) => server).join();
  const test = useCallback(() => {
    const turn = (asked.current += 1);
    setTested((before) => ({ ...before, at: null }));
    const servers = feed.servers.value.map(async ({ server, version }) => ({
      version,
      hops: await feed.client.ask('health.read', { server }).then(
        ({ hops }) => hops,
        () => null,
      ),
    }));
    void Promise.all(servers).then((answers) => {
      if (turn === asked.current) setTested({ servers: answers, at: Date.now() });
    });
  }, [feed]);
  useEffect(() => {
    test();
    return () => {
      asked.current += 1;
    };
  }, [test, names]);
  return { tested, test };
}

const ICONS = { ok: CircleCheck, failed: CircleX, warning: TriangleAlert, skipped: CircleDashed } as const;

interface Props {
  readonly status: keyof typeof ICONS;
  /** The status in words. */
  readonly text: string;
  readonly children: ComponentChildren;
}

/** One of several hops, working or not. */
export function Hop({ status, text, children }: Props): JSX.Element {
  const Icon = ICONS[status];
  return (
    <li class={`hop ${status}`}>
      <span class="mark" role="img" aria-label={text} title={text}>
        <Icon size={16} aria-hidden="true" />
      </span>
      <div>{children}</div>
    </li>
  );
}
