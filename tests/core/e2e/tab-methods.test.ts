import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBridge } from '../../../server/core/bridge/index.ts';
import type { Bridge, BrowserId } from '../../../server/core/services.ts';
import { METHODS, type MethodName, type MethodParams } from '../../../shared/core/bridge/methods.ts';
import { isPersonal, RISKS } from '../../../shared/core/policy/names.ts';
import { toSpillwayError } from '../../../shared/base/errors.ts';
import type { CallScope } from '../../../shared/core/policy/call-facts.ts';
import { AskedPerson } from '../../support/asked-person.ts';
import { realClock, silentLogger } from '../../support/bridge-rig.ts';
import { CALL, CALLS, placeOf } from '../../support/method-calls.ts';
import { PATIENCE } from '../../support/patience.ts';
import { personRig, type PersonRig } from '../../support/person-rig.ts';
import { itDeep } from '../../support/depth.ts';

const OTHER: CallScope = { ...CALL, caller: { session: 'other-session', name: 'other-agent' } };
/** Of everything but whose the tab is: what passes that is refused by this rule. */
const NEVER: Parameters<PersonRig['setRules']>[0][number] = {
  id: 'never',
  sites: ['site.test'],
  risks: RISKS.filter((risk) => !isPersonal([risk])),
  effect: 'deny',
};

const METHODS_OF_TABS = (Object.keys(METHODS) as MethodName[]).filter(
  (name) => 'tab_id' in METHODS[name].params.shape,
);
const MORE: Partial<Record<MethodName, object>> = {
  'page.navigate': { action: 'goto', url: 'http://site.test/x', wait_until: 'load', timeout_ms: 10_000 },
  'network.mark': { mark: 1 },
};

let rig: PersonRig;
let person: AskedPerson;
let bridge: Bridge;
let browser: BrowserId;

/** The code with which a method ends in a tab, and whether a person was asked to lend it. */
async function endOf(
  name: MethodName,
  tabId: number,
  call = CALL,
  signal = new AbortController().signal,
): Promise<string> {
  const make = Reflect.get(CALLS, name) as ((place: ReturnType<typeof placeOf>) => object) | undefined;
  const place = placeOf(tabId, rig.at('site.test'));
  const params = { ...make?.(place), ...MORE[name], tab_id: tabId };
  try {
    if (!('stream' in METHODS[name].params.shape))
      await bridge.request(browser, name, params as MethodParams<typeof name>, { call, signal });
    else {
      const stream = bridge.stream(browser, name as 'page.read', params as never, { call, signal });
      for await (const _chunk of stream);
    }
    return 'done';
  } catch (thrown) {
    const { code, questionId, message } = toSpillwayError(thrown);
    const id = questionId?.split(':')[1];
    if (id !== undefined) await bridge.request(browser, 'question.cancel', { id }, { call: null });
    // Where a person's tab is must not be said.
    if (/^(?:Using|Tab) /.test(message)) expect(message).not.toContain('site.test');
    return `${code}${id === undefined ? '' : ' asked'}`;
  }
}

const allIn = async (tabId: number, call = CALL): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all(METHODS_OF_TABS.map(async (name) => [name, await endOf(name, tabId, call)] as const)),
  );
const each = (end: string): Record<string, string> =>
  Object.fromEntries(METHODS_OF_TABS.map((name) => [name, end]));

async function open(call: CallScope, path = ''): Promise<number> {
  const params = {
    tab_id: null,
    action: 'goto',
    url: rig.at('site.test', path),
    wait_until: 'load',
  } as const;
  const { tab } = await bridge.request(browser, 'page.navigate', { ...params, timeout_ms: 30_000 }, { call });
  return tab.id;
}

const personsTab = (): Promise<number> =>
  rig.worker.evaluate(
    `chrome.tabs.create({ url: '${rig.at('site.test')}', active: false }).then(({ id }) => id)`,
  );

async function lend(tabId: number): Promise<void> {
  const borrowing = bridge.request(browser, 'tabs.borrow', { tab_id: tabId }, { call: CALL });
  await expect(borrowing).rejects.toMatchObject({ code: 'approval_required' });
  await person.press('#allow');
  await person.isLeftAlone();
  await bridge.request(browser, 'tabs.borrow', { tab_id: tabId }, { call: CALL });
}

