import { subscribe } from 'node:diagnostics_channel';
import type { ChildProcess } from 'node:child_process';
import { appendFileSync, readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';

/*
 * A setup file of `npm test -- --profile`: appends a line for each test file to `SPILLWAY_PROFILE`, with the CPU
 * seconds of the worker and of the processes that it started. Linux only: the figures are those of /proc.
 */

const TICKS_PER_SECOND = 100;

interface Usage {
  readonly parent: number;
  /** CPU seconds of the process. */
  readonly own: number;
  /** CPU seconds of the children that it has waited for, and of theirs. */
  readonly reaped: number;
}

function usageOf(pid: number | 'self'): Usage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const seconds = (field: number): number => Number(fields[field]) / TICKS_PER_SECOND;
    return { parent: Number(fields[1]), own: seconds(11) + seconds(12), reaped: seconds(13) + seconds(14) };
  } catch {
    return null;
  }
}

/** CPU seconds of processes that run, with everything below them. */
function liveSeconds(pids: readonly number[]): number {
  const usages = new Map<number, Usage>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const usage = Number.isInteger(pid) ? usageOf(pid) : null;
    if (usage !== null) usages.set(pid, usage);
  }
  const below = (pid: number): number => {
    const usage = usages.get(pid);
    if (usage === undefined) return 0;
    let sum = usage.own + usage.reaped;
    for (const [child, { parent }] of usages) if (parent === pid) sum += below(child);
    return sum;
  };
  return pids.reduce((sum, pid) => sum + below(pid), 0);
}

/** Tools and scripts of the repository; what is left of Node's programs are servers. */
const BUILDS =
  /(?:^|[\s/])(?:vite|vitest|rolldown|tsc|oxlint|oxfmt|knip|npm|npx|npm-cli|npx-cli)(?:\.m?js|\.cmd)?(?:\s|$)|(?:^|[\s/])scripts\//;

function kindOf({ spawnfile, spawnargs }: ChildProcess): string {
  if (/chrom/i.test(basename(spawnfile))) return 'browser';
  if (BUILDS.test(spawnfile) || spawnargs.some((arg) => BUILDS.test(arg))) return 'build';
  return /^(?:node|strace)/.test(basename(spawnfile)) ? 'server' : 'other';
}

interface WorkerState {
  /** Where the lines go. */
  readonly file: string;
  readonly live: Map<ChildProcess, string>;
  readonly seconds: Record<string, number>;
  readonly starts: Record<string, number>;
  reaped: number;
  own: number;
}

const KEY = Symbol.for('spillway.profile');
const world = globalThis as typeof globalThis & { [KEY]?: WorkerState };

function takeReaped(state: WorkerState, kind: string): void {
  const reaped = usageOf('self')?.reaped ?? 0;
  state.seconds[kind] = (state.seconds[kind] ?? 0) + reaped - state.reaped;
  state.reaped = reaped;
}

function begin(file: string): WorkerState {
  const state: WorkerState = { file, live: new Map(), seconds: {}, starts: {}, reaped: 0, own: 0 };
  subscribe('child_process', (message) => {
    const { process: child } = message as { readonly process: ChildProcess };
    child.once('spawn', () => {
      const kind = kindOf(child);
      state.live.set(child, kind);
      state.starts[kind] = (state.starts[kind] ?? 0) + 1;
    });
    child.once('exit', () => {
      const kind = state.live.get(child) ?? kindOf(child);
      state.live.delete(child);
      takeReaped(state, kind);
    });
  });
  return state;
}

const { SPILLWAY_PROFILE: asked } = process.env;
if (asked !== undefined) world[KEY] ??= begin(asked);
// Processes that tests start may run tests too, which are not files of this run.
delete process.env.SPILLWAY_PROFILE;
const state = world[KEY];
if (state !== undefined) {
  const startedAt = performance.now();
  const total = (): Record<string, number> => {
    takeReaped(state, 'other');
    const own = usageOf('self')?.own ?? 0;
    const sums: Record<string, number> = { ...state.seconds, own };
    for (const [{ pid }, kind] of state.live)
      if (pid !== undefined) sums[kind] = (sums[kind] ?? 0) + liveSeconds([pid]);
    return sums;
  };
  // A worker that has run no file yet has spent its start on this one.
  const before = state.own === 0 ? {} : total();
  const startsBefore = { ...state.starts };
  let imported = 0;
  beforeAll(() => {
    imported = usageOf('self')?.own ?? 0;
  });
  afterAll(() => {
    const after = total();
    state.own = after.own ?? 0;
    const kinds = Object.fromEntries(
      Object.entries(after).map(([kind, seconds]) => [kind, seconds - (before[kind] ?? 0)]),
    );
    const importing = imported - (before.own ?? 0);
    const starts = Object.fromEntries(
      Object.entries(state.starts).map(([kind, count]) => [kind, count - (startsBefore[kind] ?? 0)]),
    );
    const line = {
      file: expect.getState().testPath,
      wallSeconds: (performance.now() - startedAt) / 1000,
      cpuSeconds: { ...kinds, own: undefined, import: importing, test: (kinds.own ?? 0) - importing },
      starts,
    };
    appendFileSync(state.file, `${JSON.stringify(line)}\n`);
  });
}
