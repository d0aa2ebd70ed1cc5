import browser from 'webextension-polyfill';
import { onAbort } from '../../../../shared/base/async.ts';
import type { Caller } from '../../../../shared/core/policy/call-facts.ts';
import { SpillwayError, toSpillwayError } from '../../../../shared/base/errors.ts';
import type { HeldTab } from '../../../ui/frame/protocol.ts';
import type { HandlerServices } from '../../../core/handler.ts';
import type { DebuggerLease } from './sessions.ts';

/** State of one session in a tab, and the lease that keeps it there. */
export interface TabHold<State> {
  readonly session: string;
  readonly name: string;
  lease: DebuggerLease;
  state: State;
  /** Set by {@link startHold}. */
  started: Promise<void> | null;
}

interface Kind<State> {
  readonly tool: HeldTab['tool'];
  /** For messages: `emulates a device`. */
  readonly does: string;
  begin(): State;
  /** For people. */
  show(state: State): readonly string[];
  /** Others may keep the debugger attached, which would keep all of the state. */
  undo(hold: TabHold<State>): Promise<unknown>;
  /** The state outlasts a takeover of the tab, after which the hold has a new lease. Else it ends. */
  resume?(hold: TabHold<State>): Promise<void>;
}

type Agent = Pick<Caller, 'name' | 'session'>;
/** @param inTab in that tab only */
type EndOf = (isMeant: (agent: Agent) => boolean, inTab?: number) => void;

const kinds: (() => readonly Promise<HeldTab>[])[] = [];
const ends = new Set<EndOf>();
let tell = (): void => undefined;

export const heldTabs = (): Promise<readonly HeldTab[]> => Promise.all(kinds.flatMap((held) => held()));
/** Ends what agents have left in tabs, of all kinds and servers. */
export const endHolds: EndOf = (isMeant, inTab) => {
  for (const end of ends) end(isMeant, inTab);
};
/** Calls back on every change. */
export const onHeldTabs = (changed: () => void): void => void (tell = changed);

const titleOf = (tabId: number): Promise<string> =>
  browser.tabs.get(tabId).then(
    ({ title = '' }) => title,
    () => '',
  );

type HoldServices = Pick<HandlerServices, 'debuggers' | 'closed' | 'sessionEnds' | 'personTabs'>;

/** For one server. */
interface ServerHolds<State> {
  get(tabId: number): TabHold<State> | undefined;
  /** @throws SpillwayError `tab_busy`, and as `DebuggerSessions.acquire` */
  begin(tabId: number, agent: Agent, signal: AbortSignal): Promise<TabHold<State>>;
  /** Call after a change of state. */
  changed(): void;
  /** @param hold does nothing if it has ended */
  end(tabId: number, hold?: TabHold<State>): Promise<void>;
  /** Why the session's hold ended by itself, once; `capture_not_running` if it did not. */
  lossOf(tabId: number, session: string): SpillwayError;
}

/** The session's hold of a tab, and a part of its state. @throws SpillwayError as {@link ServerHolds.lossOf} */
export function runningIn<State, Name extends keyof State>(
  holds: ServerHolds<State>,
  name: Name,
  { tabId, session }: { readonly tabId: number; readonly session: string },
) {
  const hold = holds.get(tabId);
  const part = hold?.session === session ? hold.state[name] : null;
  if (hold === undefined || part == null) throw holds.lossOf(tabId, session);
  return { hold, recording: part };
}

/**
 * Begins a hold and a capture in it, once. A capture that fails ends the hold; if that ends meanwhile, the capture is
 * undone as soon as it has begun.
 * @throws SpillwayError `tab_busy`, as {@link ServerHolds.lossOf}, and of the capture
 */
export async function startHold<State>(
  holds: ServerHolds<State>,
  { tabId, agent, signal }: { readonly tabId: number; readonly agent: Agent; readonly signal: AbortSignal },
  capture: (hold: TabHold<State>) => Promise<void>,
): Promise<void> {
  const hold = await holds.begin(tabId, agent, signal);
  if (hold.started !== null)
    throw new SpillwayError('tab_busy', `Tab ${tabId} is captured already for this session.`, {
      hint: 'Call the tool with action "stop" first.',
    });
  const check = (): void => {
    if (holds.get(tabId) !== hold) throw holds.lossOf(tabId, agent.session);
  };
  check();
  hold.started = capture(hold);
  try {
    await hold.started;
    check();
  } catch (thrown) {
    await holds.end(tabId, hold);
    throw thrown;
  }
  holds.changed();
}

/** @throws SpillwayError `tab_busy` for the hold of another session */
function ownHold<State>(
  hold: TabHold<State> | undefined,
  session: string,
  does: string,
): TabHold<State> | undefined {
  if (hold === undefined || hold.session === session) return hold;
  throw new SpillwayError('tab_busy', `Tab ${hold.lease.tabId} ${does} for another agent.`);
}

