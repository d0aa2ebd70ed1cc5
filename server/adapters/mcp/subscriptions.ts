import { SpillwayError } from '../../../shared/errors.ts';
import type { Resources } from '../../core/resources.ts';
import { UPSTREAM_SCHEME } from '../../core/upstreams.ts';
import { cancelledBy } from '../../core/calls/call.ts';
import { describeRun } from '../../core/calls/produce.ts';
import { onAbort } from '../../../shared/async/abort.ts';
import { parseUri, type ResourceName } from './resources.ts';
import { invalidParams } from './rpc.ts';
import type { AdapterResource } from './session.ts';

/** A client that follows more than this has lost its way. */
const SUBSCRIPTIONS_MAX = 500;
/** Between two looks at a run that works: at most one update in this time. */
const RUN_LOOK_MS = 1_000;
/** Between two looks at what nothing is expected of soon: a run that has stopped may be resumed. */
const IDLE_LOOK_MS = 10_000;
/** Other servers may take a handle away, and clocks jump: a handle is looked at this often at least. */
const OUTPUT_LOOK_MS = 300_000;
const SHORTEST_LOOK_MS = 100;

/** Past its end by the wall clock, a handle that is there lives by another clock. */
function untilOutputLook(leftMs: number): number {
  if (leftMs <= 0) return IDLE_LOOK_MS;
  return Math.min(Math.max(leftMs, SHORTEST_LOOK_MS), OUTPUT_LOOK_MS);
}

/** What one look at a resource says. */
interface Look {
  /** Compared with that of the look before. */
  readonly state: string;
  /** When to look again; null when nothing more will change. */
  readonly againMs: number | null;
}

interface Followed {
  readonly name: ResourceName;
  /** Undefined before the first look. */
  state: string | undefined;
  /** The first check: the subscriber waits for it, and fails with it. */
  looked: Promise<void>;
  timer?: NodeJS.Timeout;
}

export interface SubscriptionsOptions {
  readonly resources: Resources;
  /** Of the adapter, tried first. */
  readonly own: readonly AdapterResource[];
  /** Ends them all. */
  readonly signal: AbortSignal;
  readonly onUpdate: (uri: string) => void;
}

