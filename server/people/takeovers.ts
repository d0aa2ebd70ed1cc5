import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import { onAbort, abortable, waitAtMost } from '../../shared/base/async.ts';
import {
  TAKEOVER_MS,
  type HumanAsk,
  type TakeoverOutcome,
  type TakeoverUntil,
} from '../../shared/people/takeover.ts';
import type { CallScope } from '../../shared/core/policy/call-facts.ts';
import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import type { LedgerFacts } from '../ledger/face.ts';
import type { Bridge, BrowserId } from '../core/services.ts';
import { defined } from '../../shared/base/json.ts';
import { formatTabId, type TabTarget } from '../core/targets.ts';
import { agentOf, type RecordParts } from './act-record.ts';

/** Maximum outcomes that no call has come back for; the oldest are forgotten. */
const KEPT_MAX = 100;
/** How long the server's end waits for browsers to finish. */
const CLOSE_MS = 1_000;
/** After these the browser may come back, and still knows the take-over. */
export const AWAY = ['browser_disconnected'];
/** A wait may last longer than a browser's silence; a request to begin may not. */
const AWAY_OR_SILENT = [...AWAY, 'timeout'];

type Waited = MethodResult<'takeover.wait'>;

export type TakeoverEnd = Omit<Waited, 'outcome'> & {
  readonly outcome: TakeoverOutcome;
};

/** A tab for a person to take over, or a question to them. */
export interface AskedTakeover {
  readonly target: TabTarget | { readonly browser: BrowserId; readonly tabId: null };
  /** Null for a tab. */
  readonly ask: HumanAsk | null;
  readonly message: string;
  readonly until: TakeoverUntil | null;
  readonly limitMs: number;
  readonly call: CallScope;
  /** Aborted when the call's session has ended: then nobody needs the answer. */
  readonly sessionSignal: AbortSignal;
}

interface Followed {
  readonly request: AskedTakeover;
  readonly end: Promise<TakeoverEnd>;
  readonly withdraw: () => void;
  /** Waiting calls. */
  calls: number;
  hasEnded: boolean;
}

/** Asks people to take tabs over, and writes to the ledger who asked, where, and how it ended. */
export class FollowedTakeovers {
  /** Keyed by session and tab. */
  readonly #followed = new Map<string, Followed>();

  constructor(private readonly parts: RecordParts & { readonly bridge: Bridge }) {}

  /**
   * Asks a person, or joins the session's earlier question with the same words about the same tab; null if
   * that has not ended in the time. Aborting the signal withdraws it.
   * @throws SpillwayError `person_has_tab`, `tab_busy`, `human_unreachable` for an extension that is too old,
   *   `human_input_expired`, `ledger_unavailable`, the signal's reason
   */
  async takeOver(
    request: AskedTakeover,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<TakeoverEnd | null> {
    const { call, target, ask, message } = request;
    const about = target.tabId === null ? JSON.stringify([ask, message]) : formatTabId(target);
    const key = `${call.caller.session} ${about}`;
    const known = this.#followed.get(key);
    if (known !== undefined && !known.hasEnded && !isSameRequest(known, request))
      throw new SpillwayError(
        'person_has_tab',
        `You have asked a person to take over tab ${about}, with other words.`,
      );
    const followed =
      known !== undefined && isSameRequest(known, request) ? known : this.#follow(key, request);
    followed.calls += 1;
    try {
      const end = await waitAtMost(abortable(followed.end, signal), timeoutMs);
      if (end !== undefined && this.#followed.get(key) === followed) this.#followed.delete(key);
      return end ?? null;
    } catch (thrown) {
      if (this.#followed.get(key) === followed && followed.hasEnded) this.#followed.delete(key);
      throw thrown;
    } finally {
      followed.calls -= 1;
      // A call that waits too long comes again; a cancelled one does not.
      if (signal.aborted && followed.calls === 0) followed.withdraw();
    }
  }

  /** Resolves when the ledger has every end that could be learnt. */
  async close(): Promise<void> {
    const open = [...this.#followed.values()].filter(({ hasEnded }) => !hasEnded);
    for (const { withdraw } of open) withdraw();
    await waitAtMost(Promise.allSettled(open.map(({ end }) => end)), CLOSE_MS);
  }

  #follow(key: string, request: AskedTakeover): Followed {
    const withdrawn = new AbortController();
    const followed: Followed = {
      request,
      end: this.#run(request, withdrawn.signal),
      withdraw: () => withdrawn.abort(new SpillwayError('cancelled', 'The take-over was withdrawn.')),
      calls: 0,
      hasEnded: false,
    };
    const stopListening = onAbort(request.sessionSignal, followed.withdraw);
    const settle = (): void => {
      stopListening();
      followed.hasEnded = true;
      // A call that does not come back leaves it here.
      const [oldest] = this.#followed.keys();
      if (this.#followed.size > KEPT_MAX && oldest !== undefined) this.#followed.delete(oldest);
    };
    followed.end.then(settle, settle);
    this.#followed.set(key, followed);
    return followed;
  }

  async #run(request: AskedTakeover, withdrawn: AbortSignal): Promise<TakeoverEnd> {
    const { id, origin } = await this.#begin(request);
    const kind = request.ask === null ? 'takeover' : 'human_input';
    const cancel = (): void => this.#cancel(request, id);
    const stopListening = onAbort(withdrawn, cancel);
    try {
      await this.#write(request, { kind, site: origin });
    } catch (thrown) {
      stopListening();
      cancel();
      throw thrown;
    }
    try {
      const waited = await this.#wait(request, id);
      await this.#writeEnd(request, origin, waited);
      return toEnd(waited);
    } catch (thrown) {
      const error = toSpillwayError(thrown);
      if (error.code !== 'human_input_expired' && error.code !== 'cancelled')
        await this.#writeEnd(request, origin, null);
      throw error;
    } finally {
      stopListening();
    }
  }

  /**
   * Not cancelled with the call: a take-over that has begun must be known so that it can be withdrawn. For
   * the same reason the request is repeated if its answer was lost: the browser recognises it.
   */
  #begin(asked: AskedTakeover): Promise<MethodResult<'takeover.begin'>> {
    const { target, ask, message, until, limitMs, call } = asked;
    const { bridge } = this.parts;
    const { browser, tabId } = target;
    const shared = { message, limit_ms: limitMs };
    const begun = requestUntilBack(bridge, browser, AWAY, async () => {
      if (tabId !== null)
        return bridge.request(browser, 'takeover.begin', { ...shared, tab_id: tabId, until }, { call });
      const params = { ...shared, ask: ask ?? { type: 'approval' } } as const;
      return { origin: '', ...(await bridge.request(browser, 'person.ask', params, { call })) };
    });
    return begun.catch((thrown: unknown) => {
      if (toSpillwayError(thrown).code !== 'api_not_found') throw thrown;
      throw new SpillwayError(
        'human_unreachable',
        `The extension in browser ${browser} is too old to ask a person for this.`,
        { hint: 'Update the extension, or ask the person in your reply and end the turn.', cause: thrown },
      );
    });
  }

  #wait({ target, call }: AskedTakeover, id: string): Promise<Waited> {
    const options = { call, idleTimeoutMs: TAKEOVER_MS.max };
    return requestUntilBack(this.parts.bridge, target.browser, AWAY_OR_SILENT, () =>
      this.parts.bridge.request(target.browser, 'takeover.wait', { id }, options),
    );
  }

  #cancel({ target }: AskedTakeover, id: string): void {
    const { bridge, logger } = this.parts;
    bridge.request(target.browser, 'takeover.cancel', { id }, { call: null }).catch((thrown: unknown) => {
      logger.debug({ err: thrown }, 'a take-over was not withdrawn');
    });
  }

