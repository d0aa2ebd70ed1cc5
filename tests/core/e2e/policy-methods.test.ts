import { withResult } from '../../../shared/base/queue.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBridge } from '../../../server/core/bridge/index.ts';
import type { Bridge, BrowserId } from '../../../server/core/services.ts';
import {
  METHODS,
  type MethodName,
  type MethodParams,
  type StreamMethodName,
} from '../../../shared/core/bridge/methods.ts';
import { coded, realClock, silentLogger } from '../../support/bridge-rig.ts';
import { CALL, CALLS, placeOf, type RuledMethod } from '../../support/method-calls.ts';
import { personRig, type PersonRig } from '../../support/person-rig.ts';

const PAGE = '<title>Site</title><button>Go</button><input aria-label="Name">';

let rig: PersonRig;
let bridge: Bridge;
let browser: BrowserId;
let tabId: number;

beforeAll(async () => {
  rig = await personRig((_request, response) => void response.end(PAGE), '--approvals', 'deny');
  bridge = createBridge({ logger: silentLogger, clock: realClock, directory: rig.browser.bridgeDirectory });
  await bridge.ready();
  const [known] = bridge.browsers();
  if (known === undefined) throw new Error('No browser is connected.');
  browser = known.id;
  const opened = await bridge.request(
    browser,
    'page.navigate',
    { tab_id: null, action: 'goto', url: rig.at('site.test'), wait_until: 'load', timeout_ms: 30_000 },
    { call: CALL },
  );
  tabId = opened.tab.id;
});
afterAll(() => bridge.close());

const isStream = (method: MethodName): method is StreamMethodName => 'stream' in METHODS[method].params.shape;

/** Calls a method of any kind with the table's params. */
async function call(method: RuledMethod): Promise<unknown> {
  const params = CALLS[method](placeOf(tabId, rig.at('site.test')));
  if (!isStream(method))
    return bridge.request(browser, method, params as MethodParams<typeof method>, { call: CALL });
  const stream = bridge.stream(browser, method, params as never, { call: CALL });
  const { values, result } = withResult(stream);
  for await (const _chunk of values);
  return result();
}

const judged = Object.keys(CALLS) as RuledMethod[];

async function endsOf(): Promise<Record<string, string>> {
  const ends: Record<string, string> = {};
  for (const method of judged) {
    const { code, message } = await coded(call(method));
    ends[method] = `${code} ${/denied by rule \w+/.exec(message)?.[0] ?? ''}`.trim();
  }
  return ends;
}
const each = (end: string): Record<string, string> =>
  Object.fromEntries(judged.map((method) => [method, end]));

it('each method of which the rules are asked is called here', () => {
  const declared = Object.entries(METHODS)
    .filter(([, { policy }]) => policy.judged !== 'nothing')
    .map(([name]) => name);
  expect(judged.toSorted()).toEqual(declared.toSorted());
});

it('each is refused by the rule on a site that a person denies', async () => {
  await rig.setRules([{ id: 'never', sites: ['site.test'], effect: 'deny' }]);
  expect(await endsOf()).toEqual(each('policy_denied denied by rule never'));
});

it('each waits for a yes on a site about which a person wants to be asked', async () => {
  await rig.setRules([{ id: 'ask', sites: ['site.test'], effect: 'ask' }]);
  expect(await endsOf()).toEqual(each('approval_required'));
});
