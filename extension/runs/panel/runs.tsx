import { Button, codeOf, Problem, KeyValues, theirs, useActions, Skeleton } from '../../ui/kit.tsx';
import {
  type Opening,
  useAttempt,
  useNobody,
  usePanel,
  usePanelWords,
} from '../../ui/frame/panel-context.tsx';
import { useContext } from 'preact/hooks';
import { WordsContext } from '../../ui/words/use-texts.ts';
import { ERRORS, isErrorCode } from '../../../shared/base/errors.ts';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { Notes } from '../../ui/general-render.tsx';
import { whyOf } from '../../ui/frame/feed-client.ts';
import type { ShownRun } from '../../ui/frame/home-lists.ts';
import { formatMoment, formatNumber, formatSize } from '../../ui/words/format.ts';
import { useToolTitle } from '../../ui/frame/call-face.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { RunError, RunWorkers, runStatusWord } from '../../ui/run-facts.tsx';
import { isActive, isStopped, ProgramCalls } from '../../programs/panel/program-calls.tsx';
import type { ItemsOfRun } from '../../ui/frame/results-store.ts';

/** The runs of all servers, their progress, and how to end or continue them. */
export function Runs({ opened, onOpen }: Opening) {
  const { feed } = usePanel();
  const { runs: words, ...strings } = usePanelWords();
  const { rows, state, hasMore } = feed.runs;
  const empty = useNobody() ?? (state.value === 'ready' ? words.nothing : null);
  return (
    <section aria-labelledby="runs-title">
      <h2 id="runs-title">{strings.parts.runs}</h2>
      {state.value === 'failed' && (
        <Problem again={{ name: strings.again, do: () => void feed.runs.refresh() }}>{words.failed}</Problem>
      )}
      {rows.value.length === 0 && empty !== null && <p class="quiet">{empty}</p>}
      <ul class="agents">
        {rows.value.map((shown) => (
          <RunRow
            key={`${shown.home} ${shown.run.run_id}`}
            shown={shown}
            isOpen={shown.run.run_id === opened}
            onOpen={onOpen}
          />
        ))}
      </ul>
      {hasMore.value && (
        <Button kind="above" onClick={() => void feed.runs.more()}>
          {strings.more}
        </Button>
      )}
    </section>
  );
}

/** Tools whose runs are programs, which have calls. */
const PROGRAMS: readonly string[] = ['script', 'workflow', 'recipe_run'];

interface RowProps extends Pick<Opening, 'onOpen'> {
  readonly shown: ShownRun;
  readonly isOpen: boolean;
}

function RunRow({ shown, isOpen, onOpen }: RowProps) {
  const { feed, state } = usePanel();
  const { runs: words } = usePanelWords();
  const { run } = shown;
  const [problem, attempt] = useAttempt();
  const act = async (type: Act): Promise<void> => {
    await attempt(feed.client.ask(type, { home: shown.home, run_id: run.run_id }));
    await feed.runs.refresh();
  };
  const waits = isWaiting(run);
  return (
    <li class="run">
      <div class="line">
        <span class="what">
          <b class="tool">{useToolTitle()(run.tool)}</b> <bdi class="subject">{reveal(run.source)}</bdi>
        </span>
        <span class={`status fixed quiet ${run.status}`}>
          {waits ? words.callStatuses.waiting : runStatusWord(run.status, useContext(WordsContext))}
        </span>
        {state.isPanel && <RunButtons run={run} act={act} />}
      </div>
      <HowFar run={run} />
      <p class="quiet">{words.began({ time: formatMoment(run.started_at_ms) })}</p>
      {!waits && <RunError error={run.error && { ...run.error, hint: hintOf(run.error.code) }} />}
      {run.notes !== undefined && run.notes.length > 0 && <Notes notes={run.notes} />}
      <RunOpens run={run} isOpen={isOpen} onOpen={onOpen} />
      {PROGRAMS.includes(run.tool) && (isOpen || waits || isStopped(run)) && <ProgramCalls shown={shown} />}
      <RunArguments run={run} />
      {isOpen && <RunItems items={feed.runItems.of(shown.home, run.run_id)} />}
      <Problem>{problem}</Problem>
    </li>
  );
}

const hintOf = (code: string): string | null => (isErrorCode(code) ? ERRORS[code].hint : null);

const isWaiting = ({ error }: ShownRun['run']): boolean => error?.code === 'workflow_waits';

type OfRun = { readonly run: ShownRun['run'] };

