import type { JSX } from 'preact';
import { CircleCheck, CircleDashed, CircleX, TriangleAlert } from 'lucide-preact';
import { reveal } from '../../../../shared/policy/reveal.ts';
import type { SettingsStrings } from '../../words/settings.ts';
import type { PanelFeed } from '../../feed/panel-feed.ts';
import { formatTime } from '../../../words/format.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { useClock } from '../now/use-clock.ts';
import { ownHealth, testedHealth, type HealthRow } from './health-rows.ts';
import type { SettingsProps } from './props.ts';
import { useHops } from './use-hops.ts';

interface Props extends SettingsProps {
  readonly feed: PanelFeed;
}

const ICONS = { ok: CircleCheck, failed: CircleX, warning: TriangleAlert, skipped: CircleDashed } as const;

/** Each hop between agents and pages, and what to do about those that fail. */
export function Health({ state, feed, words: settings, request }: Props): JSX.Element {
  const now = useClock(state.own.link.kind === 'failed');
  const { tested, test } = useHops(feed);
  const rows = [...ownHealth(state, settings, now), ...testedHealth(tested, settings)];
  const again = (): void => {
    request({ type: 'retry' });
    test();
  };
  return (
    <section aria-labelledby="health-title">
      <div class="line title">
        <h2 id="health-title">{settings.health}</h2>
        {state.isPanel && (
          <button type="button" class="small" onClick={again}>
            {settings.testAgain}
          </button>
        )}
      </div>
      <p class="quiet" role="status">
        {tested.at === null ? settings.testing : settings.testedAt(formatTime(tested.at))}
      </p>
      <ul class="hops">
        {rows.map((row) => (
          <Hop
            key={row.id}
            row={row}
            words={settings}
            onAct={state.isPanel ? () => request({ type: 'allow_debugging' }) : null}
          />
        ))}
      </ul>
    </section>
  );
}

interface HopProps {
  readonly row: HealthRow;
  readonly words: SettingsStrings;
  /** Null where nothing can be changed. */
  readonly onAct: (() => void) | null;
}

function Hop({ row, words: settings, onAct }: HopProps): JSX.Element {
  const Icon = ICONS[row.status];
  const state = settings.states[row.status];
  return (
    <li class={`hop ${row.status}`}>
      <span class="mark" role="img" aria-label={state} title={state}>
        <Icon size={16} aria-hidden="true" />
      </span>
      <div>
        <b>{row.name}</b>
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
          <button type="button" class="small" onClick={onAct}>
            {settings.allowDebugging}
          </button>
        )}
      </div>
    </li>
  );
}
