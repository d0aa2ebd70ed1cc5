import { canonicalJson } from '../../../../shared/base/json.ts';
import type { Caller } from '../../../../shared/core/policy/call-facts.ts';
import { SpillwayError } from '../../../../shared/base/errors.ts';
import type { MethodParams } from '../../../../shared/core/bridge/methods.ts';
import { siteOf } from '../../../../shared/core/policy/sites.ts';
import type { TakeoverEnding } from '../../../../shared/people/takeover.ts';
import type { TakeoverMemory, EndedTakeover, Takeover } from './memory.ts';
import { Waiters } from '../../../../shared/base/waiters.ts';
import { personHasTab, type PersonTabs } from '../../../core/person-tabs.ts';

export const NOBODY_MS = 2 * 60_000;
/** Open take-overs: of one agent, and of all agents. */
const MAX_OF_AGENT = 3;
const MAX_OF_ALL = 10;
/** Fruitless take-overs that agents of one name may begin within {@link FLOOD_MS}: each opens the window. */
const MAX_BEGUN = 10;
const FLOOD_MS = 10 * 60_000;

/** How one ends, without the times. */
export type End = Omit<TakeoverEnding, 'from' | 'to'>;

export const endOf = (outcome: TakeoverEnding['outcome'], more: Partial<End> = {}): End => ({
  outcome,
  by: null,
  where: null,
  reason: null,
  ...more,
});

interface Asker {
  /** Instance of the server. */
  readonly server: string;
  readonly caller: Caller;
}

const isFrom =
  ({ server, caller }: Asker) =>
  (one: Asker): boolean =>
    one.server === server && one.caller.session === caller.session;

interface TakeoversOptions {
  readonly memory: TakeoverMemory;
  readonly tabs: PersonTabs;
  readonly onChange: () => void;
  readonly isWatched: (tabId: number) => Promise<boolean>;
}

/**
 * The tabs that people take over. A tab is the person's from the moment they are asked: they may begin before pressing
 * anything.
 */
export class Takeovers {
  readonly #waiters = new Waiters<string, EndedTakeover>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: TakeoversOptions) {
    options.tabs.follow({
      loaded: options.memory.loaded,
      has: (tabId) => this.of(tabId) !== null,
      hadAt: (tabId, at) => this.#hadAt(tabId, at),
    });
    void this.loaded.then(() => {
      // Listeners of this worker do not know of take-overs that an earlier worker began.
      for (const { tabs } of this.#open) for (const tabId of tabs) options.tabs.tell(tabId, true);
      options.onChange();
    });
  }

  get loaded(): Promise<void> {
    return this.options.memory.loaded;
  }

