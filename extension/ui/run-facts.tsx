import { Button, useActions, Badge, codeOf, KeyValues, theirs } from './kit.tsx';
import { type Figure, Numbers } from './figures.tsx';
import { useClock } from './use-clock.ts';
import { toChildArray } from 'preact';
import { useContext } from 'preact/hooks';
import { lookUp, type JsonValue } from '../../shared/base/json.ts';
import { reveal } from '../../shared/core/policy/reveal.ts';
import { readShown } from '../../shared/core/tools/shown.ts';
import { formatDuration, formatElapsed, formatNumber, formatSize } from './words/format.ts';
import type { Language } from './words/locale.ts';
import { faceTexts } from './words/en/faces.ts';
import { wordOf } from './call-line.tsx';
import { asTime, figure, momentOf } from './shown.ts';
import { useTexts, WordsContext } from './words/use-texts.ts';
import type { Maybe, ShownRun, Streaming, Tone } from './faces/face.ts';
import { RecordTable } from './record-table.tsx';

function useRunWords() {
  const words = useTexts(faceTexts);
  return { ...words, ...words.runs };
}
type RunWords = ReturnType<typeof useRunWords>;

type Progress = NonNullable<ShownRun['progress']>;
type BarProps = { readonly progress: Progress | undefined; readonly isLive?: boolean };

/**
 * A run discovers its work as it proceeds: its total is the known work, and failures count as done.
 * @param isLive progress arrives by itself; otherwise nothing is animated
 */