type Act = 'runs.cancel' | 'runs.resume';

function RunButtons({ run, act }: OfRun & { readonly act: (type: Act) => Promise<void> }) {
  const { runs: words, cancel } = usePanelWords();
  const id = run.run_id.slice(-6);
  const ends = isActive(run) || run.status === 'completed' || !run.has_arguments;
  return (
    <>
      {!ends && !isWaiting(run) && !isStopped(run) && (
        <Button aria-label={words.resumeOf({ run: id })} onClick={() => void act('runs.resume')}>
          {words.resume}
        </Button>
      )}
      {(isActive(run) || run.status === 'interrupted' || isStopped(run)) && (
        <Button kind="stop" aria-label={words.cancelOf({ run: id })} onClick={() => void act('runs.cancel')}>
          {cancel}
        </Button>
      )}
    </>
  );
}

/** The items of a run, and its output once it has ended. */
function RunOpens({ run, isOpen, onOpen }: OfRun & Pick<RowProps, 'isOpen' | 'onOpen'>) {
  const words = usePanelWords().runs;
  const { openOutput } = useActions();
  const { output_handle: handle } = run;
  const isOfCalls = PROGRAMS.includes(run.tool) && !isWaiting(run) && !isStopped(run);
  const [show, hide] = isOfCalls ? [words.showCalls, words.hideCalls] : [words.showItems, words.hideItems];
  const label = isOpen ? hide : show;
  return (
    <div class="run-opens cluster above">
      <Button
        aria-expanded={isOpen}
        aria-label={words.ofRun({ button: label, run: run.run_id.slice(-6) })}
        onClick={() => onOpen(isOpen ? null : run.run_id)}
      >
        {label}
      </Button>
      {handle !== null && openOutput !== null && (
        <Button onClick={() => openOutput(handle)}>{words.openOutput}</Button>
      )}
    </div>
  );
}

function RunArguments({ run: { args, args_left: left = 0 } }: OfRun) {
  const { runs: words, args: title } = usePanelWords();
  const given = Object.entries(args ?? {});
  if (given.length + left === 0) return null;
  return (
    <details class="run-arguments quiet above">
      <summary>{title}</summary>
      <KeyValues rows={given.map(([name, value]) => [codeOf(name), theirs(String(value))])} />
      {left > 0 && <p class="quiet">{words.argsLeft({ left: formatNumber(left) })}</p>}
    </details>
  );
}

function HowFar({ run }: OfRun) {
  const { runs: words, now } = usePanelWords();
  const { done, queued, failed, rate_per_second: rate, message } = run.progress;
  const isLive = isActive(run);
  return (
    <>
      {isLive && done + queued > 0 && (
        <progress max={done + queued} value={done} aria-label={now.progressOf({ tool: reveal(run.tool) })} />
      )}
      <p class="quiet">
        {words.progress({
          done: formatNumber(done),
          queued: formatNumber(queued),
          failed: formatNumber(failed),
        })}
        {isLive && ` · ${words.rate({ rate: formatNumber(rate) })}`}
        {` · ${words.items({ count: run.items })} · ${formatSize(run.size_bytes)}`}
      </p>
      {isLive && <RunWorkers workers={run.progress.workers} />}
      {isLive && message !== undefined && <p class="quiet">{theirs(message)}</p>}
    </>
  );
}

/** The items of a run as they come. New ones are appended, so that nothing moves under a reader. */
function RunItems({ items }: { readonly items: ItemsOfRun }) {
  const { runs: words, again, reading } = usePanelWords();
  const rows = items.items.value;
  const first = items.first.value;
  const total = items.total.value ?? 0;
  const state = items.state.value;
  return (
    <div class="run-items above">
      {state === 'reading' && <Skeleton lines={3} label={reading} />}
      {state === 'failed' && (
        <Problem again={{ name: again, do: () => void items.refresh() }}>
          {words.itemsFailed} {whyOf(items.failure.value)}
        </Problem>
      )}
      {state === 'ready' && rows.length === 0 && <p class="quiet">{words.noItems}</p>}
      {rows.length > 0 && (
        <>
          {first > 0 && <Button onClick={() => void items.earlier()}>{words.earlierItems}</Button>}
          <RecordTable rows={rows} offset={first} total={total} />
          {first + rows.length < total && (
            <Button onClick={() => void items.refresh()}>
              {words.moreItems({ left: formatNumber(total - first - rows.length) })}
            </Button>
          )}
        </>
      )}
    </div>
  );
}
