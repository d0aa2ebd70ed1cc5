import { randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureRedis, redisArguments } from '../../scripts/lib/redis.mjs';
import { findFreePort } from '../../scripts/lib/server-process.ts';
import { McpClient } from '../lib/mcp-client.mjs';

const SERVER = process.env.SPILLWAY_SERVER ?? join(import.meta.dirname, '../../dist/index.js');
const SITE = join(import.meta.dirname, '../crawl/site.mjs');
const TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/** A folder, and processes that end with it. */
export function openRig() {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-scale-'));
  const ends = [];

  const start = (command, args, stdio) => {
    const child = spawn(command, args, { stdio });
    ends.push(async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    });
    return child;
  };

  // Home and workers share it, and only they.
  process.env.SPILLWAY_QUEUE_KEY ??= randomBytes(32).toString('hex');

  async function startQueue() {
    await ensureRedis(() => undefined);
    const port = await findFreePort();
    start('redis-server', redisArguments(port, folder), 'ignore');
    return `redis://127.0.0.1:${port}`;
  }

  /** A worker that is ready. Its health says how much it has done. */
  async function startWorker({ queue, browser, lanes }) {
    const socketPath = join(folder, `health-${ends.length}.sock`);
    const flags = ['--queue', queue, '--browser', browser, '--lanes', `${lanes}`];
    flags.push('--health-socket', socketPath);
    start(process.execPath, [SERVER, 'worker', ...flags], ['ignore', 'ignore', 'inherit']);
    const isReady = () =>
      new Promise((resolve) => {
        request({ socketPath }, (answer) => resolve(answer.resume().statusCode === 200))
          .once('error', () => resolve(false))
          .end();
      });
    while (!(await isReady())) await delay(POLL_MS);
  }

  async function startHome(...flags) {
    const home = new McpClient({
      command: process.execPath,
      args: [SERVER, '--home', mkdtempSync(join(folder, 'home-')), ...flags],
    });
    ends.push(() => home.close());
    await home.initialize(TIMEOUT_MS);
    return home;
  }

  /** A generated site. `left` ends it, and says how many paths were asked for, and how often at most. */
  async function startSite(...args) {
    const site = start(
      process.execPath,
      ['--import', 'tsx', SITE, ...args.map(String)],
      ['pipe', 'pipe', 'inherit'],
    );
    const lines = createInterface({ input: site.stdout });
    const [url] = await once(lines, 'line');
    const left = async () => {
      site.stdin.end();
      const [line] = await once(lines, 'line');
      return JSON.parse(line);
    };
    return { url: `${url}/`, left };
  }

  async function close() {
    for (const end of ends.reverse()) await end();
    rmSync(folder, { recursive: true, force: true });
  }
  return { startQueue, startWorker, startHome, startSite, close };
}

const json = async (home, tool, args) =>
  JSON.parse((await home.call(tool, args, TIMEOUT_MS)).content[0].text);

/**
 * Crawls to the end; `onStep` gets the state of the run now and then. `pages` and `tookMs` are what came after the first
 * `warmPages`, for which browsers start.
 */
export async function crawl(
  home,
  args,
  { everyMs = POLL_MS, warmPages = 0, onStep = (_run) => undefined } = {},
) {
  let warm = { items: 0, at: performance.now() };
  const { run_id } = await json(home, 'crawl', { render: 'never', max_depth: 1_000, ...args, async: true });
  for (;;) {
    const run = await json(home, 'run_status', { run_id });
    onStep(run);
    const at = performance.now();
    if (run.status === 'completed') return { pages: run.items - warm.items, tookMs: at - warm.at };
    if (warmPages > 0 && warm.items === 0 && run.items >= warmPages) warm = { items: run.items, at };
    if (run.status !== 'running' && run.status !== 'queued')
      throw new Error(`The crawl ${run.status}: ${run.error?.message}`);
    await delay(everyMs);
  }
}
