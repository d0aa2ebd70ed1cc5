import { defined } from '../../../shared/json.ts';
import { createTabHolds, type TabHold } from '../../platform/chromium/debugger/tab-holds.ts';
import { changeEmulation, emulateInNew, type Settings } from '../../platform/chromium/emulation.ts';
import type { Create } from '../../background/handler.ts';
import { TabTurns } from '../../background/pages/scroll-turns.ts';
import { getReadableTab } from '../../background/pages/targets.ts';

type Emulating = TabHold<Settings>;

const formatSetting = (value: Settings[keyof Settings]): string =>
  typeof value === 'object' ? Object.values(value).join(' ') : String(value);

const createHolds = createTabHolds<Settings>({
  tool: 'emulate',
  does: 'emulates a device',
  begin: () => ({}),
  show: (settings) => Object.entries(settings).map(([name, value]) => `${name} ${formatSetting(value)}`),
  undo: (emulating) => change(emulating, {}),
});

/** The methods of `emulate`. Emulation keeps the debugger and its banner attached. */
export const createHandlers: Create<'tab.emulate'> = (services) => {
  const holds = createHolds(services);
  const turns = new TabTurns();
  return {
    // One at a time: each changes what the one before has left.
    'tab.emulate': ({ tab_id: tabId, caller, reset, set }, { signal }) =>
      turns.run(tabId, async () => {
        signal.throwIfAborted();
        await getReadableTab(tabId);
        const isNothing = Object.keys(set).length === 0;
        const known = holds.get(tabId);
        if (isNothing && (known === undefined || (reset && known.session === caller.session))) {
          await holds.end(tabId);
          return { emulates: {} };
        }
        const emulating = await holds.begin(tabId, caller, signal);
        try {
          if (known === undefined) await emulateInNew(emulating.lease, () => emulating.state);
          const { network, ...others } = { ...(reset ? {} : emulating.state), ...set };
          await change(emulating, network === 'online' ? others : { ...others, ...defined({ network }) });
          holds.changed();
        } finally {
          if (Object.keys(emulating.state).length === 0) await holds.end(tabId);
        }
        return { emulates: emulating.state };
      }),
  };
};

/** @throws SpillwayError as {@link changeEmulation} */
const change = (emulating: Emulating, wanted: Settings): Promise<void> =>
  changeEmulation(emulating.lease, emulating.state, wanted, (settings) => (emulating.state = settings));
