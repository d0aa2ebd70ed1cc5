import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { NETWORK_BUFFERS } from '../../background/chromium/debugger/send-command.ts';
import { createTabHolds, type TabHold } from '../../background/chromium/debugger/tab-holds.ts';
import type { Handlers, HandlerServices } from '../../background/handler.ts';
import { getReadableTab } from '../../background/pages/targets.ts';
import { commandsOf, type Settings } from './commands.ts';

type Emulating = TabHold<Settings>;

const createHolds = createTabHolds<Settings>({
  does: 'emulates a device',
  begin: () => ({}),
  undo: (emulating) => change(emulating, {}),
});

/** The methods of `emulate`. Emulation keeps the debugger and its banner attached. */
export function createHandlers({
  debuggers,
  closed,
}: Pick<HandlerServices, 'debuggers' | 'closed'>): Pick<Handlers, 'tab.emulate' | 'emulate.end'> {
  const holds = createHolds(debuggers, closed);
  return {
    'tab.emulate': async ({ tab_id: tabId, caller: { session }, reset, set }, { signal }) => {
      await getReadableTab(tabId);
      const isNothing = Object.keys(set).length === 0;
      const known = holds.get(tabId);
      if (isNothing && (known === undefined || (reset && known.session === session))) {
        await holds.end(tabId);
        return { emulates: {} };
      }
      const emulating = await holds.begin(tabId, session, signal);
      try {
        await change(emulating, { ...(reset ? {} : emulating.state), ...set });
      } finally {
        if (Object.keys(emulating.state).length === 0) await holds.end(tabId);
      }
      return { emulates: emulating.state };
    },
    'emulate.end': ({ session }) => {
      holds.endSession(session);
      return Promise.resolve({});
    },
  };
}

/**
 * Makes a tab emulate this and nothing else. Where the browser refuses a part, it emulates what it did before.
 *
 * @throws SpillwayError `invalid_argument` with what the browser says, and of the lost attachment
 */
async function change(emulating: Emulating, wanted: Settings): Promise<void> {
  const before = emulating.state;
  const send = async (from: Settings, to: Settings): Promise<void> => {
    // The browser slows down the requests alone that it reports.
    if (to.network !== undefined) await emulating.lease.send('Network.enable', NETWORK_BUFFERS);
    for (const [method, params] of commandsOf(from, to)) await emulating.lease.send(method, params);
  };
  try {
    await send(before, wanted);
    emulating.state = wanted;
  } catch (thrown) {
    await send({ ...before, ...wanted }, before).catch(() => undefined);
    const error = toSpillwayError(thrown);
    if (error.code !== 'internal_error') throw error;
    throw new SpillwayError('invalid_argument', error.message, { cause: thrown });
  }
}
