import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBridge } from '../../server/bridge/index.ts';
import type { Bridge, BrowserId } from '../../server/core/services.ts';
import {
  METHODS,
  type MethodName,
  type MethodParams,
  type StreamMethodName,
} from '../../shared/bridge/methods.ts';
import type { CallScope } from '../../shared/policy/call-facts.ts';
import { coded, realClock, silentLogger } from '../support/bridge-rig.ts';
import { personRig, type PersonRig } from '../support/person-rig.ts';

function pages(_request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end('<title>Site</title><button>Go</button><input aria-label="Name">');
}

const CALL: CallScope = {
  caller: { session: 'policy-session', name: 'test-agent' },
  call: {
    call_id: 'c1',
    tool: 'test',
    title: 'Test',
    args: {},
    is_editable: true,
    args_hash: '0'.repeat(64),
  },
};

type Judged = {
  [M in MethodName]: (typeof METHODS)[M]['policy'] extends { readonly judged: 'nothing' } ? never : M;
}[MethodName];

type Place = { readonly tabId: number; readonly url: string };

const { caller } = CALL;

const AUDIT = { level: 'A', best_practices: false, rules: ['document-title'] };

/** A call of each on a site; the compiler requires one for every method that a person's rules cover. */
const CALLS: { readonly [M in Judged]: (place: Place) => Record<string, unknown> } = {
  'act.run': ({ tabId: tab_id }) => ({
    tab_id,
    caller,
    fields: [],
    steps: [{ do: 'click', target: 'css=button' }],
    secret: { fields: [], steps: [] },
    may_type_passwords: false,
    files: [],
    wait_ms: 0,
    show: 'none',
    budget: 100,
  }),
  'crawl.begin': ({ url }) => ({ urls: [url], allow_private: true }),
  'crawl.page': ({ url }) => ({
    crawl: 'crawl-1',
    url,
    render: 'never',
    format: 'markdown',
    main_content_only: false,
    timeout_ms: 10_000,
    max_bytes: 100_000,
    allow_private: true,
    extract: null,
  }),
  'crawl.resource': ({ url }) => ({ url, timeout_ms: 10_000, max_bytes: 100_000, allow_private: true }),
  'takeover.begin': ({ tabId: tab_id }) => ({ tab_id, message: 'Log in', until: null, limit_ms: 60_000 }),
  'dialog.answer': ({ tabId: tab_id }) => ({ tab_id, caller, accept: true, budget: 100 }),
  'storage.list': ({ tabId: tab_id }) => ({ tab_id, areas: ['local'] }),
  'storage.change': ({ tabId: tab_id }) => ({
    tab_id,
    area: 'local',
    name: 'a',
    value: 'b',
    cookie: {},
    sites: [],
  }),
  'storage.export': ({ tabId: tab_id }) => ({ tab_id }),
  'storage.import': ({ tabId: tab_id }) => ({
    tab_id,
    origin: 'http://site.test',
    state: { cookies: [], local: [], session: [] },
  }),
  'page.clipboard': ({ tabId: tab_id }) => ({ tab_id, text: null }),
  'tab.intercept': ({ tabId: tab_id }) => ({
    tab_id,
    caller,
    add: { id: 'r1', url: '**', act: { block: true, delay_ms: 0, answer: null, headers: null, login: null } },
    remove: null,
  }),
  'downloads.list': ({ tabId: tab_id }) => ({ tab_id }),
  'downloads.take': ({ tabId: tab_id }) => ({ tab_id, id: 1 }),
  'trace.load': ({ tabId: tab_id }) => ({ tab_id, caller, is_cold: false, ms: 1_000 }),
  'trace.nodes': ({ tabId: tab_id }) => ({ tab_id, ids: [1] }),
  'trace.start': ({ tabId: tab_id }) => ({ tab_id, caller }),
  'trace.stop': ({ tabId: tab_id }) => ({ tab_id, caller }),
  'video.start': ({ tabId: tab_id }) => ({ tab_id, caller, format: 'webm', fps: 5, width: 640 }),
  'video.stop': ({ tabId: tab_id }) => ({ tab_id, caller }),
  'tab.emulate': ({ tabId: tab_id }) => ({ tab_id, caller, reset: false, set: { touch: true } }),
  'page.pdf': ({ tabId: tab_id }) => ({
    tab_id,
    paper: 'a4',
    landscape: false,
    scale: 1,
    background: true,
    pages: '',
  }),
  'page.evaluate': ({ tabId: tab_id }) => ({
    tab_id,
    caller,
    code: '() => 1',
    args: [],
    ref: null,
    world: 'isolated',
    timeout_ms: 1_000,
  }),
  'fetch.file': ({ url }) => ({ url, timeout_ms: 10_000, max_bytes: 100_000 }),
  'network.capture': ({ tabId: tab_id }) => ({ tab_id, bodies: 'none', body_bytes: 0, bodies_bytes: 0 }),
  'network.ready': ({ tabId: tab_id }) => ({ tab_id }),
  'page.await': ({ tabId: tab_id }) => ({
    tab_id,
    caller,
    conditions: { text: 'x' },
    mode: 'all',
    timeout_ms: 0,
  }),
  'page.audit': ({ tabId: tab_id }) => ({ tab_id, caller, scope: null, ...AUDIT }),
  'page.console': ({ tabId: tab_id }) => ({ tab_id }),
  'page.extract': ({ tabId: tab_id }) => ({
    tab_id,
    request: { fields: [], strategies: ['repeated'], selectors: null, scope: null, multiple: false },
  }),
  'page.facts': ({ tabId: tab_id }) => ({ tab_id, part: 'facts' }),
  'page.find': ({ tabId: tab_id }) => ({ tab_id, caller, target: { query: 'Go' }, limit: 3 }),
  'page.mhtml': ({ tabId: tab_id }) => ({ tab_id }),
  'page.more': ({ tabId: tab_id }) => ({ tab_id, click: 'button', timeout_ms: 100 }),
  'page.navigate': ({ url }) => ({
    tab_id: null,
    action: 'goto',
    url,
    wait_until: 'load',
    timeout_ms: 10_000,
  }),
  'page.read': ({ tabId: tab_id }) => ({
    tab_id,
    caller,
    format: 'text',
    selector: null,
    main_content_only: false,
    include_links: false,
    include_hidden: false,
  }),
  'page.screenshot': ({ tabId: tab_id }) => ({
    tab_id,
    area: 'viewport',
    selector: null,
    ref: null,
    caller,
    format: 'png',
    quality: 80,
    max_pixels: null,
  }),
  'page.scroll': ({ tabId: tab_id }) => ({ tab_id, action: 'begin', call: 'c1', wait_ms: 0 }),
  'page.skeleton': ({ tabId: tab_id }) => ({ tab_id, selector: null, max_depth: 9, text_length: 9 }),
  'page_tools.call': ({ tabId: tab_id }) => ({
    tab_id,
    caller,
    document_id: 'gone',
    name: 'add',
    input: {},
    timeout_ms: 100,
  }),
  'page_tools.list': ({ tabId: tab_id }) => ({ tab_id }),
  'tabs.close': ({ tabId: tab_id }) => ({ tab_id }),
  'tabs.open': ({ url }) => ({ url, active: false }),
};

let rig: PersonRig;
let bridge: Bridge;
let browser: BrowserId;
let tabId: number;

beforeAll(async () => {
  rig = await personRig(pages, '--approvals', 'deny');
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

const isStream = (method: MethodName): method is StreamMethodName => METHODS[method].streams;

/** Calls a method of any kind with the table's params. */
async function call(method: Judged): Promise<unknown> {
  const params = CALLS[method]({ tabId, url: rig.at('site.test') });
  if (!isStream(method))
    return bridge.request(browser, method, params as MethodParams<typeof method>, { call: CALL });
  const stream = bridge.stream(browser, method, params as never, { call: CALL });
  for await (const _chunk of stream.chunks);
  return stream.done;
}

const judged = Object.keys(CALLS) as Judged[];

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
