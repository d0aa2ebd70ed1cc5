import { onAbort } from '../../../shared/async/abort.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { NETWORK_BUFFERS } from '../../background/chromium/debugger/send-command.ts';
import type { DebuggerLease } from '../../background/chromium/debugger/sessions.ts';
import type { Handlers, HandlerServices } from '../../background/handler.ts';
import { getReadableTab } from '../../background/pages/targets.ts';
import { commandsOf, type Settings } from './commands.ts';

/** The settings that one tab emulates, and the session that set them. */
interface Emulating {
  readonly session: string;
  readonly lease: DebuggerLease;
  emulates: Settings;
}

/** For all servers: a tab emulates for one session at a time. */
const tabs = new Map<number, Emulating>();

/** The methods of `emulate`. Emulation keeps the debugger and its banner attached. */
export function createHandlers({
  debuggers,
  closed,
}: Pick<HandlerServices, 'debuggers' | 'closed'>): Pick<Handlers, 'tab.emulate' | 'emulate.end'> {
  const own = new Set<Emulating>();
  const end = async (tabId: number, emulating: Emulating): Promise<void> => {
    own.delete(emulating);
    if (tabs.get(tabId) === emulating) tabs.delete(tabId);
    // Others may keep the debugger attached, which would keep all of it.
    await change(emulating, {}).catch(() => undefined);
    await emulating.lease.release();
  };
  const endAll = (session: string | null): void => {
    for (const [tabId, one] of [...tabs])
      if (own.has(one) && (session === null || one.session === session)) void end(tabId, one);
  };
  onAbort(closed, () => endAll(null));
  const begin = async (tabId: number, session: string, signal: AbortSignal): Promise<Emulating> => {
    const known = tabs.get(tabId);
    if (known !== undefined && known.session !== session)
      throw new SpillwayError('tab_busy', `Tab ${tabId} emulates a device for another agent.`);
    if (known !== undefined) return known;
    const lease = await debuggers.acquire(tabId, signal);
    const emulating = { session, lease, emulates: {} };
    tabs.set(tabId, emulating);
    own.add(emulating);
    // A lost attachment has undone all of it.
    onAbort(lease.signal, () => void end(tabId, emulating));
    if (closed.aborted) await end(tabId, emulating);
    return emulating;
  };
  return {
    'tab.emulate': async ({ tab_id: tabId, caller: { session }, reset, set }, { signal }) => {
      await getReadableTab(tabId);
      const isNothing = Object.keys(set).length === 0;
      const known = tabs.get(tabId);
      if (isNothing && (known === undefined || (reset && known.session === session))) {
        if (known !== undefined) await end(tabId, known);
        return { emulates: {} };
      }
      const emulating = await begin(tabId, session, signal);
      try {
        await change(emulating, { ...(reset ? {} : emulating.emulates), ...set });
      } finally {
        if (Object.keys(emulating.emulates).length === 0) await end(tabId, emulating);
      }
      return { emulates: emulating.emulates };
    },
    'emulate.end': ({ session }) => {
      endAll(session);
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
  const before = emulating.emulates;
  const send = async (from: Settings, to: Settings): Promise<void> => {
    // The browser slows down the requests alone that it reports.
    if (to.network !== undefined) await emulating.lease.send('Network.enable', NETWORK_BUFFERS);
    for (const [method, params] of commandsOf(from, to)) await emulating.lease.send(method, params);
  };
  try {
    await send(before, wanted);
    emulating.emulates = wanted;
  } catch (thrown) {
    await send({ ...before, ...wanted }, before).catch(() => undefined);
    const error = toSpillwayError(thrown);
    if (error.code !== 'internal_error') throw error;
    throw new SpillwayError('invalid_argument', error.message, { cause: thrown });
  }
}
