import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { NETWORK_BUFFERS } from '../../background/chromium/debugger/send-command.ts';
import type { DebuggerLease } from '../../background/chromium/debugger/sessions.ts';
import { followSessions } from '../../background/chromium/debugger/follow-sessions.ts';
import { createTabHolds, type TabHold } from '../../background/chromium/debugger/tab-holds.ts';
import type { Handlers, HandlerServices } from '../../background/handler.ts';
import { getReadableTab } from '../../background/pages/targets.ts';
import { commandsOf, type Settings } from './commands.ts';

type Emulating = TabHold<Settings>;

const textOf = (value: Settings[keyof Settings]): string =>
  typeof value === 'object' ? Object.values(value).join(' ') : String(value);

const createHolds = createTabHolds<Settings>({
  tool: 'emulate',
  does: 'emulates a device',
  begin: () => ({}),
  show: (settings) => Object.entries(settings).map(([name, value]) => `${name} ${textOf(value)}`),
  undo: (emulating) => change(emulating, {}),
});

/** The methods of `emulate`. Emulation keeps the debugger and its banner attached. */
export function createHandlers(
  services: Pick<HandlerServices, 'debuggers' | 'closed' | 'sessionEnds'>,
): Pick<Handlers, 'tab.emulate'> {
  const holds = createHolds(services);
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
      if (known === undefined)
        await followSessions(emulating.lease, (sessionId) =>
          sendToFrame(emulating.lease, sessionId, {}, emulating.state),
        );
      try {
        await change(emulating, { ...(reset ? {} : emulating.state), ...set });
        holds.changed();
      } finally {
        if (Object.keys(emulating.state).length === 0) await holds.end(tabId);
      }
      return { emulates: emulating.state };
    },
  };
}

/**
 * Makes a tab emulate exactly this. If the browser refuses a part, the former emulation stays.
 * @throws SpillwayError `invalid_argument` with the browser's message, and of the lost attachment
 */
async function change(emulating: Emulating, wanted: Settings): Promise<void> {
  const before = emulating.state;
  const send = async (from: Settings, to: Settings): Promise<void> => {
    // The browser throttles only requests that it reports.
    if (to.network !== undefined) await emulating.lease.send('Network.enable', NETWORK_BUFFERS);
    for (const [method, params] of commandsOf(from, to)) await emulating.lease.send(method, params);
    await Promise.all(
      emulating.lease.sessions().map((sessionId) => sendToFrame(emulating.lease, sessionId, from, to)),
    );
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

/**
 * The size belongs to the tab. A session does without commands that it refuses, as workers do. All are sent at once:
 * the session may be waiting for them.
 */
async function sendToFrame(
  lease: DebuggerLease,
  sessionId: string,
  { viewport: _before, ...from }: Settings,
  { viewport: _now, ...to }: Settings,
): Promise<void> {
  const enable: [string, object][] = to.network === undefined ? [] : [['Network.enable', NETWORK_BUFFERS]];
  await Promise.allSettled(
    [...enable, ...commandsOf(from, to)].map(([method, params]) => lease.send(method, params, { sessionId })),
  );
}
