import { invalidArgument } from '../../shared/base/errors.ts';
import type { RunView } from '../core/runs.ts';
import { systemClock } from '../core/services.ts';
import { isAsking, questionsOf } from '../programs/waiting.ts';
import { parseSince } from '../core/arguments.ts';
import { alignColumns, plain, printReport, styleOf, type CommandIo } from '../core/command-io.ts';
import { runsOf } from '../programs/command.ts';

/** Flags of `spillway run list`. */
export interface RunListOptions {
  readonly home: string;
  readonly count: string;
  readonly recipe?: string | undefined;
  /** How often the recipe should run: 15m, 2h, 1d. */
  readonly every?: string | undefined;
  readonly json?: boolean | undefined;
}

/** A run with what a schedule has to know about it. */
export interface ListedRunLine {
  readonly run_id: string;
  /** Of the recipe; `script` for a program without a name. */
  readonly name: string;
  readonly status: string;
  readonly started_at: string;
  readonly seconds: number | null;
  /** The question to a person, and where they answer. */
  readonly waits_for: string | null;
  readonly error: string | null;
  /** Runs of the same recipe that were active when this one began. */
  readonly overlaps: readonly string[];
  /** Runs that should have begun between this one and the next. */
  readonly missed: number;
}

const COUNT_MAX = 1_000;
const ACTIVE: ReadonlySet<string> = new Set(['queued', 'running', 'waiting']);

/**
 * `spillway run list`: the newest runs of recipes and programs, which of them wait for a person, and, with the interval of a
 * schedule, which are missing. Resolves to the exit code: 1 if a run waits, has failed, overlaps or is missing.
 * @throws SpillwayError `invalid_argument`, `store_read_failed`
 */
export async function runList(options: RunListOptions, io: CommandIo): Promise<number> {
  const { home, recipe, every, count } = options;
  const now = systemClock.now();
  if (!/^\d{1,4}$/.test(count) || Number(count) < 1 || Number(count) > COUNT_MAX)
    throw invalidArgument(`--count: takes a number from 1 to ${COUNT_MAX}.`);
  if (every !== undefined && recipe === undefined)
    throw invalidArgument('--every: needs --recipe, whose schedule it is.');
  const everyMs = every === undefined ? null : now - parseSince(every, now, '--every');
  if (everyMs !== null && everyMs <= 0)
    throw invalidArgument('--every: takes an interval such as 15m, 2h, 1d.');
  const runs = runsOf(home);
  try {
    const lists = await Promise.all(
      ['recipe_run', 'script'].map((tool) => runs.list({ count: COUNT_MAX, tool })),
    );
    const views = lists
      .flatMap((list) => list.runs)
      .filter(({ source }) => recipe === undefined || source === recipe)
      .toSorted((a, b) => b.started_at_ms - a.started_at_ms)
      .slice(0, Number(count));
    const lines = formatRuns(views, { everyMs, now });
    printReport(io, options, { runs: lines }, () => format(lines, io));
    const isFine = ({ waits_for, error, overlaps, missed }: ListedRunLine): boolean =>
      waits_for === null && error === null && overlaps.length === 0 && missed === 0;
    return lines.every(isFine) ? 0 : 1;
  } finally {
    await runs.close();
  }
}

/** @param views the newest first */
export function formatRuns(
  views: readonly RunView[],
  { everyMs, now }: { readonly everyMs: number | null; readonly now: number },
): ListedRunLine[] {
  const endOf = ({ status, ended_at_ms: end, started_at_ms: start }: RunView): number =>
    ACTIVE.has(status) ? now : (end ?? start);
  return views.map((view, at) => {
    const { run_id: id, source, status, started_at_ms: start, ended_at_ms: end, error } = view;
    const next = views[at - 1]?.started_at_ms ?? now;
    const message = ACTIVE.has(status) ? view.progress.message : undefined;
    const [question] = questionsOf(view);
    const waits = isAsking(message)
      ? `a decision in the side panel: ${message}`
      : question && `“${question.question.message}”: spillway run answer ${id} ANSWER`;
    const others = views.slice(at + 1).filter((one) => one.source === source && endOf(one) > start);
    return {
      run_id: id,
      name: source,
      status,
      started_at: new Date(start).toISOString(),
      seconds: end === null ? null : Math.round((end - start) / 1_000),
      waits_for: waits ?? null,
      error:
        status === 'failed' || (status === 'interrupted' && error !== null) ? (error?.code ?? status) : null,
      overlaps: others.map((one) => one.run_id),
      // A run may begin late; half an interval later does not count as a miss.
      missed: everyMs === null ? 0 : Math.max(0, Math.round((next - start) / everyMs) - 1),
    };
  });
}

function format(lines: readonly ListedRunLine[], io: CommandIo): string {
  if (lines.length === 0) return 'There is no such run in this home. Runs are kept as long as handles.\n';
  const style = styleOf(io);
  const [head = '', ...body] = alignColumns([
    ['started (UTC)', 'run', 'recipe', 'status', 'took'],
    ...lines.map(({ started_at, run_id, name, status, seconds }) => [
      ...[started_at.slice(0, 19).replace('T', ' '), run_id, plain(name), status],
      seconds === null ? '–' : `${seconds} s`,
    ]),
  ]);
  const notes = lines.map(({ waits_for, error, overlaps, missed }) => [
    ...(waits_for === null ? [] : [`waits for ${plain(waits_for)}`]),
    ...(error === null ? [] : [`failed with ${plain(error)}`]),
    ...(overlaps.length === 0 ? [] : [`began while ${overlaps.join(', ')} was active`]),
    ...(missed === 0 ? [] : [`after it, ${missed} ${missed === 1 ? 'run is' : 'runs are'} missing`]),
  ]);
  const rows = body.flatMap((row, at) => [
    row,
    ...(notes[at] ?? []).map((note) => style.caution(`    ! ${note}`)),
  ]);
  return `${[style.faint(head), ...rows].join('\n')}\n`;
}
