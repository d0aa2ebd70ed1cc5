import { beforeAll, expect, it } from 'vitest';
import type { CallAnswer } from '../support/call-tool.ts';
import { waitForNoProcess } from '../support/processes.ts';
import { QuestionRig, sharedFiles, type Shopping } from '../support/question-rig.ts';
import type { StdioServer } from '../support/stdio-server.ts';
import { within } from '../support/within.ts';

/*
 * One hop of the path ends while a call is on its way from the question to its end. Whatever happens: the page's server sees the
 * form at most once, and never without a line of the ledger before; the call ends with a code; no card stays that
 * nobody can use; and what was not done is not done later either.
 */

/** Longer than any wait for a browser that is away. */
const END_MS = 30_000;
const order = { steps: ['click text=Buy'] };

let rig: QuestionRig;
beforeAll(async () => {
  rig = await QuestionRig.start();
});

/** How a call ended, as its agent sees it. */
type End = CallAnswer | 'gone';
const codeOf = (end: End): string | undefined => (end === 'gone' ? 'gone' : end.code());

/** Who ends, and comes back where somebody would start it again. */
const VICTIMS = {
  'the worker': () => rig.worker.end(),
  'the native host': () => rig.killHost(),
  'the browser': async () => {
    await rig.killBrowser();
    await rig.startBrowser();
  },
  'the tab': ({ site }: Shopping) => rig.closeTab(site),
  'the server': async ({ server, home }: Shopping) => {
    process.kill(server.pid, 'SIGKILL');
    await waitForNoProcess(home);
  },
  "the agent's client": ({ server }: Shopping) => server.client.close(),
} as const;
type Victim = keyof typeof VICTIMS;

/** How far the call has come. */
const MOMENTS = {
  'a question is shown': () => rig.person.card(),
  'the line of the act is written': async () => {
    rig.stage.hold('act');
    await rig.person.allow();
    await rig.stage.held('act');
  },
  'the page acts': async () => {
    rig.holdsOrders = true;
    await rig.person.allow();
    await rig.orderHeld();
  },
  'the line of the outcome is written': async () => {
    rig.stage.hold('outcome');
    await rig.person.allow();
    await rig.stage.held('outcome');
  },
} as const;
type Moment = keyof typeof MOMENTS;

/** Ends one hop at one moment. */
async function fault(moment: Moment, victim: Victim): Promise<{ shopping: Shopping; ending: Promise<End> }> {
  const shopping = await rig.shop();
  const ending = shopping.server.call('interact', order).catch((): End => 'gone');
  await MOMENTS[moment]();
  await VICTIMS[victim](shopping);
  return { shopping, ending };
}

const isGone = ({ client }: StdioServer): boolean => client.transport === undefined;

/** A server of the home can open the site again, which comes after all that was on its way. */
async function expectSound(
  { home, orders, verify, server, start, site, lines }: Shopping,
  done: number,
): Promise<void> {
  rig.stage.clear();
  rig.freeOrders();
  const next = isGone(server) ? await start() : server;
  for (let tries = 0; ; tries += 1) {
    const opened = await within(END_MS, next.call('navigate', { url: `${site}/` }), 'the page to open');
    if (!opened.isError) break;
    expect(tries, opened.text).toBeLessThan(2);
  }
  expect(orders().map(({ hadLine }) => hadLine)).toEqual(Array(done).fill(true));
  expect(lines('act').length).toBeGreaterThanOrEqual(done);
  expect(verify()).toContain('intact');
  expect(sharedFiles(home)).toEqual([]);
}

it.each([
  ['a question is shown', 'the browser', 'tab_not_found'],
  ['a question is shown', 'the tab', 'tab_not_found'],
  ['a question is shown', "the agent's client", 'gone'],
  ['the line of the act is written', 'the worker', 'browser_disconnected'],
  ['the line of the act is written', 'the native host', 'browser_disconnected'],
  ['the line of the act is written', 'the browser', 'browser_disconnected'],
  ['the line of the act is written', 'the tab', 'tab_not_found'],
  ['the line of the act is written', 'the server', 'gone'],
  ['the line of the act is written', "the agent's client", 'gone'],
] as const)('nothing is done if, while %s, %s ends: the call says %s', async (moment, victim, code) => {
  const { shopping, ending } = await fault(moment, victim);
  rig.stage.clear();
  const end = await within(END_MS, ending, 'the call to end');
  await rig.person.isLeftAlone();
  await expectSound(shopping, 0);
  expect(codeOf(end)).toBe(code);
});

