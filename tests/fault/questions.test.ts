import { expect, it, vi } from 'vitest';
import { sample } from '../support/depth.ts';
import { codeOf, END_MS, order, startQuestionFaults } from '../support/question-faults.ts';
import { within } from '../support/within.ts';

/*
 * One hop of the path ends while a call is on its way from the question to its end. Whatever happens: the page's server sees the
 * form at most once, and never without a line of the ledger before; the call ends with a code; no card stays that
 * nobody can use; and what was not done is not done later either.
 */

vi.setConfig({ testTimeout: 300_000 });
const { rig, fault, expectSound } = await startQuestionFaults();

async function expectEnd(
  ...[moment, victim, { done, code }]: [
    ...Parameters<typeof fault>,
    { readonly done: number; readonly code: string | undefined },
  ]
): Promise<void> {
  const { shopping, ending } = await fault(moment, victim);
  rig.stage.clear();
  const end = await within(END_MS, ending, 'the call to end');
  await rig.person.isLeftAlone();
  await expectSound(shopping, done);
  // On a busy machine a browser starts again only after the call has given it up.
  if (victim === 'the browser') expect([code, 'browser_disconnected']).toContain(codeOf(end));
  else expect(codeOf(end)).toBe(code);
}

const NOT_DONE = [
  ['the line of the act is written', 'the native host', 'browser_disconnected'],
  ['a question is shown', 'the browser', 'tab_not_found'],
  ['a question is shown', 'the tab', 'tab_not_found'],
  ['a question is shown', "the agent's client", 'gone'],
  ['the line of the act is written', 'the worker', 'browser_disconnected'],
  ['the line of the act is written', 'the server', 'gone'],
] as const;
it.each(sample(NOT_DONE, 9))(
  'nothing is done if, while %s, %s ends: the call says %s',
  async (moment, victim, code) => {
    await expectEnd(moment, victim, { done: 0, code });
  },
);

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
it.each(sample(DONE, 12))(
  'it is done once if, while %s, %s ends: the call says %s',
  async (moment, victim, code) => {
    await expectEnd(moment, victim, { done: 1, code });
  },
);

it('a yes that the ledger could not take does nothing, and is good for the same call when there is room', async () => {
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
  expect(shopping.orders()).toEqual([{ site: shopping.site, hadLine: true }]);
  const [{ grant = 'none' } = {}] = shopping.lines('act');
  await expect.poll(() => shopping.lines('decision')).toMatchObject([{ grant, outcome: 'approved' }]);
  expect(shopping.verify()).toContain('intact');
});
