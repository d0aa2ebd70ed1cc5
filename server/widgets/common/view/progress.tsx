import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import {
  formatDuration,
  formatElapsed,
  formatNumber,
  formatSize,
} from '../../../../extension/words/format.ts';
import type { Run } from '../model/answer.ts';
import { hasEnded, type ToolWidget } from '../model/tool-widget.ts';
import type { WidgetWords } from '../words.ts';

/** How far a run is: a bar while it is active, and its numbers. */
export function RunProgress({
  widget,
  run,
}: {
  readonly widget: ToolWidget;
  readonly run: Run;
}): JSX.Element {
  const { value: words } = widget.words;
  const isLive = widget.isLive();
  const isOver = hasEnded(run);
  const { done, queued, failed, rate_per_second } = run.progress;
  const now = useNow(isLive && !isOver && run.started_at !== undefined);
  const elapsedMs = elapsedOf(run, now);
  return (
    <section aria-label={words.progress}>
      {!isOver && (isLive || queued > 0) && <Bar words={words} done={done} failed={failed} queued={queued} />}
      <dl class="numbers">
        <Fact name={words.done} value={formatNumber(done)} />
        {(!isOver || queued > 0) && <Fact name={words.queued} value={formatNumber(queued)} />}
        <Fact name={words.failed} value={formatNumber(failed)} isBad={failed > 0} />
        {isOver ? (
          <Outcome words={words} run={run} />
        ) : (
          <Fact name={words.rate} value={formatRate(rate_per_second, words)} />
        )}
        {elapsedMs !== null && (
          <Fact
            name={isOver ? words.took : words.elapsed}
            value={isOver ? formatDuration(elapsedMs) : formatElapsed(elapsedMs)}
          />
        )}
      </dl>
    </section>
  );
}

/** `3.2/s`; below one a second, `12/min`. */
function formatRate(perSecond: number, words: WidgetWords): string {
  const rounded = (rate: number): string => formatNumber(Math.round(rate * 10) / 10);
  return perSecond >= 1 || perSecond === 0
    ? words.perSecond(rounded(perSecond))
    : words.perMinute(rounded(perSecond * 60));
}

/** What a run that is over has brought. */
function Outcome({
  words,
  run: { progress, items, size_bytes },
}: {
  readonly words: WidgetWords;
  readonly run: Run;
}): JSX.Element {
  return (
    <>
      {items !== undefined && items !== progress.done && (
        <Fact name={words.items} value={formatNumber(items)} />
      )}
      {size_bytes !== undefined && <Fact name={words.size} value={formatSize(size_bytes)} />}
    </>
  );
}

/** Determinate as soon as it is known what is still to be done; failures are a part of what is done. */
function Bar({
  words,
  done,
  failed,
  queued,
}: {
  readonly words: WidgetWords;
  readonly done: number;
  readonly failed: number;
  readonly queued: number;
}): JSX.Element {
  const total = done + queued;
  const isKnown = total > 0 && queued > 0;
  const percent = isKnown ? Math.floor((done / total) * 100) : 0;
  const failedPercent = isKnown ? (Math.min(failed, done) / total) * 100 : 0;
  const soFar = words.doneOf(formatNumber(done), formatNumber(total));
  const summary = failed > 0 ? words.alsoFailed(soFar, formatNumber(failed)) : soFar;
  return (
    <div
      class={isKnown ? 'bar' : 'bar unknown'}
      role="progressbar"
      aria-label={words.progress}
      aria-valuetext={isKnown ? summary : words.doneSoFar(formatNumber(done))}
      {...(isKnown ? { 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': percent } : {})}
    >
      <span
        class="part"
        style={isKnown ? { width: `${(done / total) * 100 - failedPercent}%` } : undefined}
      />
      {isKnown && <span class="part bad" style={{ width: `${failedPercent}%` }} />}
    </div>
  );
}

interface FactProps {
  readonly name: string;
  readonly value: string;
  readonly isBad?: boolean;
}

const Fact = ({ name, value, isBad = false }: FactProps): JSX.Element => (
  <div class={isBad ? 'number bad' : 'number'}>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

function elapsedOf({ started_at, ended_at }: Run, now: number): number | null {
  const startedAt = Date.parse(started_at ?? '');
  if (Number.isNaN(startedAt)) return null;
  const endedAt = Date.parse(ended_at ?? '');
  return Math.max(0, (Number.isNaN(endedAt) ? now : endedAt) - startedAt);
}

/** The time, each second while it is wanted. */
function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}
