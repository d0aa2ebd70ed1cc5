import { defined } from '../../shared/base/json.ts';
import type { manifest } from '../../shared/inspect/emulate.manifest.ts';
import type { Emulated } from '../../shared/inspect/emulate.methods.ts';
import { callerOf } from '../core/context.ts';
import { produceJson } from '../core/calls/produce.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { Bridge } from '../core/services.ts';
import { formatTabId, askTab, requireTab } from '../core/targets.ts';
import { describeEnded, leftInTabs } from './left-in-tabs.ts';

type EmulateArgs = ArgsOf<typeof manifest>;

const DEVICES = {
  phone: {
    width: 412,
    height: 915,
    scale: 2.625,
    mobile: true,
    system: 'Linux; Android 10; K',
    word: ' Mobile',
  },
  tablet: { width: 820, height: 1_180, scale: 2, mobile: true, system: 'Linux; Android 10; K', word: '' },
};

/** Facts of a device. Its browser version is the person's. */
function deviceOf(name: EmulateArgs['device'], version: string): Partial<Emulated> {
  if (name === undefined) return {};
  const { system, word, ...viewport } = DEVICES[name];
  const [major = ''] = version.split('.');
  const chrome = `Chrome/${major}.0.0.0${word} Safari/537.36`;
  return {
    viewport,
    touch: true,
    user_agent: `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${chrome}`,
  };
}

/** `emulate`: the settings of a tab, until its session ends. */
export function createRuntimes({ bridge }: { readonly bridge: Bridge }): ToolRuntimes {
  const follow = leftInTabs();
  return {
    emulate: async ({ tab: named, device, reset, ...given }: EmulateArgs, context) => {
      const target = await requireTab(bridge, { tab: named }, context);
      const known = bridge.browsers().find(({ id }) => id === target.browser);
      const caller = callerOf(context);
      const set = { ...deviceOf(device, known?.facts.version ?? ''), ...defined(given) };
      const tab = formatTabId(target);
      const endedBy = follow(context.session, tab, (name) => reset || name in set);
      const params = { tab_id: target.tabId, caller, reset, set };
      const { emulates } = await askTab({ bridge, target, context }, 'tab.emulate', params);
      const ended = endedBy(Object.keys(emulates));
      return produceJson({ tab, emulates: { ...emulates } }, { tab }, describeEnded(ended));
    },
  };
}