it.each([
  ['the page acts', 'the worker', 'browser_disconnected'],
  ['the page acts', 'the native host', 'browser_disconnected'],
  ['the page acts', 'the browser', 'browser_disconnected'],
  ['the page acts', 'the tab', undefined],
  ['the page acts', 'the server', 'gone'],
  ['the page acts', "the agent's client", 'gone'],
  ['the line of the outcome is written', 'the worker', undefined],
  ['the line of the outcome is written', 'the native host', undefined],
  ['the line of the outcome is written', 'the browser', undefined],
  ['the line of the outcome is written', 'the tab', undefined],
  ['the line of the outcome is written', 'the server', 'gone'],
  ['the line of the outcome is written', "the agent's client", 'gone'],
] as const)('it is done once if, while %s, %s ends: the call says %s', async (moment, victim, code) => {
  const { shopping, ending } = await fault(moment, victim);
  rig.stage.clear();
  const end = await within(END_MS, ending, 'the call to end');
  await rig.person.isLeftAlone();
  await expectSound(shopping, 1);
  expect(codeOf(end)).toBe(code);
});

it('a question that is shown, and one behind it, survive their native host, and both can be allowed', async () => {
  const shopping = await rig.shop();
  const { server, site, start } = shopping;
  const other = await start();
  expect((await other.call('navigate', { url: `${site}/` })).isError).toBe(false);
  const first = server.call('interact', order);
  await rig.person.card();
  const behind = other.call('interact', order);
  await expect.poll(() => rig.countQuestions()).toBe(2);
  await rig.killHost();
  await rig.person.allow();
  expect((await first).text).toContain('done 1');
  await rig.person.allow();
  expect((await behind).text).toContain('done 1');
  await expectSound(shopping, 2);
});

/** A call whose caller has left, and the id by which it is resumed. */
async function leave(): Promise<{ readonly shopping: Shopping; readonly id: string }> {
  const shopping = await rig.shop(['--sync-wait-ms', '300']);
  const left = await shopping.server.call('interact', order);
  expect(left.code(), left.text).toBe('approval_required');
  return { shopping, id: /Id: (\S+?)"/.exec(left.text)?.[1] ?? '' };
}

it.each(['the worker', 'the native host'] as const)(
  'a late yes, after %s ended, does nothing until the call is resumed, and then once',
  async (victim) => {
    const { shopping, id } = await leave();
    const { server, orders } = shopping;
    await VICTIMS[victim]();
    await rig.person.allow();
    await rig.person.isLeftAlone();
    expect((await server.call('tabs')).isError).toBe(false);
    expect(orders()).toEqual([]);
    expect((await server.call('resume_call', { id })).text).toContain('done 1');
    expect((await server.call('resume_call', { id })).code()).toBe('call_not_pending');
    await expectSound(shopping, 1);
  },
);

it('a call that was left and whose browser ended says so when it is resumed', async () => {
  const { shopping, id } = await leave();
  await VICTIMS['the browser']();
  await rig.person.isLeftAlone();
  const end = await within(END_MS, shopping.server.call('resume_call', { id }), 'the call to end');
  expect(end.code(), end.text).toBe('tab_not_found');
  await expectSound(shopping, 0);
});

it('a browser that does not come back ends the call, which says what to do', async () => {
  const shopping = await rig.shop();
  const ending = shopping.server.call('interact', order);
  await rig.person.card();
  await rig.killBrowser();
  const end = await within(END_MS, ending, 'the call to end');
  await rig.startBrowser();
  expect(end.code(), end.text).toBe('browser_disconnected');
  expect(end.text).toContain('hint');
  await expectSound(shopping, 0);
});

it('a yes to a server that was killed does nothing, and the next one has to ask again', async () => {
  const { shopping, ending } = await fault('a question is shown', 'the server');
  expect(await ending).toBe('gone');
  await rig.person.allow();
  await rig.person.isLeftAlone();
  const next = await shopping.start();
  expect((await next.call('navigate', { url: `${shopping.site}/` })).isError).toBe(false);
  const again = next.call('interact', order);
  await rig.person.deny('That was for the other one.');
  expect((await again).code()).toBe('call_denied');
  await expectSound(shopping, 0);
});

it('a question of a server that was killed ends when a minute has passed, and the ledger says so', async () => {
  const { shopping, ending } = await fault('a question is shown', 'the server');
  expect(await ending).toBe('gone');
  await rig.wake();
  await rig.stepClocks({ wallMs: 0, monotonicMs: 61_000 });
  await rig.wake();
  await rig.person.isLeftAlone();
  await expectSound(shopping, 0);
  await expect
    .poll(() => shopping.lines('question_end'))
    .toMatchObject([{ site: shopping.site, outcome: 'withdrawn' }]);
  await rig.stepClocks({ wallMs: 0 });
});