  async #writeEnd(request: AskedTakeover, site: string, waited: Waited | null): Promise<void> {
    const where = waited?.where ?? (waited?.by === 'page' ? 'page' : null);
    const written: TakeoverLine = {
      kind: request.ask === null ? 'takeover_end' : 'human_input_end',
      site,
      outcome: waited?.outcome ?? 'unknown',
      ...(where === null ? {} : { decided: { where: where === 'client' ? 'client, unverified' : where } }),
    };
    // The person has done it, whatever the disk does.
    await this.#write(request, written).catch((thrown: unknown) => {
      this.parts.logger.error({ err: thrown }, 'the end of a take-over is not in the ledger');
    });
  }

  async #write({ call: { caller, call }, target }: AskedTakeover, written: TakeoverLine): Promise<void> {
    const { ledger, redactor, server } = this.parts;
    await ledger.append(
      redactor.value({
        ...written,
        agent: agentOf(caller, server),
        risks: [],
        ...(target.tabId === null ? {} : { tab: formatTabId(target) }),
        tool: call.tool,
        call_id: call.call_id,
        args_hash: call.args_hash,
      }),
    );
  }
}

type TakeoverLine = Omit<LedgerFacts, 'agent' | 'risks'>;

/** A browser whose worker was ended has kept its questions: asks the next one. Rejects if it does not come back. */
export async function requestUntilBack<T>(
  bridge: Bridge,
  browser: BrowserId,
  passing: readonly string[],
  request: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  for (;;) {
    try {
      return await request();
    } catch (thrown) {
      if (!passing.includes(toSpillwayError(thrown).code) || signal?.aborted === true) throw thrown;
      await bridge.request(browser, 'bridge.echo', { value: '' }, { call: null, ...defined({ signal }) });
    }
  }
}

const isSameRequest = ({ request }: Followed, { message, until, limitMs }: AskedTakeover): boolean =>
  request.message === message &&
  request.limitMs === limitMs &&
  JSON.stringify(request.until) === JSON.stringify(until);

function toEnd({ outcome, ...facts }: Waited): TakeoverEnd {
  if (outcome === 'withdrawn') throw new SpillwayError('cancelled', 'The take-over was withdrawn.');
  if (outcome === 'gone')
    throw new SpillwayError('human_input_expired', 'The take-over ended because the browser was restarted.');
  const known: TakeoverOutcome = outcome;
  return { ...facts, outcome: known };
}
