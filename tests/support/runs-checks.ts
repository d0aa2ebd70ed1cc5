import { expect } from 'vitest';
import { temporaryHome } from './home.ts';
import { committedPages, dumpRun, findRun, graphStart, LONG_WAIT, openGraphRuns } from './runs-graph.ts';
import { startOf } from './traced.ts';

export interface Line {
  readonly done?: number;
  readonly run_id?: string;
  readonly ended?: string;
  readonly refused?: string;
}

export type Graph = Parameters<typeof graphStart>[0];

export const SMALL: Graph = { pages: 6, size: 3_000, at_once: 2 };
export const node = await startOf(new URL('./runs-program.ts', import.meta.url));
export const program = (home: string, { pages, size, at_once }: Graph, command = 'work'): string[] =>
  node(...[command, home, pages, size, at_once].map(String));

export async function undisturbed(graph: Graph) {
  const home = await temporaryHome();
  const runs = openGraphRuns(home);
  const { run_id } = await runs.start(graphStart(graph));
  await runs.wait(run_id, LONG_WAIT);
  await runs.close();
  return dumpRun(home, run_id);
}

export async function expectAnswered(home: string, lines: readonly Line[]): Promise<string | undefined> {
  const runs = openGraphRuns(home);
  const runId = await findRun(home, runs);
  const answered = lines.flatMap(({ done }) => (done === undefined ? [] : [done]));
  const pages = runId === undefined ? [] : await committedPages(runs, runId);
  expect(new Set(pages).size).toBe(pages.length);
  expect(answered.filter((page) => !pages.includes(page))).toEqual([]);
  if (lines.some(({ run_id }) => run_id !== undefined)) expect(runId).toBeDefined();
  await runs.close();
  return runId;
}

/** Resumes a killed run, in a separate server, to its end. */
async function finish(home: string, runId: string): Promise<void> {
  const runs = openGraphRuns(home);
  const { status } = await runs.get(runId);
  if (status !== 'completed') await runs.wait((await runs.resume(runId)).run_id, LONG_WAIT);
  await runs.close();
}

/** Every answered page is present, and the run reaches the same result as an undisturbed one. */
export async function expectFinishes(home: string, lines: readonly Line[], expected: object): Promise<void> {
  const runId = await expectAnswered(home, lines);
  if (runId === undefined) return;
  await finish(home, runId);
  expect(await dumpRun(home, runId)).toEqual(expected);
}
