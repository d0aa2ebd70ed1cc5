import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import { SpillwayError, invalidArgument, toSpillwayError } from '../../shared/base/errors.ts';
import { defined, type JsonObject } from '../../shared/base/json.ts';
import type { navigate } from '../../shared/tabs/navigate.manifest.ts';
import { callerOf, type CallContext } from '../core/context.ts';
import { cutUrl, textsOf } from '../../shared/base/cut.ts';
import { produceJson, fencePageQuote } from '../core/calls/produce.ts';
import type { Produced } from '../core/result.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { Bridge, BrowserId } from '../core/services.ts';
import {
  adoptOpenedTab,
  adoptTab,
  describeTab,
  formatTabId,
  hasOpened,
  onTab,
  resolveBrowser,
  resolveTab,
  type TabTarget,
} from '../core/targets.ts';
import { describeMissing, waitForPage } from '../wait/wait-first.ts';
import { checkUrl } from '../core/arguments.ts';
import { takeSnapshot } from '../core/snapshot.ts';
import type { ToolServices } from '../core/index.ts';

type NavigateArgs = ArgsOf<typeof navigate>;

/** The browser answers by itself within `timeout_ms`; the bridge waits a little longer. */
const GRACE_MS = 5_000;
const SHOWN_REDIRECTS = 5;
const SHOWN_TOKENS = 1_000;
const REDIRECT_LENGTH = 150;

type NavigateServices = Pick<ToolServices, 'bridge' | 'network'>;

/** `navigate`: in the named tab, the client's current one, or a new one in the background. */
export const createRuntimes = (services: NavigateServices): ToolRuntimes => ({
  navigate: async (args: NavigateArgs, context) => {
    const hadTab = context.session.currentTab !== null;
    try {
      return await navigateTo(services, args, context);
    } catch (thrown) {
      // The current tab is gone, and forgotten: the page opens in a new one.
      if (!hadTab || context.session.currentTab !== null) throw thrown;
      if (args.tab !== undefined || args.url === undefined) throw thrown;
      return navigateTo(services, args, context);
    }
  },
});

async function navigateTo(
  services: NavigateServices,
  args: NavigateArgs,
  context: CallContext,
): Promise<Produced> {
  const { bridge } = services;
  const action = args.action ?? 'goto';
  const url = destination(args, action);
  const target = await resolveTab(bridge, args, context);
  if (target === null && action !== 'goto')
    throw new SpillwayError('no_current_tab', `navigate: there is no tab to ${action} in.`);
  const browser = target?.browser ?? (await resolveBrowser(bridge, args.browser, context.signal));
  const { wait_until, timeout_ms } = args;
  const shared = { caller: callerOf(context), action, wait_until, timeout_ms, ...defined({ url }) };
  const options = { call: context.call, signal: context.signal, idleTimeoutMs: timeout_ms + GRACE_MS };
  const load: Load = (tab_id) => bridge.request(browser, 'page.navigate', { ...shared, tab_id }, options);
  const result =
    target === null
      ? await loadInNew(services, browser, load, context)
      : await loadIn(target, args.tab === 'active', load, { services, context });
  // A tab that was opened or driven becomes the client's; the user's front tab stays the user's.
  const driven = { browser, tabId: result.tab.id };
  context.keepState(() => ({ tab: formatTabId(driven), url: result.tab.url }));
  // If the tab was replaced, this is the new one.
  const isOpened = target === null || (target.tabId !== driven.tabId && hasOpened(context, target));
  if (isOpened) adoptOpenedTab(context, driven);
  else if (args.tab !== 'active') adoptTab(context, driven);
  return describeLoad(bridge, args, { browser, target, driven, result }, context);
}

interface Loaded {
  readonly browser: BrowserId;
  /** The tab before the load; null for a new one. */
  readonly target: TabTarget | null;
  readonly driven: TabTarget;
  readonly result: MethodResult<'page.navigate'>;
}

/** The receipt, after the wait that was asked for, and with the page. */
async function describeLoad(
  bridge: Bridge,
  { wait_for: waitFor, show: showing }: NavigateArgs,
  { browser, target, driven, result }: Loaded,
  context: CallContext,
): Promise<Produced> {
  const waited = waitFor && (await waitForPage(bridge, { target: driven, waitFor }, context));
  const shown = showing === 'snapshot' ? await show(bridge, driven, context) : {};
  // The page may have changed its title or address meanwhile.
  const { tab } =
    waited !== undefined || showing !== undefined
      ? await bridge.request(browser, 'tabs.get', { tab_id: driven.tabId }, context)
      : result;
  const unmet = waited && describeMissing(waitFor, waited);
  const problems = [unmet, shown.problem].filter((text) => typeof text === 'string');
  const answer = produceJson({
    ...receipt(browser, target, { ...result, tab }),
    ...defined({ waited_ms: waited?.waited_ms, snapshot: shown.snapshot }),
    ...(problems.length > 0 ? { problem: problems.join(' ') } : {}),
  });
  return shown.snapshot === undefined ? fencePageQuote(answer) : { ...answer, untrustedFrom: () => tab.url };
}

