import browser from 'webextension-polyfill';
import { z } from 'zod';
import type { Caller } from '../../../shared/core/policy/call-facts.ts';
import { abortable, defer, waitAtMost } from '../../../shared/base/async.ts';
import { BoundedMap } from '../../../shared/base/maps.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { visibleName } from '../../../shared/core/policy/reveal.ts';
import { METHODS, type MethodName } from '../../../shared/core/bridge/methods.ts';
import type { CallGuard } from '../../core/link/dispatch.ts';
import { interruptible } from '../../core/link/interrupt.ts';

/** Key in `storage.local`: an agent outlives the worker, and may outlive the browser. */
const KEY = 'agent_controls';
/** The newest are kept. */
const CONTROLS_MAX = 200;
/** Ids of calls whose later requests pass a pause. */
const BEGUN_MAX = 1_000;
/** Less than a server waits for an answer, so that the agent learns the reason. */
const PAUSE_MS = 25_000;

/** Stopped or paused: one session, all sessions of a name including later ones, or everyone. */
const Control = z.object({
  /** Null for everyone, including requests without a call. */
  name: z.string().max(100).nullable(),
  session: z.string().max(64).nullable(),
  state: z.enum(['stopped', 'paused']),
  /** Milliseconds since the epoch. */
  at: z.number(),
});
type Control = z.infer<typeof Control>;
type Agent = Pick<Control, 'name' | 'session'>;
type AgentState = Control['state'] | 'on';

/**
 * The agent that a request is for. A request without a call has an entry for each name that its server serves, without
 * a session.
 */
type Requester = Pick<Caller, 'name'> & { readonly session: string | null };

interface Controls {
  /** Newest first. */
  readonly controls: readonly Control[];
  /** Part of the stored list is unreadable: agents that may have been in it are stopped. */
  readonly isDamaged: boolean;
}

/** A request that runs for an agent. */
interface ActiveCall {
  readonly requesters: readonly Requester[];
  readonly stop: (error: SpillwayError) => void;
}

const isSameAgent = (a: Agent, b: Agent): boolean =>
  a.session === null || b.session === null
    ? a.session === b.session && isSameName(a.name, b.name)
    : a.session === b.session;

const isSameName = (a: string | null, b: string | null): boolean =>
  a === b || (a !== null && b !== null && visibleName(a) === visibleName(b));

const EVERYONE: Agent = { name: null, session: null };

const holdsFor = (agent: Agent, requesters: readonly Requester[]): boolean =>
  isSameAgent(agent, EVERYONE) ||
  requesters.some(({ name, session }) =>
    agent.session === null ? isSameName(agent.name, name) : agent.session === session,
  );

/**
 * An unreadable entry stops all agents of its name, or everyone: the person had stopped somebody, and letting that
 * agent continue is worse than stopping another one.
 */
function readControls(found: unknown): Controls {
  if (found === undefined) return { controls: [], isDamaged: false };
  const entries: readonly unknown[] = Array.isArray(found) ? found : [null];
  const controls = new Map<string, Control>();
  let isDamaged = false;
  for (const entry of entries) {
    const control = Control.safeParse(entry);
    isDamaged ||= !control.success;
    const kept = control.data ?? stopOf(entry);
    const key = JSON.stringify([kept.name, kept.session]);
    if (!controls.has(key)) controls.set(key, kept);
  }
  return { controls: [...controls.values()], isDamaged };
}

function stopOf(entry: unknown): Control {
  const named = Control.pick({ name: true }).safeParse(entry);
  return { name: named.data?.name ?? null, session: null, state: 'stopped', at: Date.now() };
}

/**
 * The agents that a person has stopped or paused in this browser. Enforced here, before a call does anything, whatever
 * the agent's server does.
 */
export class AgentControl {
  readonly #active = new Set<ActiveCall>();
  readonly #waiting = new Set<() => void>();
  readonly #begun = new BoundedMap<string, true>(BEGUN_MAX);
  #controls: readonly Control[] = [];
  #isDamaged = false;
  #isLoaded = false;
  readonly #loading: Promise<void>;

  /**
   * @param onChange called after a person's change
   * @param onStop called when a person stops agents, to end what they have left in tabs
   */
  constructor(
    private readonly onChange: () => void,
    private readonly onStop: (isMeant: (agent: Requester) => boolean) => void,
  ) {
    this.#loading = this.#load();
  }

