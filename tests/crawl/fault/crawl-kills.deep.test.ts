import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { Graph } from '../../../fixtures/crawl-graph.ts';
import { serveCrawlGraph } from '../../../fixtures/crawl-graph-server.ts';
import { PATIENCE } from '../../support/patience.ts';
import { findBelow, findProcesses, isBrowser, waitForNoProcess } from '../../support/processes.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { testFolder } from '../../support/test-folder.ts';

const SIZE = 120;
const KILLS = 200;
/** Items between two kills are at most so many. */
const APART = 12;
/** After which a run that does not end is stuck. */
const RESUMES_MAX = 100;
/** A call waits a minute for the extension, whose killed process the browser starts again at its next alarm. */
const UNTIL_BACK = { ...PATIENCE, timeout: 4 * PATIENCE.timeout };

/** Each page but the first is linked from one other: who loses a page loses all below it. */
function tree(size: number, fanOut: number): Graph {
  const path = (at: number): string => (at === 0 ? '/' : `/docs/part-${at}`);
  const nodes: Record<string, Graph['nodes'][string]> = {};
  for (let at = 0; at < size; at += 1) {
    const children = Array.from({ length: fanOut }, (_, nth) => at * fanOut + nth + 1);
    nodes[path(at)] = { kind: 'page', links: children.filter((to) => to < size).map(path), words: 2_000 };
  }
  return { nodes, robots: null, sitemaps: {} };
}

/** Numbers from 0 to 1, the same in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Item {
  readonly url: string;
  readonly depth: number;
  readonly status: number;
  readonly markdown: string;
  readonly links: readonly string[];
  readonly error?: object | undefined;
}

interface View {
  readonly run_id: string;
  readonly status: string;
  readonly items: number;
  readonly error?: { readonly code: string };
}

const isActive = ({ status }: View): boolean => status === 'queued' || status === 'running';
const isExtension = (command: string): boolean => command.includes('--extension-process');

/** Processes of the parser and of crawled pages, the newest last, without the process of the first tab. */
function pageProcesses(server: number): readonly number[] {
  const browser = findBelow(server, isBrowser);
  const own = findProcesses('--user-data-dir=').find(({ pid }) => pid === browser)?.command ?? '';
  const profile = /--user-data-dir=\S+/.exec(own)?.[0] ?? own;
  const ageOf = (command: string): number => Number(/--renderer-client-id=(\d+)/.exec(command)?.[1]);
  return findProcesses(profile)
    .filter(({ command }) => command.includes('--type=renderer') && !isExtension(command))
    .toSorted((one, other) => ageOf(one.command) - ageOf(other.command))
    .map(({ pid }) => pid)
    .slice(1);
}

const VICTIMS: Readonly<Record<string, (server: number) => readonly number[]>> = {
  server: (server) => [server],
  host: (server) => [findBelow(server, (command) => command.includes('host.js'))],
  browser: (server) => [findBelow(server, isBrowser)],
  worker: (server) => [findBelow(server, isExtension)],
  parser: pageProcesses,
  page: (server) => pageProcesses(server).slice(-1),
};

/** Kills it, unless it has not started yet. */
function kill(victim: string, server: number): boolean {
  try {
    const pids = VICTIMS[victim]?.(server) ?? [];
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    return pids.length > 0;
  } catch {
    return false;
  }
}

const viewOf = async (server: StdioServer, run_id: string): Promise<View> =>
  (await server.call('run_status', { run_id })).json<View>();

async function itemsOf(server: StdioServer, run_id: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const answer = await server.call('run_output', { run_id, offset });
    const page: { content: Item[]; next_offset: number | null } = answer.json();
    items.push(...page.content);
    offset = page.next_offset;
  }
  return items
    .map(({ url, depth, status, markdown, links, error }) => ({
      ...{ url, depth, status, markdown, links, error },
    }))
    .sort((one, other) => (one.url < other.url ? -1 : 1));
}

/** Resolves when the run has so many items, or no longer runs. */
const until = (server: StdioServer, run_id: string, items: number): Promise<View> =>
  vi.waitFor(async () => {
    const now = await viewOf(server, run_id);
    if (isActive(now) && now.items < items) throw new Error(`The run stays ${JSON.stringify(now)}.`);
    return now;
  }, PATIENCE);

test('whatever is killed during crawls, they complete with every page, whole and once', async () => {
  const random = seeded(1);
  const pick = <T>(of: readonly T[]): T | undefined => of[Math.floor(random() * of.length)];
  const site = await serveCrawlGraph(tree(SIZE, 3), { latencyMs: 15 });
  const home = testFolder();
  const start = (): Promise<StdioServer> => startServer({ home, args: ['--launch', '--headless'] });
  let server = await start();
  const begin = async (render: string): Promise<string> => {
    const args = { url: `${site.url}/`, max_pages: 1_000, max_depth: 50, concurrency: 4, render };
    // The browser may just have been killed.
    return vi.waitFor(async () => {
      const answer = await server.call('crawl', { ...args, async: true });
      expect(answer.isError, answer.text).toBe(false);
      return answer.json<View>().run_id;
    }, UNTIL_BACK);
  };
  const undisturbed = await begin('never');
  await until(server, undisturbed, Infinity);
  const whole = await itemsOf(server, undisturbed);
  expect(whole).toHaveLength(SIZE);
  for (let kills = 0, crawls = 0; kills < KILLS; crawls += 1) {
    const render = crawls % 3 === 1 ? 'always' : 'never';
    const victims = Object.keys(VICTIMS).filter((name) => name !== (render === 'never' ? 'page' : 'parser'));
    const run_id = await begin(render);
    let resumes = 0;
    let now = await viewOf(server, run_id);
    while (now.status !== 'completed') {
      if (!isActive(now)) {
        expect(['interrupted', 'failed'], JSON.stringify(now)).toContain(now.status);
        expect(resumes, JSON.stringify(now)).toBeLessThan(RESUMES_MAX);
        await server.call('run_resume', { run_id, async: true });
        resumes += 1;
      }
      const isEnough = kills >= KILLS;
      now = await until(server, run_id, isEnough ? Infinity : now.items + 1 + Math.floor(random() * APART));
      if (isEnough || !isActive(now)) continue;
      // At any moment of a page.
      await sleep(random() * 30);
      const victim = pick(victims) ?? '';
      if (!kill(victim, server.pid)) continue;
      kills += 1;
      if (victim !== 'server') continue;
      await server.client.close().catch(() => undefined);
      await waitForNoProcess(home);
      server = await start();
      now = await viewOf(server, run_id);
    }
    expect(await itemsOf(server, run_id)).toEqual(whole);
  }
  // The last kill may have come when there was nothing left to read.
  const { tabs } = await vi.waitFor(async () => {
    const answer = await server.call('tabs');
    expect(answer.isError, answer.text).toBe(false);
    return answer.json<{ tabs: readonly { url: string }[] }>();
  }, UNTIL_BACK);
  expect(tabs.filter(({ url }) => url.startsWith(site.url))).toEqual([]);
  await server.close();
  await site.close();
}, 3_600_000);