/** The loaded page, or why it could not be read: the load has not failed for that. */
async function show(
  bridge: Bridge,
  target: TabTarget,
  context: CallContext,
): Promise<{ readonly snapshot?: string; readonly problem?: string }> {
  try {
    return { snapshot: await takeSnapshot(bridge, { target, budget: SHOWN_TOKENS }, context) };
  } catch (thrown) {
    context.signal.throwIfAborted();
    const { message, hint } = toSpillwayError(thrown);
    return { problem: `show: ${textsOf(message, hint ?? false).join(' ')}` };
  }
}

function destination(args: NavigateArgs, action: NonNullable<NavigateArgs['action']>): string | undefined {
  if (action !== 'goto') {
    if (args.url === undefined) return undefined;
    throw invalidArgument(`url: action "${action}" takes none.`);
  }
  if (args.url === undefined)
    throw invalidArgument('url: required for goto; or pass action back, forward or reload.');
  return checkUrl(args.url);
}

/** Navigates a tab; null opens a new one. */
type Load = (tabId: number | null) => Promise<MethodResult<'page.navigate'>>;

/** In an existing tab. @param isFront whether it is the person's front tab, which stays theirs */
async function loadIn(
  target: TabTarget,
  isFront: boolean,
  load: Load,
  { services: { network }, context }: { readonly services: NavigateServices; readonly context: CallContext },
): ReturnType<Load> {
  try {
    return await onTab(target, context, async () => {
      await network.beforeLoad(context.session, target, context.signal, context.call);
      return load(target.tabId);
    });
  } catch (thrown) {
    // The page loaded not at all or only in part, but its tab exists and was driven.
    const isOfPage = thrown instanceof SpillwayError && thrown.code.startsWith('navigation_');
    if (!isFront && isOfPage) adoptTab(context, target);
    throw thrown;
  }
}

async function loadInNew(
  services: NavigateServices,
  browser: BrowserId,
  load: Load,
  context: CallContext,
): ReturnType<Load> {
  try {
    const isCaptured = services.network.capturesFromStart(context.session);
    return isCaptured ? await loadCaptured(services, browser, load, context) : await load(null);
  } catch (thrown) {
    if (!(thrown instanceof SpillwayError) || thrown.tabId === undefined) throw thrown;
    // A new tab that is only slow stays open and belongs to the client: it can be read as far as it has loaded.
    const target = { browser, tabId: thrown.tabId };
    adoptOpenedTab(context, target);
    const message = `${thrown.message} The new tab ${formatTabId(target)} stays open and is your current tab.`;
    throw thrown.with({ message, tabId: undefined });
  }
}

/**
 * A new tab is blank until its capture has begun, so that no request of its page is missed. If the page
 * cannot be loaded, it is treated like a tab that was opened with its page.
 */
async function loadCaptured(
  { bridge, network }: NavigateServices,
  browser: BrowserId,
  load: Load,
  context: CallContext,
): ReturnType<Load> {
  const params = { active: false, caller: callerOf(context) };
  const { tab } = await bridge.request(browser, 'tabs.open', params, context);
  try {
    await network.beforeLoad(context.session, { browser, tabId: tab.id }, context.signal, context.call);
    return await load(tab.id);
  } catch (thrown) {
    if (thrown instanceof SpillwayError && thrown.code === 'navigation_timeout')
      throw thrown.with({ tabId: tab.id });
    await bridge.request(browser, 'tabs.close', { tab_id: tab.id }, { call: null }).catch(() => undefined);
    throw thrown;
  }
}

function receipt(
  browser: BrowserId,
  target: TabTarget | null,
  { tab, status, redirects }: MethodResult<'page.navigate'>,
): JsonObject {
  const hops = redirects
    .slice(0, SHOWN_REDIRECTS)
    .map((hop) => ({ ...hop, url: cutUrl(hop.url, REDIRECT_LENGTH) }));
  return {
    ...describeTab(browser, tab),
    ...(target === null || target.tabId === tab.id ? {} : { replaces: formatTabId(target) }),
    status,
    ...(hops.length > 0 ? { redirects: hops } : {}),
    ...(redirects.length > hops.length ? { redirects_in_all: redirects.length } : {}),
  };
}
