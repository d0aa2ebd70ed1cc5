import { expect } from 'vitest';
import type { CallAnswer } from './call-tool.ts';
import { waitForNoProcess } from './processes.ts';
import { QuestionRig, sharedFiles, type Shopping } from './question-rig.ts';

/** Far longer than any wait for a browser that is away. */
export const END_MS = 200_000;
export const order = { steps: ['click text=Buy'] };

/** How a call ended, as its agent sees it. */
type End = CallAnswer | 'gone';
export const codeOf = (end: End): string | undefined => (end === 'gone' ? 'gone' : end.code());

/** One browser for a test file, and what can go wrong with it while a person is asked. */
export async function startQuestionFaults() {
  const rig = await QuestionRig.start();
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

  /** A server of the home can open the site again, which comes after all that was on its way. */
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
