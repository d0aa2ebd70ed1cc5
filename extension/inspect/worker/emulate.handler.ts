import type { MethodResult } from '../../../shared/core/bridge/methods.ts';
import { invalidArgument } from '../../../shared/base/errors.ts';
import { defined } from '../../../shared/base/json.ts';
import { createTabHolds, type TabHold } from '../../platform/chromium/debugger/tab-holds.ts';
import {
  changeEmulation,
  checkScript,
  emulateInNew,
  expectEmulated,
  type PageScript,
  type Settings,
} from '../../platform/chromium/emulation.ts';
import type { Create } from '../../core/handler.ts';
import type { DebuggerLease } from '../../platform/chromium/debugger/sessions.ts';
import type { CallPolicy } from '../../core/policy/call-policy.ts';
import { placeOfFrame } from '../../core/policy/documents.ts';
import { WorkOrder } from '../../../shared/base/work-order.ts';
import { getReadableTab } from '../../core/pages/targets.ts';

type Emulating = TabHold<Settings>;
type EmulatedSettings = MethodResult<'tab.emulate'>['emulates'];

/** A script by its origin. */
const toShow = ({ script, ...settings }: Settings): EmulatedSettings =>
  defined({ ...settings, script: script?.origin });

const formatSetting = (value: EmulatedSettings[keyof EmulatedSettings]): string =>
  typeof value === 'object' ? Object.values(value).join(' ') : String(value);

const createHolds = createTabHolds<Settings>({
  tool: 'emulate',
  does: 'emulates a device',
  begin: () => ({}),
  show: (settings) =>
    Object.entries(toShow(settings)).map(([name, value]) => `${name} ${formatSetting(value)}`),
  undo: (emulating) => change(emulating, {}),
});

/** The methods of `emulate`. Emulation keeps the debugger and its banner attached. */
export const createHandlers: Create<'tab.emulate'> = (services) => {
  const holds = createHolds(services);
  const turns = new WorkOrder<number>();
  return {
    // One at a time: each changes what the one before has left.
    'tab.emulate': ({ tab_id: tabId, caller, reset, set: { script, ...set } }, { signal, policy }) =>
      turns.run(tabId, async () => {
        signal.throwIfAborted();
        await getReadableTab(tabId);
        await expectEmulated({ ...set, script }, { tabId, server: services.server, signal });
        const isNothing = Object.keys(set).length === 0 && script === undefined;
        const known = holds.get(tabId);
        if (isNothing && (known === undefined || (reset && known.session === caller.session))) {
          await holds.end(tabId);
          return { emulates: {} };
        }
        const emulating = await holds.begin(tabId, caller, signal);
        try {
          if (known === undefined) await emulateInNew(emulating.lease, () => emulating.state);
          const added =
            script === undefined ? {} : { script: await allowScript(emulating.lease, script, policy) };
          if (set.proxy !== undefined) await allowProxy(tabId, policy);
          const { network, ...others } = { ...(reset ? {} : emulating.state), ...set, ...added };
          await change(emulating, network === 'online' ? others : { ...others, ...defined({ network }) });
          holds.changed();
        } finally {
          if (Object.keys(emulating.state).length === 0) await holds.end(tabId);
        }
        return { emulates: toShow(emulating.state) };
      }),
  };
};

/**
 * A script that a person allows for the site of the tab's page.
 * @throws SpillwayError `invalid_argument`, and of a question or the rules
 */
async function allowScript(lease: DebuggerLease, source: string, policy: CallPolicy): Promise<PageScript> {
  const place = await placeOfFrame(lease.tabId, 0);
  const { origin } = new URL(place?.url ?? 'about:blank');
  if (place === null || origin === 'null')
    throw invalidArgument('script: needs a page of a site in the tab; navigate first.');
  await checkScript(lease, { origin, source });
  await policy.expect(place, ['evaluate']);
  return { origin, source };
}

/** A proxy of the tab gets what all sites in it load, so each one is asked about. */
async function allowProxy(tabId: number, policy: CallPolicy): Promise<void> {
  const place = (await placeOfFrame(tabId, 0)) ?? { url: '', tabId, documentId: null };
  await policy.expect(place, ['capture_network'], { isAlone: true });
}

/** @throws SpillwayError as {@link changeEmulation} */
const change = (emulating: Emulating, wanted: Settings): Promise<void> =>
  changeEmulation(emulating.lease, emulating.state, wanted, (settings) => (emulating.state = settings));