/**
 * What one session follows. The bytes of a handle never change, so its update is its end; the
 * updates of a run are its progress. No timer keeps the process alive.
 */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #followed = new Map<string, Followed>();
  /** How to stop following what is the adapter's own, or an upstream's. */
  readonly #own = new Map<string, () => void>();
  /** What upstreams have not answered yet. */
  readonly #asked = new Map<string, Promise<void>>();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
    const { resources, signal } = options;
    const stop = resources.outputs.onEnd((handle) => this.#end(handle));
    onAbort(signal, () => {
      stop();
      for (const uri of [...this.#followed.keys(), ...this.#own.keys()]) this.unsubscribe(uri);
    });
  }

  /** @throws SpillwayError `resource_not_found`, `output_handle_not_found`, `run_not_found` */
  async subscribe(uri: string): Promise<void> {
    if (this.#options.signal.aborted) return;
    if (this.#own.has(uri)) return this.#asked.get(uri);
    const known = this.#followed.get(uri);
    if (known !== undefined) return known.looked;
    if (this.#followed.size + this.#own.size >= SUBSCRIPTIONS_MAX)
      throw invalidParams(
        `uri: this session has ${SUBSCRIPTIONS_MAX} subscriptions; unsubscribe from one first.`,
      );
    const { own, onUpdate } = this.#options;
    const follow = own.find((resource) => resource.matches(uri))?.onUpdate;
    if (follow !== undefined) {
      this.#own.set(
        uri,
        follow(uri, () => onUpdate(uri)),
      );
      return;
    }
    if (uri.startsWith(UPSTREAM_SCHEME)) return this.#followUpstream(uri);
    const name = parseUri(uri);
    if (name === null) throw notFollowed(uri);
    const followed: Followed = { name, state: undefined, looked: Promise.resolve() };
    this.#followed.set(uri, followed);
    followed.looked = this.#lookFirst(uri, followed);
    return followed.looked;
  }

  async #followUpstream(uri: string): Promise<void> {
    const { resources, onUpdate } = this.#options;
    const over = new AbortController();
    const stop = (): void => over.abort(cancelledBy('the client'));
    this.#own.set(uri, stop);
    const follow = async (): Promise<void> => {
      const unfollow = (await resources.upstreams?.follow(uri, onUpdate, over.signal)) ?? null;
      if (unfollow === null) throw notFollowed(uri);
      // It may have been unsubscribed meanwhile.
      onAbort(over.signal, unfollow);
    };
    const asked = follow();
    this.#asked.set(uri, asked);
    try {
      await asked;
    } catch (thrown) {
      if (this.#own.get(uri) === stop) this.#own.delete(uri);
      throw thrown;
    } finally {
      if (this.#asked.get(uri) === asked) this.#asked.delete(uri);
    }
  }

  unsubscribe(uri: string): void {
    clearTimeout(this.#followed.get(uri)?.timer);
    this.#followed.delete(uri);
    this.#own.get(uri)?.();
    this.#own.delete(uri);
  }

  async #lookFirst(uri: string, followed: Followed): Promise<void> {
    try {
      this.#note(uri, followed, await this.#look(followed.name));
    } catch (thrown) {
      // It may have been unsubscribed and subscribed again during the check.
      if (this.#followed.get(uri) === followed) this.unsubscribe(uri);
      throw thrown;
    }
  }

  async #look(name: ResourceName): Promise<Look> {
    const { outputs, runs } = this.#options.resources;
    if (name.kind === 'output') {
      const { expiresAtMs } = await outputs.facts(name.handle);
      return { state: 'kept', againMs: untilOutputLook(expiresAtMs - Date.now()) };
    }
    const view = await runs.get(name.runId);
    const isAtWork = view.status === 'queued' || view.status === 'running';
    const againMs = view.status === 'completed' ? null : isAtWork ? RUN_LOOK_MS : IDLE_LOOK_MS;
    return { state: JSON.stringify(describeRun(view)), againMs };
  }

  /** Tells of what changed since the look before, and plans the next one. */
  #note(uri: string, followed: Followed, { state, againMs }: Look): void {
    // It may have been unsubscribed during the check.
    if (this.#followed.get(uri) !== followed) return;
    const isChanged = followed.state !== undefined && followed.state !== state;
    followed.state = state;
    if (isChanged) this.#options.onUpdate(uri);
    if (againMs === null) {
      this.unsubscribe(uri);
      return;
    }
    followed.timer = setTimeout(() => void this.#lookAgain(uri, followed), againMs);
    followed.timer.unref();
  }

  async #lookAgain(uri: string, followed: Followed): Promise<void> {
    try {
      this.#note(uri, followed, await this.#look(followed.name));
    } catch (thrown) {
      const isGone = thrown instanceof SpillwayError && thrown.code.endsWith('_not_found');
      // What cannot be read now is checked again later; what no longer exists has had its last update.
      if (!isGone) this.#note(uri, followed, { state: followed.state ?? '', againMs: IDLE_LOOK_MS });
      else if (this.#followed.get(uri) === followed) this.#notifyEnd(uri);
    }
  }

  #end(handle: string): void {
    for (const [uri, { name }] of this.#followed)
      if (name.kind === 'output' && name.handle === handle) this.#notifyEnd(uri);
  }

  #notifyEnd(uri: string): void {
    this.unsubscribe(uri);
    this.#options.onUpdate(uri);
  }
}

const notFollowed = (uri: string): SpillwayError =>
  new SpillwayError('resource_not_found', `${uri.slice(0, 200)} cannot be subscribed to.`, {
    hint: 'Subscribe to a spillway://output, spillway://run or upstream:// resource.',
  });