beforeAll(async () => {
  rig = await personRig((_request, response) => void response.end('<title>Site</title><p>Text'));
  person = new AskedPerson(rig.worker);
  bridge = createBridge({ logger: silentLogger, clock: realClock, directory: rig.browser.bridgeDirectory });
  await bridge.ready();
  browser = bridge.browsers()[0]?.id ?? 'b1';
  await rig.setRules([NEVER]);
});
afterAll(() => bridge.close());

/** Those that no rule covers: they find out that there is nothing to do. */
const UNJUDGED = {
  'tabs.get': 'done',
  'tabs.borrow': 'done',
  'network.stop': 'done',
  'network.mark': expect.stringMatching(/^(?:capture_not_running|policy_denied)$/),
};

it.each([
  ['its own', () => open(CALL)],
  [
    'one that its own has opened',
    async () => {
      await rig.setRules([]);
      const path = '/opens';
      await open(CALL, path);
      await rig.worker.clickInPage(path, `void open('${rig.at('site.test', '/child')}')`);
      const find = `chrome.tabs.query({ url: '*://site.test/child*' }).then(([tab]) => tab?.id ?? 0)`;
      await expect.poll(() => rig.worker.evaluate(find), PATIENCE).not.toBe(0);
      return rig.worker.evaluate<number>(find);
    },
  ],
  [
    'one that was lent',
    async () => {
      const tabId = await personsTab();
      await lend(tabId);
      return tabId;
    },
  ],
])('each method reaches the rules in %s', async (_whose, make) => {
  await rig.setRules([]);
  const tabId = await make();
  await rig.setRules([NEVER]);
  const ends = await allIn(tabId);
  // A tab that is brought to the front is asked about by a rule of its own.
  const shown = { 'tabs.activate': 'approval_required asked' };
  expect(ends).toEqual({ ...each('policy_denied'), ...UNJUDGED, ...shown });
});

it('each method asks for a tab of the person’s', async () => {
  expect(await allIn(await personsTab())).toEqual(each('approval_required asked'));
});

it('no method reaches the tab of another agent, or asks the person for it', async () => {
  await rig.setRules([]);
  const tabId = await open(OTHER);
  expect(await allIn(tabId)).toEqual(each('tab_not_given'));
  expect(await endOf('tabs.get', tabId, OTHER)).toBe('done');
});

it('no method reaches a tab that was taken back, and only a request asks for it again', async () => {
  const tabId = await personsTab();
  await lend(tabId);
  const { grants } = await bridge.request(browser, 'grants.list', {}, { call: null });
  for (const { id } of grants) await bridge.request(browser, 'grants.revoke', { id }, { call: null });
  expect(await allIn(tabId)).toEqual({
    ...each('tab_not_given'),
    'tabs.borrow': 'approval_required asked',
  });
});

it('a loan is for the session that asked', async () => {
  const tabId = await personsTab();
  await lend(tabId);
  expect(await allIn(tabId, OTHER)).toEqual(each('approval_required asked'));
});

itDeep('no method brings a tab or window to the front, or moves what the person looks at', async () => {
  await rig.setRules([{ id: 'all', effect: 'allow' }]);
  const front = await rig.worker.evaluate<number>(
    `chrome.tabs.create({ url: '${rig.at('site.test', '/front')}' }).then(({ id }) => id)`,
  );
  const inFront = <T>(expression: string): Promise<T | undefined> =>
    rig.worker.inPage<T>(rig.at('site.test', '/front'), expression);
  await expect.poll(() => inFront('document.title'), PATIENCE).toBe('Site');
  await inFront('document.body.style.height = "9000px", scrollTo(0, 400)');
  await rig.worker
    .evaluate(`globalThis.shown = [], chrome.tabs.onActivated.addListener(({ tabId }) => shown.push(tabId)),
    chrome.windows.onFocusChanged.addListener((id) => shown.push('window ' + id)), null`);
  // These two are a person's to allow, by a card in a window.
  const asking: readonly MethodName[] = ['tabs.activate', 'takeover.begin'];
  for (const name of METHODS_OF_TABS.filter((one) => !asking.includes(one)))
    await endOf(name, await open(CALL), CALL, AbortSignal.timeout(3_000));
  expect(await rig.worker.evaluate('shown')).toEqual([]);
  expect(await inFront('scrollY')).toBe(400);
  expect(await rig.worker.evaluate(`chrome.tabs.get(${front}).then(({ active }) => active)`)).toBe(true);
});
