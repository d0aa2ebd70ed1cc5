import { Button, useActions, Badge, codeOf, KeyValues, theirs } from './kit.tsx';
import { type Figure, Numbers } from './figures.tsx';
import { useClock } from './use-clock.ts';
import { toChildArray } from 'preact';
import { useContext } from 'preact/hooks';
import { lookUp, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import { reveal } from '../../shared/core/policy/reveal.ts';
import { formatDuration, formatElapsed, formatNumber, formatSize } from './words/format.ts';
import type { Language } from './words/locale.ts';
import { faceTexts } from './words/en/faces.ts';
import { wordOf } from './call-line.tsx';
import { asRecord, asRecords, asTime, figure, format, momentOf, numberIn, textIn } from './read-json.ts';
import { useTexts, WordsContext } from './words/use-texts.ts';
import type { Streaming, Tone } from './faces/face.ts';
import { RecordTable } from './record-table.tsx';

function useRunWords() {
  const words = useTexts(faceTexts);
  return { ...words, ...words.runs };
}
type RunWords = ReturnType<typeof useRunWords>;

type BarProps = { readonly progress: JsonValue | undefined; readonly isLive?: boolean };

/**
 * A run discovers its work as it proceeds: its total is the known work, and failures count as done.
 * @param isLive progress arrives by itself; otherwise nothing is animated
 */
export function RunProgress({ progress, isLive = false }: BarProps) {
  const words = useRunWords();
  const done = numberIn(progress, 'done');
  const left = numberIn(progress, 'queued') ?? 0;
  const failed = numberIn(progress, 'failed') ?? 0;
  if (done === null || (left === 0 && !isLive)) return null;
  const doing = textIn(progress, 'message');
  const all = done + left;
  const isKnown = left > 0;
  const percent = (done / Math.max(1, all)) * 100;
  const failedPercent = (Math.min(failed, done) / Math.max(1, all)) * 100;
  const soFar = isKnown
    ? words.done({ done: formatNumber(done), all: formatNumber(all) })
    : words.doneSoFar({ done: formatNumber(done) });
  return (
    <div class="c-progress">
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
      {doing !== null && <bdi class="c-doing">{reveal(doing)}</bdi>}
    </div>
  );
}

/** Who reads for a run, and the hosts that keep them waiting. */
export function RunWorkers({ progress }: Pick<BarProps, 'progress'>) {
  const words = useRunWords();
  const workers = asRecord(asRecord(progress)['workers']);
  const [count, hosts] = [numberIn(workers, 'count'), asRecords(workers['slowest'])];
  if (count === null) return null;
  return (
    <p class="quiet c-quiet">
      {words.workers({ count })} · {words.lanes({ count: numberIn(workers, 'lanes') ?? 0 })}
      {hosts.length > 0 && ` · ${words.slowest}:`}
      {hosts.map((host, at) => [
        at === 0 ? ' ' : ', ',
        <bdi>{reveal(textIn(host, 'host') ?? '')}</bdi>,
        ` ${formatDuration(numberIn(host, 'mean_ms') ?? 0)}`,
      ])}
    </p>
  );
}

type RunProps = { readonly run: JsonObject; readonly isLive?: boolean };

function RunNumbers({ run, isLive }: Required<RunProps>) {
  const words = useRunWords();
  const { progress } = run;
  const [started, ended] = [asTime(run['started_at']), asTime(run['ended_at'])];
  const isOpen = ended === null;
  const now = useClock(isLive && isOpen && started !== null);
  const until = isLive ? (ended ?? now) : ended;
  const ms = started === null || until === null ? null : Math.max(0, until - started);
  // The bar shows what is done while there is one.
  const hasBar = isLive || (numberIn(progress, 'queued') ?? 0) !== 0;
  const hasNoOther = run['items'] === asRecord(progress)['done'];
  const all: readonly Figure[] = [
    [words.finished, hasBar ? null : figure(progress, 'done', formatNumber)],
    [words.items, hasNoOther ? null : figure(run, 'items', formatNumber)],
    [words.failed, figure(progress, 'failed', formatNumber), (numberIn(progress, 'failed') ?? 0) > 0],
    isOpen
      ? [words.rate, figure(progress, 'rate_per_second', (rate) => formatRate(rate, words))]
      : [words.size, figure(run, 'size_bytes', formatSize)],
    isOpen ? [words.elapsed, format(ms, formatElapsed)] : [words.took, format(ms, formatDuration)],
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

/** Whether an answer is a run's state rather than its items. */
export const isRun = (value: JsonObject): boolean => textIn(value, 'run_id') !== null;

/**
 * A run's progress, speed and end.
 * @param run as `run_status` answers it, or a part of that
 */
export function RunFacts({ run, isLive = false }: RunProps) {
  const words = useRunWords();
  const language = useContext(WordsContext);
  const status = textIn(run, 'status');
  const [id, output] = [textIn(run, 'run_id'), textIn(run, 'output_handle')];
  const { openRun, openOutput } = useActions();
  const buttons = toChildArray([
    id !== null && openRun && <Button onClick={() => openRun(id)}>{words.openRun}</Button>,
    output !== null && openOutput && <Button onClick={() => openOutput(output)}>{words.openOutput}</Button>,
  ]);
  return (
    <section class="f-part">
      <p class="c-line">
        {status !== null && <Badge tone={toneOfRun(status)}>{runStatusWord(status, language)}</Badge>}
        {id !== null && <code class="c-quiet">{reveal(id)}</code>}
      </p>
      <RunProgress progress={run['progress']} isLive={isLive} />
      <RunWorkers progress={run['progress']} />
      <RunNumbers run={run} isLive={isLive} />
      <KeyValues
        rows={[
          [words.tool, codeOf(textIn(run, 'tool'))],
          [words.started, momentOf(run['started_at'])],
          [words.storedAs, codeOf(output)],
        ]}
      />
      <RunError error={run['error']} isWanted={status === 'cancelled'} />
      {buttons.length > 0 && <p class="c-actions">{buttons}</p>}
    </section>
  );
}

export const runStatusWord = (status: string, language: Language): string =>
  wordOf(faceTexts(language).runs.status, status) ?? reveal(status);

type ErrorProps = { readonly error: JsonValue | undefined; readonly isWanted?: boolean };

/** @param isWanted somebody ended it on purpose, so it is not shown as a failure */
export function RunError({ error, isWanted = false }: ErrorProps) {
  const [code, message] = [textIn(error, 'code'), textIn(error, 'message') ?? ''];
  const hint = textIn(error, 'hint');
  if (code === null) return null;
  if (isWanted) return <p class="c-quiet">{reveal(message)}</p>;
  return (
    <div class="f-error">
      <p>
        <code>{reveal(code)}</code> <bdi>{reveal(message)}</bdi>
      </p>
      {hint !== null && <p>{reveal(hint)}</p>}
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
        <div class="c-progress">
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
