import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import type { TabInfo } from '../../shared/core/bridge/page.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import type { tabs } from '../../shared/tabs/tabs.manifest.ts';
import { callerOf, type CallContext } from '../core/context.ts';
import { produceJson, fencePageQuote } from '../core/calls/produce.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { Bridge, BrowserId } from '../core/services.ts';
import {
  adoptOpenedTab,
  adoptTab,
  describeTab,
  findConnected,
  findTab,
  forgetTab,
  formatTabId,
  askTab,
  resolveBrowser,
  resolveTab,
  type TabTarget,
} from '../core/targets.ts';
import { checkTaken, checkUrl } from '../core/arguments.ts';
import type { ToolServices } from '../core/index.ts';
import { searchTabs, type OpenTab } from './search.ts';

type TabsArgs = ArgsOf<typeof tabs>;

type TabsServices = Pick<ToolServices, 'bridge' | 'network'>;

/** A list of more tabs is stored. */
const INLINE_BYTES = 64 * 1_024;

/** How long to wait for an opened tab's page after its capture; then it continues loading. */
const LOAD_MS = 2_000;
const GRACE_MS = 2_000;

/**
 * `tabs`: lists, opens, borrows, closes and activates. Only `activate` and `open { activate }` bring a tab to the
 * front.
 */
export const createRuntimes = (services: TabsServices): ToolRuntimes => ({
  tabs: async (args: TabsArgs, context) => {
    const { action, tab, url, container, reason, search } = args;
    checkTaken(action, { tab, url, container, activate: args.activate, reason, search }, TAKES);
    const actions = { list, list_all: list, history, open, close, activate, borrow };
    const value = await actions[action](services, args, context);
    const produced = produceJson(value);
    return Buffer.byteLength(JSON.stringify(value)) > INLINE_BYTES
      ? { ...produced, deliverAs: 'handle', untrustedFrom: () => 'the open tabs' }
      : fencePageQuote(produced);
  },
});

const TAKES: Readonly<Record<TabsArgs['action'], readonly (keyof TabsArgs)[]>> = {
  list: ['search'],
  list_all: ['search'],
  history: ['search', 'browser'],
  borrow: ['tab', 'reason'],
  open: ['url', 'container', 'activate'],
  close: ['tab'],
  activate: ['tab'],
};

interface Listed {
  readonly tabs: readonly OpenTab[];
  /** Tabs of the person's that are not listed. */
  readonly others: number;
}

async function listOf(
  { bridge }: TabsServices,
  browser: BrowserId,
  { action }: TabsArgs,
  context: CallContext,
): Promise<Listed> {
  const answer = await bridge.request(browser, 'tabs.list', { all: action === 'list_all' }, context);
  const { lent = [], others = [], others_count: count = 0 } = answer;
  const open = (tab: TabInfo, isGiven: boolean): OpenTab => {
    const described = describeTab(browser, tab);
    return {
      target: { browser, tabId: tab.id },
      isReadable: isGiven && !tab.discarded,
      described: {
        ...described,
        ...(tab.active ? { active: true } : {}),
        ...(described.tab === context.session.currentTab ? { current: true } : {}),
        ...(tab.discarded ? { discarded: true } : {}),
        ...(tab.status === 'loading' ? { loading: true } : {}),
        ...(lent.includes(tab.id) ? { lent: true } : {}),
        ...(isGiven ? {} : { not_given: true }),
        ...(tab.container === undefined ? {} : { container: tab.container }),
      },
    };
  };
  const tabs = [...answer.tabs.map((tab) => open(tab, true)), ...others.map((tab) => open(tab, false))];
  return { tabs, others: count - others.length };
}

async function list(services: TabsServices, args: TabsArgs, context: CallContext): Promise<JsonObject> {
  const { bridge } = services;
  const browsers = (await findConnected(bridge, args.browser, context.signal)).map(({ id }) => id);
  const lists = await Promise.all(browsers.map((browser) => listOf(services, browser, args, context)));
  const others = lists.reduce((sum, one) => sum + one.others, 0);
  const tabs = lists.flatMap((one) => one.tabs);
  return {
    ...describeBrowsers(bridge, browsers),
    ...(args.search === undefined
      ? { tabs: tabs.map(({ described }) => described) }
      : await searchTabs(tabs, args.search, bridge, context)),
    ...(others > 0 ? { others } : {}),
  };
}