export function RunProgress({ progress, isLive = false }: BarProps) {
  const words = useRunWords();
  if (progress === undefined || (progress.queued === 0 && !isLive)) return null;
  const { done, queued: left, failed, message: doing } = progress;
  const all = done + left;
  const isKnown = left > 0;
  const percent = (done / Math.max(1, all)) * 100;
  const failedPercent = (Math.min(failed, done) / Math.max(1, all)) * 100;
  const soFar = isKnown
    ? words.done({ done: formatNumber(done), all: formatNumber(all) })
    : words.doneSoFar({ done: formatNumber(done) });
  return (
    <div class="c-progress together number">
      <div
        class={isKnown ? 'c-run-bar' : 'c-run-bar unknown'}
        role="progressbar"
        aria-label={words.progress}
        aria-valuetext={failed > 0 ? words.alsoFailed({ text: soFar, failed: formatNumber(failed) }) : soFar}
        {...(isKnown && { 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': Math.floor(percent) })}
      >
        <span style={isKnown ? { width: `${percent - failedPercent}%` } : undefined} />
        {isKnown && <span class="bad" style={{ width: `${failedPercent}%` }} />}
      </div>
      <span aria-hidden="true">{soFar}</span>
      {doing !== undefined && <bdi class="clip">{reveal(doing)}</bdi>}
    </div>
  );
}

/** Who reads for a run, and the hosts that keep them waiting. */
export function RunWorkers({ workers }: Pick<Progress, 'workers'>) {
  const words = useRunWords();
  if (workers === undefined) return null;
  const { count, lanes, slowest: hosts } = workers;
  return (
    <p class="quiet">
      {words.workers({ count })} · {words.lanes({ count: lanes })}
      {hosts.length > 0 && ` · ${words.slowest}:`}
      {hosts.map(({ host, mean_ms: ms }, at) => [
        at === 0 ? ' ' : ', ',
        <bdi>{reveal(host)}</bdi>,
        ` ${formatDuration(ms)}`,
      ])}
    </p>
  );
}

type RunProps = { readonly run: ShownRun; readonly isLive?: boolean };

function RunNumbers({ run, isLive }: Required<RunProps>) {
  const words = useRunWords();
  const { done, queued = 0, failed = 0, rate_per_second: speed }: Partial<Progress> = run.progress ?? {};
  const [started, ended] = [asTime(run.started_at), asTime(run.ended_at)];
  const isOpen = ended === null;
  const now = useClock(isLive && isOpen && started !== null);
  const until = isLive ? (ended ?? now) : ended;
  const ms = started === null || until === null ? null : Math.max(0, until - started);
  // The bar shows what is done while there is one.
  const hasBar = isLive || queued !== 0;
  const hasNoOther = run.items === done;
  const all: readonly Figure[] = [
    [words.finished, hasBar ? null : figure(done, formatNumber)],
    [words.items, hasNoOther ? null : figure(run.items, formatNumber)],
    [words.failed, formatNumber(failed), failed > 0],
    isOpen
      ? [words.rate, figure(speed, (rate) => formatRate(rate, words))]
      : [words.size, figure(run.size_bytes, formatSize)],
    isOpen ? [words.elapsed, figure(ms, formatElapsed)] : [words.took, figure(ms, formatDuration)],
  ];
  return <Numbers all={all} />;
}

/** `3.2/s`; below one per second, `12/min`. */
function formatRate(perSecond: number, words: RunWords): string {
  const rounded = (rate: number): string => formatNumber(Math.round(rate * 10) / 10);
  return perSecond >= 1 || perSecond === 0
    ? words.perSecond({ rate: rounded(perSecond) })
    : words.perMinute({ rate: rounded(perSecond * 60) });
}

const TONES: Readonly<Record<string, Tone>> = {
  queued: 'wait',
  running: 'busy',
  completed: 'good',
  failed: 'bad',
  cancelled: 'off',
  waiting: 'wait',
  interrupted: 'wait',
};

/** The colour of a run's status. */
export const toneOfRun = (status: string): Tone => lookUp(TONES, status) ?? 'plain';

/** An answer or a state that is a run's, rather than its items. */
export function runIn(value: JsonValue | undefined): ShownRun | null {
  const run = readShown('run_status', { value })?.value;
  return run?.run_id === undefined ? null : run;
}

/**
 * A run's progress, speed and end.
 * @param run as `run_status` answers it, or a part of that
 */
export function RunFacts({ run, isLive = false }: RunProps) {
  const words = useRunWords();
  const language = useContext(WordsContext);
  const { run_id: id, status, output_handle: output, progress } = run;
  const { openRun, openOutput } = useActions();
  const buttons = toChildArray([
    id !== undefined && openRun && <Button onClick={() => openRun(id)}>{words.openRun}</Button>,
    output != null && openOutput && <Button onClick={() => openOutput(output)}>{words.openOutput}</Button>,
  ]);
  return (
    <section class="f-part">
      <p class="cluster">
        {status !== undefined && <Badge tone={toneOfRun(status)}>{runStatusWord(status, language)}</Badge>}
        {id !== undefined && <code class="dim">{reveal(id)}</code>}
      </p>
      <RunProgress progress={progress} isLive={isLive} />
      <RunWorkers workers={progress?.workers} />
      <RunNumbers run={run} isLive={isLive} />
      <KeyValues
        rows={[
          [words.tool, codeOf(run.tool ?? null)],
          [words.started, momentOf(run.started_at)],
          [words.storedAs, codeOf(output ?? null)],
        ]}
      />
      <RunError error={run.error} isWanted={status === 'cancelled'} />
      {buttons.length > 0 && <p class="cluster">{buttons}</p>}
    </section>
  );
}

export const runStatusWord = (status: string, language: Language): string =>
  wordOf(faceTexts(language).runs.status, status) ?? reveal(status);

interface ErrorProps {
  readonly error: Maybe<{ readonly code: string; readonly message: string; readonly hint?: Maybe<string> }>;
  readonly isWanted?: boolean;
}

/** @param isWanted somebody ended it on purpose, so it is not shown as a failure */
export function RunError({ error, isWanted = false }: ErrorProps) {
  if (error == null) return null;
  const { code, message, hint } = error;
  if (isWanted) return <p class="dim">{reveal(message)}</p>;
  return (
    <div class="f-error">
      <p>
        <code>{reveal(code)}</code> <bdi>{reveal(message)}</bdi>
      </p>
      {hint != null && <p>{reveal(hint)}</p>}
    </div>
  );
}

/** In unfinished work people look for the newest items. */
const NEWEST = 10;

/** The first progress is there. */
export const RunStreaming: Streaming = ({ call: { progress }, items }) => {
  const words = useRunWords();
  if (progress === null) return null;
  const { done, total, message } = progress;
  const newest = items.slice(-NEWEST);
  return (
    <div class="f-face">
      <div role="status">
        {message !== null && <p>{theirs(message)}</p>}
        <div class="c-progress together number">
          <progress
            aria-label={words.progress}
            {...(total !== null && { max: Math.max(1, total), value: done })}
          />
          <span>
            {total === null
              ? formatNumber(done)
              : words.done({ done: formatNumber(done), all: formatNumber(total) })}
          </span>
        </div>
      </div>
      {newest.length > 0 && (
        <section class="f-part">
          <h3>{words.newest}</h3>
          <RecordTable rows={newest} offset={items.length - newest.length} total={items.length} />
        </section>
      )}
    </div>
  );
};