  get #open(): readonly Takeover[] {
    return this.options.memory.state.open;
  }

  /** The current one; null without any. */
  get front(): Takeover | null {
    return this.#open[0] ?? null;
  }

  get count(): number {
    return this.#open.length;
  }

  /** Servers with open take-overs. */
  get servers(): ReadonlySet<string> {
    return new Set(this.#open.map(({ server }) => server));
  }

  /** The take-over that a tab belongs to, or null. */
  of(tabId: number): Takeover | null {
    return this.#open.find(({ tabs }) => tabs.includes(tabId)) ?? null;
  }

  find(id: string): Takeover | null {
    return this.#open.find((one) => one.id === id) ?? null;
  }

  /** A repeated request, whose first answer was lost. */
  asked(params: MethodParams<'takeover.begin'>, asker: Asker): Takeover | null {
    const takeover = this.of(params.tab_id);
    if (takeover === null || !isFrom(asker)(takeover)) return null;
    const { tab_id, message, until, limit_ms } = takeover;
    return canonicalJson({ tab_id, message, until, limit_ms }) === canonicalJson(params) ? takeover : null;
  }

  /**
   * Asks a question, or returns the session's open one with the same words. @throws SpillwayError `too_many_pending`
   */
  async ask(params: MethodParams<'person.ask'>, asker: Asker): Promise<Takeover> {
    const { message, ask } = params;
    await this.loaded;
    const same = this.#open.find(
      (one) => isFrom(asker)(one) && one.message === message && canonicalJson(one.ask) === canonicalJson(ask),
    );
    return same ?? this.#add({ ...params, tab_id: null, tabs: [], until: null, origin: '' }, asker);
  }

  /**
   * Gives a tab to the person.
   * @param url of the page that it shows
   * @throws SpillwayError `person_has_tab`, `too_many_pending`
   */
  async begin(params: MethodParams<'takeover.begin'>, asker: Asker, url: string): Promise<Takeover> {
    const { tab_id: tabId } = params;
    await this.loaded;
    if (this.of(tabId) !== null) throw personHasTab(tabId);
    const origin = siteOf(url)?.origin ?? 'null';
    return this.#add({ ...params, tabs: [tabId], ask: null, origin, page: url }, asker);
  }

  async #add(
    asked: Omit<Takeover, 'id' | 'server' | 'caller' | 'begun_at' | 'asked_at' | 'is_seen'>,
    asker: Asker,
  ): Promise<Takeover> {
    const { memory, tabs } = this.options;
    const { state } = memory;
    const now = memory.time();
    this.#checkFlood(asker, now);
    const takeover: Takeover = {
      id: `t_${crypto.randomUUID()}`,
      ...asker,
      ...asked,
      begun_at: now,
      asked_at: null,
      // A question waits until someone comes; a tab nobody looks at is given back early.
      is_seen: asked.ask !== null,
    };
    state.open = [...state.open, takeover];
    state.begun.push({ id: takeover.id, agent: asker.caller.name, at: now });
    for (const tabId of takeover.tabs) {
      state.spans.push({ tab_id: tabId, from: now, to: null });
      tabs.tell(tabId, true);
    }
    this.#changed();
    await memory.save();
    return takeover;
  }

  /** Resolves when it has ended; null for an unknown one. */
  async wait(id: string, server: string, signal: AbortSignal): Promise<EndedTakeover | null> {
    await this.loaded;
    const ended = this.options.memory.state.ended.find((one) => one.id === id && one.server === server);
    if (ended !== undefined) return ended;
    if (this.find(id)?.server !== server) return null;
    return this.#waiters.wait(id, signal);
  }

  /** Withdraws one at its server's request. False if it is not open. */
  async cancel(id: string, server: string): Promise<boolean> {
    await this.loaded;
    return this.find(id)?.server === server && (await this.end(id, endOf('withdrawn')));
  }

  /** Ends one: the tab is the agents' again. False if it is not open. */
  async end(id: string, end: End): Promise<boolean> {
    const takeover = this.find(id);
    if (takeover === null) return false;
    const { memory } = this.options;
    const { state } = memory;
    const to = memory.time();
    const { server, tab_id: tabId, begun_at: from } = takeover;
    const ended = { id, server, tab_id: tabId, ending: { ...end, from, to } };
    state.open = state.open.filter((one) => one !== takeover);
    state.ended.push(ended);
    // Only fruitless take-overs count towards the flood limit.
    if (end.outcome === 'done') state.begun = state.begun.filter((one) => one.id !== id);
    for (const one of takeover.tabs) this.#free(one);
    // Saved first: a waiter may read the page at once, and a restarted worker must know that the tab is free.
    await memory.save();
    this.#waiters.notify(id, ended);
    this.#changed();
    return true;
  }

  /** A person has acted on the card, or has looked at a tab. */
  async see(id: string): Promise<void> {
    const takeover = this.find(id);
    if (takeover === null || takeover.is_seen) return;
    this.#replace({ ...takeover, is_seen: true });
    this.#wakeLater();
    await this.options.memory.save();
  }

  /** A tab of a take-over has opened another one. */
  async opened(sourceId: number, tabId: number): Promise<void> {
    await this.loaded;
    const takeover = this.of(sourceId);
    if (takeover === null || this.of(tabId) !== null) return;
    const { memory, tabs } = this.options;
    this.#replace({ ...takeover, tabs: [...takeover.tabs, tabId] });
    memory.state.spans.push({ tab_id: tabId, from: memory.time(), to: null });
    tabs.tell(tabId, true);
    await memory.save();
  }

  /** The browser has given a tab another number. */
  async replaced(before: number, now: number): Promise<void> {
    await this.loaded;
    const takeover = this.of(before);
    if (takeover === null) return;
    await this.opened(before, now);
    const last = this.find(takeover.id) ?? takeover;
    await this.#leave({ ...last, tab_id: last.tab_id === before ? now : last.tab_id }, before);
  }

  /** A tab was closed. */
  async closed(tabId: number): Promise<void> {
    await this.loaded;
    const takeover = this.of(tabId);
    if (takeover?.tab_id === tabId) await this.end(takeover.id, endOf('tab_closed'));
    else if (takeover !== null) await this.#leave(takeover, tabId);
  }

  async #leave(takeover: Takeover, tabId: number): Promise<void> {
    this.#replace({ ...takeover, tabs: takeover.tabs.filter((one) => one !== tabId) });
    this.#free(tabId);
    await this.options.memory.save();
  }

  /** Withdraws the take-overs of servers that did not reconnect. */
  async forgetServers(isGone: (server: string) => boolean): Promise<void> {
    await this.loaded;
    for (const { id, server } of this.#open) if (isGone(server)) await this.end(id, endOf('withdrawn'));
  }

  /** The card of the front one cannot be shown. */
  async unshown(): Promise<void> {
    if (this.front !== null) await this.end(this.front.id, endOf('nobody_there'));
  }

  /** Ends the front take-over if its time is up. Call whenever something wakes the worker. */
  async tick(): Promise<void> {
    await this.loaded;
    clearTimeout(this.#timer);
    const { memory, isWatched } = this.options;
    const now = memory.time();
    await memory.saveTime();
    const { front } = this;
    if (front?.asked_at == null) return;
    const isOver = now >= front.asked_at + front.limit_ms;
    if (!front.is_seen && (isOver || now >= front.asked_at + NOBODY_MS)) {
      const isThere = await isWatched(front.tab_id ?? -1);
      const still = this.find(front.id);
      if (still === null) return;
      if (!isThere && !still.is_seen) return void (await this.end(front.id, endOf('nobody_there')));
      await this.see(still.id);
    }
    if (isOver) return void (await this.end(front.id, endOf('timeout')));
    this.#wakeLater();
  }

  #wakeLater(): void {
    clearTimeout(this.#timer);
    const { front } = this;
    if (front?.asked_at == null) return;
    const limit = front.is_seen ? front.limit_ms : Math.min(front.limit_ms, NOBODY_MS);
    const leftMs = front.asked_at + limit - this.options.memory.time();
    this.#timer = setTimeout(() => void this.tick(), Math.max(0, leftMs) + 1);
  }

  #checkFlood(asker: Asker, now: number): void {
    const { state } = this.options.memory;
    state.begun = state.begun.filter(({ at }) => now < at + FLOOD_MS);
    const own = this.#open.filter(isFrom(asker));
    const begun = state.begun.filter(({ agent }) => agent === asker.caller.name);
    if (own.length >= MAX_OF_AGENT || this.#open.length >= MAX_OF_ALL)
      throw new SpillwayError(
        'too_many_pending',
        `${this.#open.length} questions to a person are already open.`,
        { hint: 'Wait until one of them is answered.' },
      );
    if (begun.length >= MAX_BEGUN)
      throw new SpillwayError(
        'too_many_pending',
        `This agent has asked a person ${begun.length} times within ${FLOOD_MS / 60_000} minutes, without an answer.`,
        { hint: 'Wait a few minutes, and ask for everything at once.' },
      );
  }

  #replace(takeover: Takeover): void {
    const { state } = this.options.memory;
    state.open = state.open.map((one) => (one.id === takeover.id ? takeover : one));
  }

  #free(tabId: number): void {
    const { memory, tabs } = this.options;
    const to = memory.time();
    memory.state.spans = memory.state.spans.map((span) =>
      span.tab_id === tabId && span.to === null ? { ...span, to } : span,
    );
    tabs.tell(tabId, false);
  }

  #hadAt(tabId: number, at: number): boolean {
    return this.options.memory.state.spans.some(
      ({ tab_id: id, from, to }) => id === tabId && at >= from && (to === null || at <= to),
    );
  }

  /** The limits of the front one begin when its card appears. */
  #changed(): void {
    const { front } = this;
    const { memory, onChange } = this.options;
    if (front !== null && front.asked_at === null) {
      this.#replace({ ...front, asked_at: memory.time() });
      void memory.save();
    }
    this.#wakeLater();
    onChange();
  }
}
