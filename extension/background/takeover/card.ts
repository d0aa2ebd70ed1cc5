import { z } from 'zod';
import type { Refusal } from '../../../shared/policy/question-methods.ts';
import { HumanAnswer } from '../../../shared/policy/takeover.ts';
import { INERT_MS, type TakeoverRequest, type ShownTakeover } from '../../approve/protocol.ts';
import type { Questions } from '../questions/questions.ts';
import { endOf, type Takeovers } from './takeovers.ts';
import { showTab } from './watch-tabs.ts';
import browser from 'webextension-polyfill';
import { cut, cutUrl } from '../../../shared/cut.ts';

/** What a page of ours says of a take-over. */
export const TakeoverDecision = z.strictObject({
  type: z.literal('takeover'),
  takeover: z.string().max(64),
  token: z.string().max(64),
  act: z.enum(['show', 'done', 'decline']),
  reason: z.string().max(1_000).optional(),
  answer: HumanAnswer.optional(),
}) satisfies z.ZodType<TakeoverRequest>;

/** What a page was shown last, and what proves that it was. */
export interface ShownCard {
  readonly id: string;
  readonly token: string;
  /** By `performance.now()`. */
  readonly at: number;
  readonly where: 'window' | 'side_panel';
}

interface TakeoverDecisionsOptions {
  readonly takeovers: Takeovers;
  /** Notes what was not taken. */
  readonly questions: Pick<Questions, 'refuse'>;
  readonly monotonicNow: () => number;
}

/** Takes what a person says of a take-over, by the checks of a decision about a question. */
export class TakeoverDecisions {
  readonly #options: TakeoverDecisionsOptions;

  constructor(options: TakeoverDecisionsOptions) {
    this.#options = options;
  }

  /**
   * Takes one, or refuses it and says why.
   *
   * @param shown what its page was shown last; null for a page that decides nothing
   */
  async take(request: TakeoverRequest, shown: ShownCard | null): Promise<Refusal['reason'] | null> {
    const { takeovers, questions } = this.#options;
    await takeovers.loaded;
    const refusal = this.#fault(request, shown);
    if (refusal !== null) {
      await questions.refuse(refusal, null);
      return refusal;
    }
    const { takeover: id, act, answer } = request;
    const where = shown?.where ?? 'window';
    const written = request.reason?.trim() ?? '';
    const reason = written === '' ? null : written;
    await takeovers.see(id);
    if (act === 'show') await showTab(takeovers.find(id)?.tab_id ?? -1);
    else if (act === 'done') await takeovers.end(id, endOf('done', { by: 'person', where, reason, answer }));
    else await takeovers.end(id, endOf('declined', { where, reason }));
    return null;
  }

  #fault({ takeover: id, token }: TakeoverRequest, shown: ShownCard | null): Refusal['reason'] | null {
    const { takeovers, monotonicNow } = this.#options;
    if (shown === null) return 'not_the_window';
    if (takeovers.find(id) === null) return 'already_ended';
    if (takeovers.front?.id !== id || shown.id !== id) return 'not_shown';
    if (shown.token !== token) return 'wrong_token';
    return monotonicNow() - shown.at < INERT_MS ? 'too_early' : null;
  }
}

const TITLE_UNITS = 300;
const URL_UNITS = 2_000;

/** The card of the take-over that is asked for now; null where none is. */
export async function describeTakeover(takeovers: Takeovers): Promise<Omit<ShownTakeover, 'token'> | null> {
  const { front } = takeovers;
  if (front === null) return null;
  const { id, caller, tab_id: tabId, message, ask, until, limit_ms: limitMs, asked_at, begun_at } = front;
  const tab = tabId === null ? null : await browser.tabs.get(tabId).catch(() => null);
  return {
    id,
    agent: { name: caller.name, version: caller.version ?? null },
    message,
    ask,
    until,
    url: cutUrl(tab?.url ?? '', URL_UNITS),
    title: cut(tab?.title ?? '', TITLE_UNITS),
    endsAt: (asked_at ?? begun_at) + limitMs,
    more: takeovers.count - 1,
  };
}
