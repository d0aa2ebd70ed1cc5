import type { HeaderMap } from './cdp-events.ts';
import type { Exchange, ResponseExtra } from './exchange.ts';

/** Pending hops of one CDP request id: a redirect keeps the id. */
interface Chain {
  hops: Exchange[];
  /** Extra info that came before its hop. */
  requestExtras: HeaderMap[];
  responseExtras: ResponseExtra[];
}

/** Requests pending at the same time; beyond it the oldest is given up as it is. */
const MAX_CHAINS = 4_096;
const MAX_ENDED = 4_096;
/** Extra infos of a hop that has not started. */
const MAX_EXTRAS = 32;

/** The browser asks again for the same hop, with what a person or the address gave it. */
const CHALLENGES = new Set([401, 407]);

const moves = (hop: Exchange): boolean => hop.expectsExtra !== false;

/**
 * Pending requests by CDP request id. Extra infos come before or after the event that they belong
 * to and tell no hop: the n-th belongs to the n-th hop that has one (DevTools' `ExtraInfoBuilder`).
 */
export class Chains {
  readonly #chains = new Map<string, Chain>();
  /** Ids that have ended lately: where two streams overlap they are reported again. */
  readonly #ended = new Set<string>();

  /** The hop that events of this id are about now. */
  latest(requestId: string): Exchange | null {
    return this.#chains.get(requestId)?.hops.at(-1) ?? null;
  }

  /** Whether the id has ended lately. */
  hasEnded(requestId: string): boolean {
    return this.#ended.has(requestId);
  }

  hops(requestId: string): readonly Exchange[] {
    return this.#chains.get(requestId)?.hops ?? [];
  }

  all(): Exchange[] {
    return [...this.#chains.values()].flatMap(({ hops }) => hops);
  }

  add(exchange: Exchange): void {
    const chain = this.#open(exchange.requestId);
    chain.hops.push(exchange);
    this.#assign(chain);
  }

  /** The hop whose challenge was answered, with what was asked and answered then, if these headers answer one. */
  addRequestExtra(requestId: string, headers: HeaderMap): Exchange | null {
    if (this.#isOver(requestId)) return null;
    const chain = this.#open(requestId);
    const challenged = chain.hops.find(
      ({ response, responseExtra }) => response === null && CHALLENGES.has(responseExtra?.status ?? 0),
    );
    const before = challenged === undefined ? null : { ...challenged };
    if (challenged !== undefined) Object.assign(challenged, { requestExtra: null, responseExtra: null });
    if (chain.requestExtras.length < MAX_EXTRAS) chain.requestExtras.push(headers);
    this.#assign(chain);
    return before;
  }

  addResponseExtra(requestId: string, extra: ResponseExtra): void {
    if (this.#isOver(requestId)) return;
    const chain = this.#open(requestId);
    if (chain.responseExtras.length < MAX_EXTRAS) chain.responseExtras.push(extra);
    this.#assign(chain);
  }

  /** What the response said of extra info: what a hop without any was given belongs to the next. */
  setExpectsExtra(hop: Exchange, expects: boolean): void {
    hop.expectsExtra = expects;
    const chain = this.#chains.get(hop.requestId);
    if (expects || chain === undefined) return;
    if (hop.requestExtra !== null) chain.requestExtras.unshift(hop.requestExtra);
    if (hop.responseExtra !== null) chain.responseExtras.unshift(hop.responseExtra);
    hop.requestExtra = null;
    hop.responseExtra = null;
    this.#assign(chain);
  }

  remove(exchange: Exchange): void {
    const chain = this.#chains.get(exchange.requestId);
    if (chain === undefined) return;
    chain.hops = chain.hops.filter((hop) => hop !== exchange);
    if (chain.hops.length > 0) return;
    this.#chains.delete(exchange.requestId);
    this.#ended.add(exchange.requestId);
    const [oldest] = this.#ended;
    if (this.#ended.size > MAX_ENDED && oldest !== undefined) this.#ended.delete(oldest);
  }

  /** Hops of the oldest ids beyond the bound, removed. */
  overflow(): Exchange[] {
    const removed: Exchange[] = [];
    for (const [requestId, { hops }] of this.#chains) {
      if (this.#chains.size <= MAX_CHAINS) break;
      this.#chains.delete(requestId);
      removed.push(...hops);
    }
    return removed;
  }

  #isOver(requestId: string): boolean {
    return this.#ended.has(requestId) && !this.#chains.has(requestId);
  }

  #open(requestId: string): Chain {
    const known = this.#chains.get(requestId);
    if (known !== undefined) return known;
    const chain: Chain = { hops: [], requestExtras: [], responseExtras: [] };
    this.#chains.set(requestId, chain);
    return chain;
  }

  #assign(chain: Chain): void {
    for (const hop of chain.hops.filter(moves)) {
      hop.requestExtra ??= chain.requestExtras.shift() ?? null;
      hop.responseExtra ??= chain.responseExtras.shift() ?? null;
    }
  }
}