  async list(): Promise<Controls> {
    await this.#loading;
    return { controls: this.#controls, isDamaged: this.#isDamaged };
  }

  /** Names whose sessions are all stopped; null: everyone. */
  async stopped(): Promise<readonly (string | null)[]> {
    const { controls } = await this.list();
    return controls.flatMap(({ name, session, state }) =>
      session === null && state === 'stopped' ? [name] : [],
    );
  }

  /**
   * Stops, pauses or resumes an agent. Resolves when it is stored. A stopped agent's calls end at once; a
   * paused one's run to their end. Repairs a damaged list.
   */
  async set({ name, session }: Agent, state: AgentState): Promise<void> {
    await this.#loading;
    const others = this.#controls.filter((control) => !isSameAgent(control, { name, session }));
    const added = state === 'on' ? [] : [{ name, session, state, at: Date.now() }];
    this.#controls = [...added, ...others].slice(0, CONTROLS_MAX);
    this.#isDamaged = false;
    for (const { requesters, stop } of this.#active) {
      const control = this.#of(requesters);
      if (control?.state === 'stopped') stop(stopped(control, requesters));
    }
    if (state === 'stopped') this.onStop((agent) => holdsFor({ name, session }, [agent]));
    for (const wake of this.#waiting) wake();
    this.onChange();
    await browser.storage.local.set({ [KEY]: this.#controls });
  }

  /**
   * Runs a request of an agent, unless a person has stopped the agent. While it is paused, requests of calls that have
   * begun run, and others wait.
   * @throws SpillwayError `agent_stopped`, `agent_paused`, the signal's reason, or the call's error
   */
  async run<T>(
    requesters: readonly Requester[],
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
    call: string | null = null,
  ): Promise<T> {
    if (!this.#isLoaded) await this.#loading;
    const state = this.#of(requesters)?.state ?? 'on';
    const hasBegun = state === 'paused' && call !== null && this.#begun.has(call);
    if (state !== 'on' && !hasBegun) await this.#untilOn(requesters, signal);
    if (call !== null) this.#begun.set(call, true);
    return interruptible(signal, work, (stop) => {
      const active = { requesters, stop };
      this.#active.add(active);
      return () => void this.#active.delete(active);
    });
  }

  async #untilOn(requesters: readonly Requester[], signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + PAUSE_MS;
    for (let control = this.#of(requesters); control !== null; control = this.#of(requesters)) {
      if (control.state === 'stopped') throw stopped(control, requesters);
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) {
        const who = resolveAgentName(control, requesters);
        throw new SpillwayError('agent_paused', `The person has paused ${who} in this browser.`);
      }
      await abortable(this.#change(leftMs), signal);
    }
  }

  async #change(timeoutMs: number): Promise<void> {
    const { promise: changed, resolve: wake } = defer<void>();
    this.#waiting.add(wake);
    await waitAtMost(changed, timeoutMs).finally(() => this.#waiting.delete(wake));
  }

  /** A stop takes precedence over a pause. */
  #of(requesters: readonly Requester[]): Control | null {
    if (this.#controls.length === 0) return null;
    const holding = this.#controls.filter((control) => holdsFor(control, requesters));
    return holding.find(({ state }) => state === 'stopped') ?? holding[0] ?? null;
  }

  async #load(): Promise<void> {
    const found = await browser.storage.local.get(KEY).then(
      ({ [KEY]: stored }) => stored,
      // Nobody knows whom the person has stopped.
      () => null,
    );
    ({ controls: this.#controls, isDamaged: this.#isDamaged } = readControls(found));
    this.#isLoaded = true;
  }
}

const resolveAgentName = ({ name }: Control, requesters: readonly Requester[]): string =>
  name ?? (requesters.length === 1 ? requesters[0]?.name : undefined) ?? 'all agents';

const stopped = (control: Control, requesters: readonly Requester[]): SpillwayError =>
  new SpillwayError(
    'agent_stopped',
    `The person has stopped ${resolveAgentName(control, requesters)} in this browser.`,
  );

const OF_TABS: ReadonlySet<MethodName> = new Set(['tabs.list', 'tabs.get', 'tabs.active', 'tabs.activate']);

/** Allowed while all agents are stopped, for example to release a call's resources: it neither reads nor acts. */
const isHousekeeping = (method: MethodName): boolean =>
  METHODS[method].policy.judged === 'nothing' && !OF_TABS.has(method);

interface AgentGuardOptions {
  readonly control: Pick<AgentControl, 'run'>;
  /** Names of the agents that the server serves now. */
  readonly clients: () => readonly string[];
  readonly next: CallGuard;
}

/**
 * Holds up the requests of an agent that a person has stopped or paused. A server of wire 1 does not name a request's
 * call, and some requests of newer ones have none: such a request is held up if any agent of its server is.
 */
export const createAgentGuard =
  ({ control, clients, next }: AgentGuardOptions): CallGuard =>
  (call) => {
    const { scope, signal, method } = call;
    if (scope === null && isHousekeeping(method)) return next(call);
    const requesters = scope === null ? clients().map((name) => ({ name, session: null })) : [scope.caller];
    const id = scope === null ? null : `${scope.caller.session} ${scope.call.call_id}`;
    return control.run(requesters, signal, (limited) => next({ ...call, signal: limited }), id);
  };
