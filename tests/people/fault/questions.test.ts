import { expect, it, vi } from 'vitest';
import { itDeep, sample } from '../../support/depth.ts';
import { within } from '../../support/within.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { waitForNoProcess } from '../../support/processes.ts';
import { QuestionRig, sharedFiles, type Shopping } from '../../support/question-rig.ts';

/** Far longer than any wait for a browser that is away. */
const END_MS = 200_000;
const order = { steps: ['click text=Buy'] };

/** How a call ended, as its agent sees it. */
type End = CallAnswer | 'gone';
const codeOf = (end: End): string | undefined => (end === 'gone' ? 'gone' : end.code());

/** One browser for a test file, and the possible failures while a person is asked. */
async function startQuestionFaults() {
  const rig = await QuestionRig.start();
  /** The process that ends, and is restarted if somebody would do so. */
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

  async function fault(
    moment: Moment,
    victim: Victim,
  ): Promise<{ shopping: Shopping; ending: Promise<End> }> {
    const shopping = await rig.shop();
    const ending = shopping.server.call('interact', order).catch((): End => 'gone');
    await MOMENTS[moment]();
    await VICTIMS[victim](shopping);
    return { shopping, ending };
  }

  /** A server of the home can open the site again, after everything in flight. */
  async function expectSound(
    { home, orders, verify, server, start, site, lines }: Shopping,
    done: number,
  ): Promise<void> {
    rig.stage.clear();
    rig.freeOrders();
    const next = server.client.transport === undefined ? await start() : server;
    // The browser may be away longer than one call waits for it.
    await expect
      .poll(async () => (await next.call('navigate', { url: `${site}/` })).isError, { timeout: END_MS })
      .toBe(false);
    expect(orders().map(({ hadLine }) => hadLine)).toEqual(Array(done).fill(true));
    expect(lines('act').length).toBeGreaterThanOrEqual(done);
    expect(verify()).toContain('intact');
    expect(sharedFiles(home)).toEqual([]);
  }

  /** A call whose caller has left, and the id by which it is resumed. */
  async function leave(): Promise<{ readonly shopping: Shopping; readonly id: string }> {
    const shopping = await rig.shop(['--sync-wait-ms', '300']);
    const left = await shopping.server.call('interact', order);
    expect(left.code(), left.text).toBe('approval_required');
    return { shopping, id: /Id: (\S+?)"/.exec(left.text)?.[1] ?? '' };
  }

  return { rig, victims: VICTIMS, fault, expectSound, leave };
}

/*
 * One hop of the path ends while a call is between its question and its end. Whatever happens: the page's server
 * receives the form at most once, and never before its ledger line; the call ends with a code; no unusable card stays;
 * and an undone act is not done later either.
 */

vi.setConfig({ testTimeout: 300_000 });
const { rig, victims, fault, expectSound, leave } = await startQuestionFaults();

const NOT_DONE = [
  ['the line of the act is written', 'the native host', 'browser_disconnected'],
  ['a question is shown', 'the browser', 'tab_not_found'],
  ['a question is shown', 'the tab', 'tab_not_found'],
  ['a question is shown', "the agent's client", 'gone'],
  ['the line of the act is written', 'the worker', 'browser_disconnected'],
  ['the line of the act is written', 'the server', 'gone'],
] as const;
const DONE = [
  ['the line of the outcome is written', 'the worker', undefined],
  ['the page acts', 'the worker', 'browser_disconnected'],
  ['the page acts', 'the native host', 'browser_disconnected'],
  ['the page acts', 'the browser', 'browser_disconnected'],
  ['the page acts', 'the tab', undefined],
  ['the page acts', 'the server', 'gone'],
  ['the page acts', "the agent's client", 'gone'],
  ['the line of the outcome is written', 'the native host', undefined],
  ['the line of the outcome is written', 'the server', 'gone'],
] as const;
it.each([
  ...sample(NOT_DONE, 9).map((ends) => [0, ...ends] as const),
  ...sample(DONE, 12).map((ends) => [1, ...ends] as const),
])('it is done %i times if, while %s, %s ends: the call says %s', async (done, moment, victim, code) => {
  const { shopping, ending } = await fault(moment, victim);
  rig.stage.clear();
  const end = await within(END_MS, ending, 'the call to end');
  await rig.person.isLeftAlone();
  await expectSound(shopping, done);
  // On a busy machine a browser starts again only after the call has given it up.
  if (victim === 'the browser') expect([code, 'browser_disconnected']).toContain(codeOf(end));
  else expect(codeOf(end)).toBe(code);
});

itDeep(
  'a yes that could not be written to the ledger does nothing, and allows the same call once there is room',
  async () => {
    const shopping = await rig.shop();
    const acting = shopping.server.call('interact', order);
    await rig.person.card();
    rig.stage.fill('decision');
    await rig.person.allow();
    const refused = await acting;
    expect(refused.code(), refused.text).toBe('ledger_unavailable');
    expect(shopping.orders()).toEqual([]);
    await rig.person.isLeftAlone();
    rig.stage.clear();
    expect((await shopping.server.call('interact', order)).text).toContain('done 1');
    await expect.poll(shopping.orders).toEqual([{ site: shopping.site, hadLine: true }]);
    const [{ grant = 'none' } = {}] = shopping.lines('act');
    await expect.poll(() => shopping.lines('decision')).toMatchObject([{ grant, outcome: 'approved' }]);
    expect(shopping.verify()).toContain('intact');
  },
);

itDeep.each(['the worker', 'the native host'] as const)(
  'a late yes, after %s ended, does nothing until the call is resumed, and then once',
  async (victim) => {
    const { shopping, id } = await leave();
    const { server, orders } = shopping;
    await victims[victim]();
    await rig.person.allow();
    await rig.person.isLeftAlone();
    expect((await server.call('tabs')).isError).toBe(false);
    expect(orders()).toEqual([]);
    expect((await server.call('resume_call', { id })).text).toContain('done 1');
    expect((await server.call('resume_call', { id })).code()).toBe('call_not_pending');
    await expectSound(shopping, 1);
  },
);

itDeep('a yes to a server that was killed does nothing, and the next one has to ask again', async () => {
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

const HASTY = ['--sync-wait-ms', '300'];
const act = ({ server }: Shopping) => server.call('interact', order);

itDeep.each(['question', 'act'] as const)(
  'the ledger cannot take the %s: nothing is done, and a person is asked when there is room',
  async (spot) => {
    const shopping = await rig.shop();
    rig.stage.fill(spot);
    const acting = act(shopping);
    if (spot === 'act') await rig.person.allow();
    const refused = await acting;
    expect(refused.code(), refused.text).toBe('ledger_unavailable');
    expect(refused.text).toContain('the disk is full');
    await rig.person.isLeftAlone();
    expect(shopping.orders()).toEqual([]);
    rig.stage.clear();
    const again = act(shopping);
    await rig.person.allow();
    expect((await again).text).toContain('done 1');
    await expect.poll(shopping.orders).toEqual([{ site: shopping.site, hadLine: true }]);
    expect(shopping.verify()).toContain('intact');
  },
);

itDeep(
  'a no that could not be written to the ledger does nothing, and is written once there is room',
  async () => {
    const shopping = await rig.shop();
    const acting = act(shopping);
    await rig.person.card();
    rig.stage.fill('decision');
    await rig.person.deny('Not today.');
    expect((await acting).code()).toBe('ledger_unavailable');
    rig.stage.clear();
    const again = act(shopping);
    await rig.person.allow();
    expect((await again).text).toContain('done 1');
    const outcomes = () => shopping.lines('decision').map(({ outcome }) => outcome);
    await expect.poll(outcomes).toEqual(expect.arrayContaining(['denied', 'approved']));
    await expect.poll(shopping.orders).toHaveLength(1);
  },
);

itDeep(
  'if an outcome could not be written to the ledger, the answer says so, and that the act was done',
  async () => {
    const shopping = await rig.shop();
    rig.stage.fill('outcome');
    const acting = act(shopping);
    await rig.person.allow();
    const answer = await acting;
    expect(answer.text).toContain('done 1');
    expect(answer.notes).toContain('This act is in the ledger, but its outcome is not');
    await expect.poll(shopping.orders).toEqual([{ site: shopping.site, hadLine: true }]);
    expect(shopping.lines('outcome')).toEqual([]);
    expect(shopping.verify()).toContain('intact');
  },
);

itDeep('a call that could not be kept ends with its server, and a late yes does nothing', async () => {
  const shopping = await rig.shop(HASTY);
  rig.stage.fill('kept');
  const left = await act(shopping);
  process.kill(shopping.server.pid, 'SIGKILL');
  await waitForNoProcess(shopping.home);
  rig.stage.clear();
  await rig.person.allow();
  const next = await shopping.start();
  const id = /Id: (\S+?)"/.exec(left.text)?.[1] ?? '';
  expect((await next.call('resume_call', { id })).code()).toBe('call_not_pending');
  expect(shopping.orders()).toEqual([]);
});
