import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ANSWER_METHODS } from '../../../shared/bridge/answers.ts';
import { launchContext, type TestContext } from '../../support/browser.ts';
import { PATIENCE } from '../../support/patience.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { FeedPageRig } from './feed-page.ts';

/* What a person opens in the panel, in the built extension, with built servers at the other end. */

const SECRET = `ghp_${'0123456789abcdefghijklmnopqrstuvwxyz'}`;
const HOME = `<!doctype html><title>Shop</title><h1>Shop</h1><p>Tea, <b>coffee</b> and ${SECRET}.</p>
<label>Name <input></label>`;

let site: Server;
let browser: TestContext;
let first: StdioServer;
let second: StdioServer;
let panel: FeedPageRig;
let base: string;

beforeAll(async () => {
  site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(HOME);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  browser = await launchContext();
  first = await startServer({ env: browser.serverEnv, clientName: 'first-agent' });
  second = await startServer({ env: browser.serverEnv, clientName: 'second-agent', home: first.home });
  await Promise.all([first.call('tabs'), second.call('tabs')]);
  panel = await FeedPageRig.open(browser.context);
  await vi.waitFor(async () => {
    const servers = await panel.servers();
    expect(servers.map(({ feed }) => feed)).toEqual(['live', 'live']);
  }, PATIENCE);
});
afterAll(async () => {
  // Of one home: each waits until the processes of both have gone.
  await Promise.all([first.close(), second.close()]);
  await browser.close();
  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
});

const homeOf = async (): Promise<string> => (await panel.servers())[0]?.home ?? '';

/** The calls of a tool that have ended, by their ids. */
const callsOf = async (tool: string): Promise<string[]> =>
  (await panel.events()).flatMap(({ event }) =>
    event.type === 'call' && event.phase === 'ended' && event.line['tool'] === tool
      ? [String(event.line['call_id'])]
      : [],
  );

/** What the newest call of a tool answered, once so many have ended. */
async function resultOf(tool: string, count: number) {
  await vi.waitFor(async () => expect(await callsOf(tool)).toHaveLength(count), PATIENCE);
  const call = (await callsOf(tool)).at(-1) ?? '';
  const answer = await panel.ask({ type: 'result', home: await homeOf(), call });
  return ANSWER_METHODS['call.result'].result.parse(answer).answer;
}

async function openTab(server: StdioServer): Promise<string> {
  const answer = await server.call('navigate', { url: base });
  expect(answer.isError, answer.text).toBe(false);
  return answer.json<{ readonly tab: { readonly tab: string } | string }>().tab as string;
}

describe('what a call answered', () => {
  it('is its text with its notes, whichever server of the home has made it, without a secret', async () => {
    await openTab(first);
    await openTab(second);
    await first.call('read_page');
    const one = await resultOf('read_page', 1);
    expect(one).toMatchObject({ ok: true, error: null, stored: null, picture: null });
    expect(one?.value).toContain('# Shop');
    expect(one?.notes.join('\n')).toContain('Untrusted page text');
    expect(one?.state).toMatchObject({ title: 'Shop' });
    expect(JSON.stringify(one)).not.toContain(SECRET);
    await second.call('read_page', { format: 'text' });
    expect((await resultOf('read_page', 2))?.value).toContain('coffee');
  });

  it('is JSON where the tool answers JSON, and a picture where it is one', async () => {
    await first.call('tabs');
    const tabs = await resultOf('tabs', 1);
    expect(Array.isArray(tabs?.value) || typeof tabs?.value === 'object').toBe(true);
    await first.call('screenshot', { as: 'image' });
    const shot = await resultOf('screenshot', 1);
    expect(shot?.picture?.mime_type).toMatch(/^image\//);
    expect(shot?.picture?.base64.length).toBeGreaterThan(100);
    expect(shot).not.toHaveProperty('value');
  });

  it('that failed at a step has the steps before it, as details and as state', async () => {
    await first.call('interact', {
      fields: { Name: 'Ada' },
      steps: ['click "No such button"', 'press Enter'],
    });
    const failed = await resultOf('interact', 1);
    const progress = { steps: 3, failed_step: 2, not_tried: ['press'] };
    expect(failed).toMatchObject({ ok: false, error: { body: progress }, state: { url: base, ...progress } });
    expect(failed).not.toHaveProperty('value');
  });

  it('that lost its tab while it waited has the tab', async () => {
    const tab = await openTab(first);
    const call = first.call('wait_for', { tab, text: 'never there', timeout_ms: 60_000 });
    await vi.waitFor(async () => {
      const begun = (await panel.events()).some(
        ({ event }) => event.type === 'call' && event.phase === 'begun' && event.line['tool'] === 'wait_for',
      );
      expect(begun).toBe(true);
    }, PATIENCE);
    for (const page of browser.context.pages()) if (page.url() === base) await page.close();
    const answer = await call;
    expect(answer.isError, answer.text).toBe(true);
    expect(await resultOf('wait_for', 1)).toMatchObject({ ok: false, state: { tab } });
  });

  it('is null for a call that nobody knows', async () => {
    expect(await panel.ask({ type: 'result', home: await homeOf(), call: 'nobody' })).toEqual({
      answer: null,
    });
  });
});

describe('stored outputs', () => {
  it('are read page by page, and searched', async () => {
    const home = await homeOf();
    await openTab(first);
    await first.call('read_page', { output_mode: 'handle' });
    const stored = (await resultOf('read_page', 3))?.stored;
    expect(stored).toMatchObject({ mime_type: 'text/markdown', preview: expect.stringContaining('Shop') });
    const handle = stored?.handle ?? '';
    const page = await panel.ask({ type: 'output_page', home, handle, limit: 64 });
    expect(ANSWER_METHODS['outputs.page'].result.parse(page)).toMatchObject({
      offset: 0,
      total: stored?.size_bytes,
    });
    const found = ANSWER_METHODS['outputs.search'].result.parse(
      await panel.ask({ type: 'output_search', home, handle, text: 'COFFEE' }),
    );
    expect(found).toMatchObject({
      matches: [{ match: 'coffee' }],
      next_offset: null,
      total: stored?.size_bytes,
    });
  });

  it('are deleted in no tab', async () => {
    const home = await homeOf();
    const { outputs } = (await panel.ask({ type: 'outputs', home })) as { outputs: { handle: string }[] };
    const handle = outputs[0]?.handle ?? '';
    await expect(panel.ask({ type: 'output_delete', home, handle })).rejects.toThrow('invalid_argument');
    expect(await panel.ask({ type: 'output_page', home, handle, limit: 64 })).toHaveProperty('total');
  });
});

it('the ledger has what was done on pages, and is intact', async () => {
  const home = await homeOf();
  const page = await vi.waitFor(async () => {
    const read = ANSWER_METHODS['ledger.page'].result.parse(await panel.ask({ type: 'ledger', home }));
    expect(read.is_intact).toBe(true);
    return read;
  }, PATIENCE);
  expect(page.lines.map(({ kind }) => kind)).toContain('act');
  expect(JSON.stringify(page)).not.toContain(SECRET);
});

it('the links between a server and its pages are well', async () => {
  const [server] = await panel.servers();
  const health = await panel.ask({ type: 'health', server: server?.server ?? '' });
  const { hops } = ANSWER_METHODS['health.read'].result.parse(health);
  expect(hops.filter(({ status }) => status === 'failed')).toEqual([]);
  expect(hops.find(({ id }) => id === 'worker')?.detail).toContain('echoes in');
});
