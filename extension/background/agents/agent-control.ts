import browser from 'webextension-polyfill';
import { z } from 'zod';
import type { Caller } from '../../../shared/act/caller.ts';
import { onAbort } from '../../../shared/async/abort.ts';
import { abortable, waitAtMost } from '../../../shared/async/wait.ts';
import { SpillwayError } from '../../../shared/errors.ts';

/** Where it is kept in `storage.local`: an agent outlives the worker, and may outlive the browser. */
const KEY = 'agent_controls';
/** The newest are kept. */
const CONTROLS_MAX = 200;
/** Less than a server waits for an answer: the agent then learns why. */
const PAUSE_MS = 25_000;
/** What a call that is ended may take to release what it holds. */
const GRACE_MS = 250;

/** An agent that a person has stopped or paused: one session, or all of that name, also those to come. */
const Control = z.object({
  name: z.string().max(100),
  session: z.string().max(64).nullable(),
  state: z.enum(['stopped', 'paused']),
  /** Milliseconds since the epoch. */
  at: z.number(),
});
export type Control = z.infer<typeof Control>;
export type Agent = Pick<Control, 'name' | 'session'>;
type AgentState = Control['state'] | 'on';

/** A call that runs for an agent. */
interface ActiveCall {
  readonly caller: Caller;
  readonly stop: (error: SpillwayError) => void;
}

const isSame = (a: Agent, b: Agent): boolean =>
  a.session === null || b.session === null
    ? a.session === b.session && a.name === b.name
    : a.session === b.session;

const holdsFor = (agent: Agent, { name, session }: Caller): boolean =>
  agent.session === null ? agent.name === name : agent.session === session;

/**
 * The agents that a person has stopped or paused in this browser. It is enforced here, before a call does anything,
 * whatever the agent's server does.
 */
export class AgentControl {
  readonly #active = new Set<ActiveCall>();
  readonly #waiting = new Set<() => void>();
  readonly #onChange: () => void;
  #controls: readonly Control[] = [];
  #isLoaded = false;
  readonly #loading: Promise<void>;

  /** @param onChange called when a person has changed something */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
    this.#loading = this.#load();
  }

  /** Newest first. */
  async list(): Promise<readonly Control[]> {
    await this.#loading;
    return this.#controls;
  }

  /**
   * Stops or pauses an agent, or lets it on. Resolves when it is stored. Calls of an agent that is stopped end
   * at once; those of one that is paused go to their end.
   */
  async set({ name, session }: Agent, state: AgentState): Promise<void> {
    await this.#loading;
    const others = this.#controls.filter((control) => !isSame(control, { name, session }));
    const added = state === 'on' ? [] : [{ name, session, state, at: Date.now() }];
    this.#controls = [...added, ...others].slice(0, CONTROLS_MAX);
    for (const { caller, stop } of this.#active)
      if (this.#of(caller)?.state === 'stopped') stop(stopped(caller));
    for (const wake of this.#waiting) wake();
    this.#onChange();
    await browser.storage.local.set({ [KEY]: this.#controls });
  }

  /**
   * Runs a call of an agent, unless a person has stopped the agent; waits while it is paused.
   * @throws SpillwayError `agent_stopped`, `agent_paused`, the signal's reason, or what the call throws
   */
  async run<T>(caller: Caller, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (!this.#isLoaded) await this.#loading;
    if (this.#of(caller) !== null) await this.#untilOn(caller, signal);
    const ended = new AbortController();
    const stopping = new AbortController();
    const stopListening = onAbort(signal, () => ended.abort(signal.reason));
    const call: ActiveCall = {
      caller,
      stop: (error) => {
        ended.abort(error);
        stopping.abort(error);
      },
    };
    this.#active.add(call);
    try {
      return await abortable(work(ended.signal), stopping.signal, { graceMs: GRACE_MS });
    } catch (thrown) {
      // What a call says that was ended midway is of no interest.
      throw stopping.signal.aborted ? stopping.signal.reason : thrown;
    } finally {
      this.#active.delete(call);
      stopListening();
    }
  }

  async #untilOn(caller: Caller, signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + PAUSE_MS;
    for (let control = this.#of(caller); control !== null; control = this.#of(caller)) {
      if (control.state === 'stopped') throw stopped(caller);
      const leftMs = deadline - performance.now();
      if (leftMs <= 0)
        throw new SpillwayError('agent_paused', `The person has paused ${caller.name} in this browser.`);
      await abortable(this.#change(leftMs), signal);
    }
  }

  async #change(timeoutMs: number): Promise<void> {
    let wake = (): void => undefined;
    const changed = new Promise<void>((resolve) => (wake = resolve));
    this.#waiting.add(wake);
    await waitAtMost(changed, timeoutMs).finally(() => this.#waiting.delete(wake));
  }

  /** What holds for an agent: a stop before a pause. */
  #of(caller: Caller): Control | null {
    if (this.#controls.length === 0) return null;
    const holding = this.#controls.filter((control) => holdsFor(control, caller));
    return holding.find(({ state }) => state === 'stopped') ?? holding[0] ?? null;
  }

  async #load(): Promise<void> {
    const { [KEY]: found } = await browser.storage.local.get(KEY);
    const controls = z.array(Control).safeParse(found ?? []);
    // Another build may have written what this one cannot read: it stops no agent.
    this.#controls = controls.data ?? [];
    this.#isLoaded = true;
  }
}

const stopped = ({ name }: Caller): SpillwayError =>
  new SpillwayError('agent_stopped', `The person has stopped ${name} in this browser.`);