const describeHolds = <State>(
  tabs: ReadonlyMap<number, TabHold<State>>,
  { tool, show }: Pick<Kind<State>, 'tool' | 'show'>,
): Promise<HeldTab>[] =>
  [...tabs].map(async ([tabId, { session, state }]) => ({
    ...{ session, title: await titleOf(tabId), tool, parts: show(state) },
  }));

const isIn = (inTab: number | undefined, id: number): boolean => inTab === undefined || inTab === id;

/** Why holds ended by themselves, by tab, until somebody asks. */
class Losses {
  readonly #lost = new Map<number, { readonly session: string; readonly why: SpillwayError }>();

  note(tabId: number, { session, lease: { signal } }: Pick<TabHold<unknown>, 'session' | 'lease'>): void {
    if (signal.aborted) this.#lost.set(tabId, { session, why: toSpillwayError(signal.reason) });
  }

  take(tabId: number, session?: string): SpillwayError | undefined {
    const loss = this.#lost.get(tabId);
    if (session !== undefined && loss?.session !== session) return undefined;
    this.#lost.delete(tabId);
    return loss?.why;
  }
}

const notRunning = (tabId: number, tool: HeldTab['tool']): SpillwayError =>
  new SpillwayError('capture_not_running', `Tab ${tabId} is not held by ${tool} for this session.`, {
    hint: `Call ${tool} with action "start" first.`,
  });

/**
 * State that calls leave in tabs until they end it, their session ends, their server dies, or the debugger is lost.
 * Across all servers, only one session at a time has such state in a tab.
 */
export const createTabHolds = <State>({ tool, does, begin: first, show, undo, resume }: Kind<State>) => {
  const tabs = new Map<number, TabHold<State>>();
  const losses = new Losses();
  kinds.push(() => describeHolds(tabs, { tool, show }));
  return ({ debuggers, closed, sessionEnds, personTabs }: HoldServices): ServerHolds<State> => {
    const own = new Set<TabHold<State>>();
    const end = async (tabId: number, hold: TabHold<State>): Promise<void> => {
      own.delete(hold);
      if (tabs.get(tabId) === hold) tabs.delete(tabId);
      losses.note(tabId, hold);
      tell();
      await hold.started?.catch(() => undefined);
      await undo(hold).catch(() => undefined);
      await hold.lease.release();
    };
    const endOf: EndOf = (isMeant, inTab) => {
      for (const [id, one] of [...tabs])
        if (own.has(one) && isMeant(one) && isIn(inTab, id)) void end(id, one);
    };
    /** A lost attachment has already undone all of it. */
    const follow = (tabId: number, hold: TabHold<State>): void => {
      onAbort(hold.lease.signal, () => {
        if (resume === undefined || !personTabs.has(tabId)) return void end(tabId, hold);
        const stop = personTabs.onChange((id, isTaken) => {
          if (id !== tabId || isTaken) return;
          stop();
          if (tabs.get(tabId) !== hold) return;
          hold.started = again(tabId, hold);
          hold.started.catch(() => end(tabId, hold));
        });
      });
    };
    const again = async (tabId: number, hold: TabHold<State>): Promise<void> => {
      hold.lease = await debuggers.acquire(tabId, closed);
      follow(tabId, hold);
      await resume?.(hold);
    };
    ends.add(endOf);
    onAbort(closed, () => {
      ends.delete(endOf);
      endOf(() => true);
    });
    sessionEnds.add((session) => endOf((one) => one.session === session));
    return {
      get: (tabId) => tabs.get(tabId),
      begin: async (tabId, { session, name }, signal) => {
        const now = () => ownHold(tabs.get(tabId), session, does);
        const known = now();
        if (known !== undefined) return known;
        const lease = await debuggers.acquire(tabId, signal);
        try {
          // Another call may have begun meanwhile.
          const meanwhile = now();
          if (meanwhile !== undefined) {
            await lease.release();
            return meanwhile;
          }
        } catch (thrown) {
          await lease.release();
          throw thrown;
        }
        const hold = { session, name, lease, state: first(), started: null };
        tabs.set(tabId, hold);
        losses.take(tabId);
        own.add(hold);
        follow(tabId, hold);
        if (closed.aborted) await end(tabId, hold);
        return hold;
      },
      changed: () => tell(),
      end: async (tabId, hold = tabs.get(tabId)) => {
        if (hold === undefined || tabs.get(tabId) !== hold) return;
        await end(tabId, hold);
        losses.take(tabId);
      },
      lossOf: (tabId, session) => losses.take(tabId, session) ?? notRunning(tabId, tool),
    };
  };
};