async function history({ bridge }: TabsServices, args: TabsArgs, context: CallContext): Promise<JsonObject> {
  if (args.search === undefined) throw invalidArgument('search: history takes the words to look for.');
  const browser = await resolveBrowser(bridge, args.browser, context.signal);
  return { ...(await bridge.request(browser, 'tabs.visited', { text: args.search }, context)) };
}

/** The browsers, if that adds to the tabs: there are several, or a person has named one. */
function describeBrowsers(bridge: Bridge, listed: readonly BrowserId[]): { browsers?: JsonObject[] } {
  const browsers = bridge
    .browsers()
    .filter(({ id }) => listed.includes(id))
    .map(({ id, facts: { name, version, label, lacks } }) => ({
      browser: id,
      name: `${name} ${version}`,
      ...(label === null ? {} : { label }),
      ...(lacks === undefined ? {} : { lacks: [...lacks] }),
    }));
  const saysMore = browsers.length > 1 || browsers.some(({ label }) => label !== undefined);
  return saysMore ? { browsers } : {};
}

async function open(services: TabsServices, args: TabsArgs, context: CallContext): Promise<JsonObject> {
  const { bridge, network } = services;
  const url = args.url === undefined ? undefined : checkUrl(args.url);
  const browser = await resolveBrowser(bridge, args.browser, context.signal);
  const isCaptured = network.capturesFromStart(context.session);
  const { activate, container } = args;
  const opened = { active: activate, caller: callerOf(context), ...(container && { container }) };
  const params = url === undefined || isCaptured ? opened : { ...opened, url };
  const { tab } = await bridge.request(browser, 'tabs.open', params, context);
  const target = { browser, tabId: tab.id };
  adoptOpenedTab(context, target);
  if (isCaptured) await loadCaptured(services, target, { url, context });
  return {
    opened: context.session.currentTab,
    ...(url === undefined ? {} : { url: describeTab(browser, { ...tab, url }).url }),
    ...(tab.container === undefined ? {} : { container: tab.container }),
  };
}

/** The tab loads its page once its capture has begun; a failure shows in the tab, as elsewhere. */
async function loadCaptured(
  { bridge, network }: TabsServices,
  target: TabTarget,
  { url, context }: { readonly url: string | undefined; readonly context: CallContext },
): Promise<void> {
  const { signal } = context;
  await network.beforeLoad(context.session, target, signal, context.call);
  if (url === undefined) return;
  const until = { wait_until: 'domcontentloaded', timeout_ms: LOAD_MS } as const;
  const params = { tab_id: target.tabId, action: 'goto', url, ...until } as const;
  const options = { call: context.call, signal, idleTimeoutMs: LOAD_MS + GRACE_MS };
  try {
    await bridge.request(target.browser, 'page.navigate', params, options);
  } catch (thrown) {
    if (!(thrown instanceof SpillwayError) || !/^(?:navigation_|not_a_page$)/.test(thrown.code)) throw thrown;
  }
}

const noTab = ({ action }: TabsArgs): SpillwayError =>
  new SpillwayError('no_current_tab', `tabs: pass tab, the one to ${action}.`, {
    hint: 'Call tabs to see the ids.',
  });

async function close({ bridge }: TabsServices, args: TabsArgs, context: CallContext): Promise<JsonObject> {
  if (args.tab === undefined) throw invalidArgument('tab: close takes the id of the tab, such as b1:42.');
  const target = await findTab(bridge, args, context);
  if (target === null) throw noTab(args);
  await askTab({ bridge, target, context }, 'tabs.close', { tab_id: target.tabId });
  forgetTab(target, context);
  return { closed: formatTabId(target) };
}

/** Asks the person for a tab, which becomes the current one. */
async function borrow({ bridge }: TabsServices, args: TabsArgs, context: CallContext): Promise<JsonObject> {
  if (args.tab === undefined) throw invalidArgument('tab: borrow takes "active" or the id of a tab.');
  const target = await resolveTab(bridge, args, context);
  if (target === null) throw noTab(args);
  const { tab } = await askTab({ bridge, target, context }, 'tabs.borrow', { tab_id: target.tabId });
  adoptTab(context, target);
  const { url, title } = describeTab(target.browser, tab);
  return { borrowed: formatTabId(target), url, title };
}

async function activate({ bridge }: TabsServices, args: TabsArgs, context: CallContext): Promise<JsonObject> {
  const target = await resolveTab(bridge, args, context);
  if (target === null) throw noTab(args);
  const { tab } = await askTab({ bridge, target, context }, 'tabs.activate', { tab_id: target.tabId });
  return { activated: formatTabId(target), title: describeTab(target.browser, tab).title };
}
