import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { JsonObject, JsonValue } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatDuration, formatElapsed, formatNumber, formatSize } from '../../../words/format.ts';
import type { Language } from '../../../words/languages.ts';
import { asNumber, asRecord, asText, asTime } from '../read-json.ts';
import { runWords } from './words.ts';

interface BarProps {
  readonly progress: JsonValue | undefined;
  readonly language: Language;
  /** News of it come by themselves: nothing moves where none do. */
  readonly isLive?: boolean;
}

/** A run finds its work as it goes: what it knows of is its total, and failures are a part of what is done. */
export function RunProgress({ progress, language, isLive = false }: BarProps): JSX.Element | null {
  const words = runWords[language];
  const { done: made, queued, failed: bad, message } = asRecord(progress);
  const [done, left, failed] = [asNumber(made), asNumber(queued) ?? 0, asNumber(bad) ?? 0];
  if (done === null || (left === 0 && !isLive)) return null;
  const doing = asText(message);
  const all = done + left;
  const isKnown = left > 0;
  const failedPercent = (Math.min(failed, done) / Math.max(1, all)) * 100;
  const soFar = isKnown
    ? words.done(formatNumber(done), formatNumber(all))
    : words.doneSoFar(formatNumber(done));
  return (
    <div class="c-progress">
      <div
        class={isKnown ? 'c-run-bar' : 'c-run-bar unknown'}
        role="progressbar"
        aria-label={words.progress}
        aria-valuetext={failed > 0 ? words.alsoFailed(soFar, formatNumber(failed)) : soFar}
        {...(isKnown
          ? { 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': Math.floor((done / all) * 100) }
          : {})}
      >
        <span style={isKnown ? { width: `${(done / all) * 100 - failedPercent}%` } : undefined} />
        {isKnown && <span class="bad" style={{ width: `${failedPercent}%` }} />}
      </div>
      <span aria-hidden="true">{soFar}</span>
      {doing !== null && <bdi class="c-doing">{reveal(doing)}</bdi>}
    </div>
  );
}

interface NumbersProps {
  readonly run: JsonObject;
  readonly language: Language;
  readonly isLive: boolean;
}

/** What a run has brought, how fast and in what time. */
export function RunNumbers({ run, language, isLive }: NumbersProps): JSX.Element | null {
  const now = useNow(isLive && asTime(run['ended_at']) === null && asTime(run['started_at']) !== null);
  const numbers = [...countsOf(run, language, isLive), ...speedOf(run, language, isLive ? now : null)];
  if (numbers.length === 0) return null;
  return (
    <dl class="c-numbers">
      {numbers.map(([name, value, isBad = false]) => (
        <div key={name} class={isBad ? 'bad' : undefined}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type Figure = readonly [name: string, value: string, isBad?: boolean];

function countsOf(run: JsonObject, language: Language, isLive: boolean): readonly Figure[] {
  const words = runWords[language];
  const { done: made, queued, failed: bad } = asRecord(run['progress']);
  const [done, failed, items] = [asNumber(made), asNumber(bad), asNumber(run['items'])];
  const figures: Figure[] = [];
  // The bar says it while there is one.
  if (done !== null && !isLive && (asNumber(queued) ?? 0) === 0)
    figures.push([words.finished, formatNumber(done)]);
  if (items !== null && items !== done) figures.push([words.items, formatNumber(items)]);
  if (failed !== null) figures.push([words.failures, formatNumber(failed), failed > 0]);
  return figures;
}

/** @param now null for a run of which no news come */
function speedOf(run: JsonObject, language: Language, now: number | null): readonly Figure[] {
  const words = runWords[language];
  const [started, ended] = [asTime(run['started_at']), asTime(run['ended_at'])];
  const [rate, size] = [asNumber(asRecord(run['progress'])['rate_per_second']), asNumber(run['size_bytes'])];
  const figures: Figure[] = [];
  if (ended === null && rate !== null) figures.push([words.rate, formatRate(rate, language)]);
  if (ended !== null && size !== null) figures.push([words.size, formatSize(size)]);
  const until = ended ?? now;
  if (started !== null && until !== null) {
    const ms = Math.max(0, until - started);
    figures.push(ended === null ? [words.elapsed, formatElapsed(ms)] : [words.took, formatDuration(ms)]);
  }
  return figures;
}

/** `3.2/s`; below one a second, `12/min`. */
function formatRate(perSecond: number, language: Language): string {
  const words = runWords[language];
  const rounded = (rate: number): string => formatNumber(Math.round(rate * 10) / 10);
  return perSecond >= 1 || perSecond === 0
    ? words.perSecond(rounded(perSecond))
    : words.perMinute(rounded(perSecond * 60));
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
