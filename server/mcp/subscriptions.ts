import { SpillwayError } from '../../shared/base/errors.ts';
import type { SessionPicks } from '../core/context.ts';
import type { Resources } from '../core/upstreams.ts';
import { buildCancelled } from '../core/calls/call.ts';
import { describeRun } from '../core/calls/produce.ts';
import { onAbort } from '../../shared/base/async.ts';
import { parseUri, PICKED, type ResourceName } from './resources.ts';
import { invalidParams } from './rpc.ts';

const SUBSCRIPTIONS_MAX = 500;
/** The interval between checks of an active run, and so between updates. */
const RUN_LOOK_MS = 1_000;
/** The interval between checks of slow changes: a stopped run may be resumed. */
const IDLE_LOOK_MS = 10_000;
/** Other servers may remove a handle, and clocks jump, so a handle is checked at least this often. */
const OUTPUT_LOOK_MS = 300_000;
const SHORTEST_LOOK_MS = 100;

/** A handle that still exists past its expiry follows another clock. */
function untilOutputLook(leftMs: number): number {
  if (leftMs <= 0) return IDLE_LOOK_MS;
  return Math.min(Math.max(leftMs, SHORTEST_LOOK_MS), OUTPUT_LOOK_MS);
}

interface Look {
  /** Compared with the previous check. */
  readonly state: string;
  /** When to check again; null if nothing more will change. */
  readonly againMs: number | null;
}

interface Followed {
  /** Null for resources that announce their changes. */
  readonly name: ResourceName | null;
  /** Aborted when nobody follows it. */
  readonly over: AbortController;
  /** Resolves once it can be followed: the subscriber waits for it, and fails with it. */
  ready: Promise<void>;
}

export interface SubscriptionsOptions {
  readonly resources: Resources;
  /** Null where requests name their sessions: then nobody can follow their picks. */
  readonly picks: SessionPicks | null;
  /** Ends them all. */
  readonly signal: AbortSignal;
  readonly onUpdate: (uri: string) => void;
}

/**
 * The bytes of a handle never change, so its update is its end; a run's updates are its progress. No timer
 * keeps the process alive.
 */
export class Subscriptions {
  readonly #followed = new Map<string, Followed>();

  constructor(private readonly options: SubscriptionsOptions) {
    const { resources, signal } = options;
    const stop = resources.outputs.onEnd((handle) => this.#end(handle));
    onAbort(signal, () => {
      stop();
      for (const uri of this.#followed.keys()) this.unsubscribe(uri);
    });
  }

  /** @throws SpillwayError `resource_not_found`, `output_handle_not_found`, `run_not_found` */
  async subscribe(uri: string): Promise<void> {
    if (this.options.signal.aborted) return;
    const known = this.#followed.get(uri);
    if (known !== undefined) return known.ready;
    if (this.#followed.size >= SUBSCRIPTIONS_MAX)
      throw invalidParams(
        `uri: this session has ${SUBSCRIPTIONS_MAX} subscriptions; unsubscribe from one first.`,
      );
    const over = new AbortController();
    const name = parseUri(uri);
    const followed = { name, over, ready: Promise.resolve() };
    this.#followed.set(uri, followed);
    const { signal } = over;
    followed.ready =
      name === null
        ? this.#listen(uri, signal)
        : this.#look(name).then((last) => this.#plan(uri, { name, signal, last }));
    try {
      await followed.ready;
    } catch (thrown) {
      // It may have been unsubscribed and subscribed again meanwhile.
      if (this.#followed.get(uri) === followed) this.unsubscribe(uri);
      throw thrown;
    }
  }

  unsubscribe(uri: string): void {
    this.#followed.get(uri)?.over.abort(buildCancelled('the client'));
    this.#followed.delete(uri);
  }

  /** Follows the session's picks, or an upstream's resource. */
  async #listen(uri: string, signal: AbortSignal): Promise<void> {
    const { resources, onUpdate, picks } = this.options;
    const stop =
      uri === PICKED.uri
        ? (picks?.onAdd(() => onUpdate(uri)) ?? null)
        : ((await resources.upstreams?.follow(uri, onUpdate, signal)) ?? null);
    if (stop === null) throw notFollowed(uri);
    onAbort(signal, stop);
  }

  async #look(name: ResourceName): Promise<Look> {
    const { outputs, runs } = this.options.resources;
    if (name.kind === 'output') {
      const { expiresAtMs } = await outputs.facts(name.handle);
      return { state: 'kept', againMs: untilOutputLook(expiresAtMs - Date.now()) };
    }
    const view = await runs.get(name.runId);
    const isAtWork = view.status === 'queued' || view.status === 'running';
    const againMs = view.status === 'completed' ? null : isAtWork ? RUN_LOOK_MS : IDLE_LOOK_MS;
    return { state: JSON.stringify(describeRun(view)), againMs };
  }

  /** Checks again when due, and reports changes since the last check. */
  #plan(
    uri: string,
    watched: { readonly name: ResourceName; readonly signal: AbortSignal; readonly last: Look },
  ): void {
    const { name, signal, last } = watched;
    if (signal.aborted) return;
    if (last.againMs === null) return this.unsubscribe(uri);
    const timer = setTimeout(() => {
      release();
      this.#look(name).then(
        (look) => {
          if (!signal.aborted && look.state !== last.state) this.options.onUpdate(uri);
          this.#plan(uri, { ...watched, last: look });
        },
        (thrown: unknown) => {
          const isGone = thrown instanceof SpillwayError && thrown.code.endsWith('_not_found');
          // Unreadable resources are tried again later; removed ones have had their last update.
          if (!isGone) this.#plan(uri, { ...watched, last: { ...last, againMs: IDLE_LOOK_MS } });
          else if (!signal.aborted) this.#notifyEnd(uri);
        },
      );
    }, last.againMs).unref();
    const release = onAbort(signal, () => clearTimeout(timer));
  }

  #end(handle: string): void {
    for (const [uri, { name }] of this.#followed)
      if (name?.kind === 'output' && name.handle === handle) this.#notifyEnd(uri);
  }

  #notifyEnd(uri: string): void {
    this.unsubscribe(uri);
    this.options.onUpdate(uri);
  }
}

const notFollowed = (uri: string): SpillwayError =>
  new SpillwayError('resource_not_found', `${uri.slice(0, 200)} cannot be subscribed to.`, {
    hint: 'Subscribe to a spillway:// or upstream:// resource.',
  });
