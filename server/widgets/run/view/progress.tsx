import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { Run } from '../model/answer.ts';
import { formatBytes, formatCount, formatDuration, formatRate } from '../model/format.ts';
import { hasEnded } from '../model/widget.ts';

/** How far a run is: a bar while it is active, and its numbers. */
export function RunProgress({ run, isLive }: { readonly run: Run; readonly isLive: boolean }): JSX.Element {
  const isOver = hasEnded(run);
  const { done, queued, failed, rate_per_second } = run.progress;
  const now = useNow(isLive && !isOver && run.started_at !== undefined);
  const elapsedMs = elapsedOf(run, now);
  return (
    <section aria-label="Progress">
      {!isOver && (isLive || queued > 0) && <Bar done={done} failed={failed} queued={queued} />}
      <dl class="numbers">
        <Fact name="Done" value={formatCount(done)} />
        {(!isOver || queued > 0) && <Fact name="Queued" value={formatCount(queued)} />}
        <Fact name="Failed" value={formatCount(failed)} isBad={failed > 0} />
        {isOver ? <Outcome run={run} /> : <Fact name="Rate" value={formatRate(rate_per_second)} />}
        {elapsedMs !== null && <Fact name={isOver ? 'Took' : 'Elapsed'} value={formatDuration(elapsedMs)} />}
      </dl>
    </section>
  );
}

/** What a run that is over has brought. */
function Outcome({ run: { progress, items, size_bytes } }: { readonly run: Run }): JSX.Element {
  return (
    <>
      {items !== undefined && items !== progress.done && <Fact name="Items" value={formatCount(items)} />}
      {size_bytes !== undefined && <Fact name="Size" value={formatBytes(size_bytes)} />}
    </>
  );
}

/** Determinate as soon as it is known what is still to be done; failures are a part of what is done. */
function Bar({
  done,
  failed,
  queued,
}: {
  readonly done: number;
  readonly failed: number;
  readonly queued: number;
}): JSX.Element {
  const total = done + queued;
  const isKnown = total > 0 && queued > 0;
  const percent = isKnown ? Math.floor((done / total) * 100) : 0;
  const failedPercent = isKnown ? (Math.min(failed, done) / total) * 100 : 0;
  const summary = `${formatCount(done)} of ${formatCount(total)} done${failed > 0 ? `, ${formatCount(failed)} failed` : ''}`;
  return (
    <div
      class={isKnown ? 'bar' : 'bar unknown'}
      role="progressbar"
      aria-label="Progress"
      aria-valuetext={isKnown ? summary : `${formatCount(done)} done`}
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
