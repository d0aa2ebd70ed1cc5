import type { z } from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { tabs } from '../../../shared/tools/tabs/manifest.ts';
import type { CallContext } from '../../core/context.ts';
import type { Produced } from '../../core/payload.ts';
import { produceJson } from '../../core/produce.ts';
import type { ToolRuntime } from '../../core/runtime.ts';
import type { Bridge, BrowserId } from '../../core/services.ts';
import {
  adoptTab,
  describeTab,
  findConnected,
  forgetTab,
  formatTabId,
  onTab,
  resolveBrowser,
  resolveTab,
  type TabTarget,
} from '../../core/targets.ts';
import { checkUrl } from '../../core/urls.ts';

type Args = z.output<typeof tabs.input>;

/** `tabs`: lists, opens, closes and activates. Only `activate` and `open { activate }` take the front. */
export function createTabs({ bridge }: { readonly bridge: Bridge }): ToolRuntime<Args> {
  const actions = {
    list: (args: Args, context: CallContext) => list(bridge, args, context),
    open: (args: Args, context: CallContext) => open(bridge, args, context),
    close: (args: Args, context: CallContext) => close(bridge, args, context),
    activate: (args: Args, context: CallContext) => activate(bridge, args, context),
  };
  return {
    run: async (args, context): Promise<Produced> => produceJson(await actions[args.action](args, context)),
  };
}

async function listOf(bridge: Bridge, browser: BrowserId, context: CallContext): Promise<JsonObject[]> {
  const { tabs: open } = await bridge.request(browser, 'tabs.list', {}, { signal: context.signal });
  return open.map((tab) => {
    const described = describeTab(browser, tab);
    return {
      ...described,
      ...(tab.active ? { active: true } : {}),
      ...(described.tab === context.session.currentTab ? { current: true } : {}),
      ...(tab.discarded ? { discarded: true } : {}),
      ...(tab.status === 'loading' ? { loading: true } : {}),
    };
  });
}

async function list(bridge: Bridge, args: Args, context: CallContext): Promise<JsonObject> {
  const browsers = await findConnected(bridge, args.browser, context.signal);
  const lists = await Promise.all(browsers.map((browser) => listOf(bridge, browser, context)));
  return { tabs: lists.flat() };
}

async function open(bridge: Bridge, args: Args, context: CallContext): Promise<JsonObject> {
  const url = args.url === undefined ? undefined : checkUrl(args.url);
  const browser = await resolveBrowser(bridge, args.browser, context.signal);
  const params = url === undefined ? { active: args.activate } : { active: args.activate, url };
  const { tab } = await bridge.request(browser, 'tabs.open', params, { signal: context.signal });
  adoptTab(context, { browser, tabId: tab.id });
  return {
    opened: context.session.currentTab,
    ...(url === undefined ? {} : { url: describeTab(browser, tab).url }),
  };
}

async function namedTab(bridge: Bridge, args: Args, context: CallContext): Promise<TabTarget> {
  const target = await resolveTab(bridge, args, context);
  if (target === null) {
    throw new SpillwayError('no_current_tab', `tabs: pass tab, the one to ${args.action}.`, {
      hint: 'Call tabs to see the ids.',
    });
  }
  return target;
}

async function close(bridge: Bridge, args: Args, context: CallContext): Promise<JsonObject> {
  if (args.tab === undefined) {
    throw new SpillwayError('invalid_argument', 'tab: close takes the id of the tab, such as b1:42.');
  }
  const target = await namedTab(bridge, args, context);
  await onTab(target, context, () =>
    bridge.request(target.browser, 'tabs.close', { tab_id: target.tabId }, { signal: context.signal }),
  );
  forgetTab(target, context);
  return { closed: formatTabId(target) };
}

async function activate(bridge: Bridge, args: Args, context: CallContext): Promise<JsonObject> {
  const target = await namedTab(bridge, args, context);
  const { tab } = await onTab(target, context, () =>
    bridge.request(target.browser, 'tabs.activate', { tab_id: target.tabId }, { signal: context.signal }),
  );
  return { activated: formatTabId(target), title: describeTab(target.browser, tab).title };
}
