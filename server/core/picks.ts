import type { Pick as Picked } from '../../shared/bridge/server-methods.ts';
import { Listeners } from '../../shared/queue.ts';
import { abortable, waitAtMost } from '../../shared/async.ts';
import type { JsonObject } from '../../shared/json.ts';
import { clean, type Clean, type CleanText } from '../redact/clean.ts';

/** Picks that a session remembers; the oldest are forgotten. */
const PICKS_MAX = 20;

/** An element that the session's person has pointed at: redacted, except for its picture. */
export interface SessionPick extends Clean<Omit<Picked, 'picture' | 'tab_id'>> {
  readonly id: string;
  /** `b1:42` */
  readonly tab: string;
  readonly picture: string | null;
}

/** The picks of one session, newest first. */
export class SessionPicks {
  readonly #picks: SessionPick[] = [];
  readonly #listeners = new Listeners<void>();
  #last = 0;
  /** Picks that no call has returned. */
  #fresh = 0;
  #isNoted = false;

  all(): readonly SessionPick[] {
    return this.#picks;
  }

  add(pick: Omit<SessionPick, 'id'>): void {
    this.#last += 1;
    this.#picks.unshift({ ...pick, id: `p${this.#last}` });
    this.#picks.length = Math.min(this.#picks.length, PICKS_MAX);
    this.#fresh += 1;
    this.#isNoted = false;
    this.#listeners.notify();
  }

  /** Calls back after each new one. Returns an unsubscribe function. */
  onAdd(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Those that no call has returned; waits for one if there are none. @throws the signal's reason */
  async take(waitMs: number, signal: AbortSignal): Promise<readonly SessionPick[]> {
    if (this.#fresh === 0 && waitMs > 0) {
      let stop = (): void => undefined;
      const added = new Promise<void>((resolve) => (stop = this.onAdd(resolve)));
      await abortable(waitAtMost(added, waitMs), signal).finally(() => stop());
    }
    const fresh = this.#picks.slice(0, this.#fresh);
    this.#fresh = 0;
    return fresh;
  }

  /** Tells an agent, in the notes of its next answer, that there are new ones; null after that. */
  notice(): CleanText | null {
    if (this.#fresh === 0 || this.#isNoted) return null;
    this.#isNoted = true;
    return clean`The person pointed at something in the browser for you: call picked.`;
  }

  /** A {@link notice} did not arrive: the next answer repeats it. */
  unsaid(): void {
    this.#isNoted = false;
  }
}

/** For agents, without the picture. */
export const shownPick = ({
  id,
  said,
  tab,
  url,
  ref,
  role,
  name,
  box,
  picture,
}: SessionPick): JsonObject => ({
  id,
  ...(said === '' ? {} : { person_says: said }),
  tab,
  url,
  ref,
  role,
  name,
  box: { ...box },
  has_picture: picture !== null,
});
