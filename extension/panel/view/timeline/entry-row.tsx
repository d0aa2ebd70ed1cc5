import { usePanelWords } from '../panel-context.ts';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Icon } from '../../components/marks.tsx';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { type Entry, isRefused, type ShownCall, type ShownEvent } from '../../feed/lines.ts';
import type { Row } from '../../feed/segments.ts';
import { formatDay, formatDuration, formatMoment, formatSize, formatTime } from '../../../words/format.ts';
import { CallInspector, useToolTitle } from '../call-inspector.tsx';

const MARKS = { running: 'busy', ok: 'good', failed: 'bad', waiting: 'wait' } as const;

export const classOfRow = (row: Row): string => {
  if (row.kind !== 'entry') return row.kind;
  const { entry } = row;
  return `${entry.kind} ${entry.kind !== 'call' ? '' : isRefused(entry) ? 'failed' : entry.state}`;
};

interface Props {
  readonly row: Row;
  readonly nameOf: (session: string) => string;
}

/** One line of the timeline: a call, another event, or the day or session of the lines below. */
export function RowLine({ row, nameOf }: Props): JSX.Element {
  const strings = usePanelWords();
  const entry = row.kind === 'entry' ? row.entry : null;
  // A new line on top moves all the others, and changes none of them.
  const line = useMemo(() => entry && <Line entry={entry} />, [entry, strings]);
  return (
    <>
      {line}
      {row.kind === 'day' && formatDay(row.at)}
      {row.kind === 'session' && <bdi>{reveal(nameOf(row.session))}</bdi>}
      {row.kind === 'unread' && <span class="unseen">{strings.timeline.reading}</span>}
    </>
  );
}

function Line({ entry }: { readonly entry: Entry }): JSX.Element {
  return (
    <>
      <time class="time" dateTime={new Date(entry.at).toISOString()} title={formatMoment(entry.at)}>
        {formatTime(entry.at)}
      </time>
      {entry.kind === 'call' ? <CallLine call={entry} /> : <EventLine event={entry} />}
    </>
  );
}

function CallLine({ call }: { readonly call: ShownCall }): JSX.Element {
  const strings = usePanelWords();
  const { state, code, durationMs, sizeBytes, progress, site, status } = call;
  const hasRefused = isRefused(call);
  const words = hasRefused ? `HTTP ${status}` : strings.timeline.states[state];
  return (
    <>
      <span class="mark" role="img" aria-label={words} title={words}>
        <Icon name={hasRefused ? 'bad' : MARKS[state]} size={12} />
      </span>
      <span class="what" title={reveal(`${call.agent} · ${call.tool}`)}>
        <CallInspector call={call} />
        {site !== null && call.args['url'] === undefined && <bdi class="site"> · {reveal(site)}</bdi>}
      </span>
      {state === 'failed' && code !== null && (
        <span class="code" title={reveal(code)}>
          {reveal(code)}
        </span>
      )}
      {hasRefused && <span class="code">{status}</span>}
      {progress !== null && progress.total !== null && (
        <progress
          max={progress.total}
          value={progress.done}
          aria-label={strings.now.progressOf(reveal(call.tool))}
        />
      )}
      <span class="figure">{durationMs === null ? '' : formatDuration(durationMs)}</span>
      <span class="figure">{sizeBytes === null ? '' : formatSize(sizeBytes)}</span>
    </>
  );
}

function EventLine({ event }: { readonly event: ShownEvent }): JSX.Element {
  const strings = usePanelWords();
  const titleOf = useToolTitle();
  return (
    <>
      <span class="mark" />
      <span class="what">
        {strings.timeline.events[event.event] ?? event.event}{' '}
        {event.tool !== null && <bdi class="tool">{titleOf(event.tool)}</bdi>}{' '}
        <bdi class="subject">{reveal(event.run ?? '')}</bdi>
      </span>
    </>
  );
}
