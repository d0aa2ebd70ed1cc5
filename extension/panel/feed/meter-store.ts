import { signal } from '@preact/signals';
import type { FeedEvent } from '../../../shared/bridge/feed.ts';
import type { FeedQuery, ServerMeter } from '../feed-protocol.ts';

type Ask = (
  query: Extract<FeedQuery, { type: 'meter' }>,
) => Promise<{ readonly meters: readonly ServerMeter[] }>;

/** What servers have answered to agents. Read while it is shown, and again when it changes. */
export class MeterStore {
  readonly meters = signal<readonly ServerMeter[]>([]);
  readonly state = signal<'reading' | 'ready' | 'failed'>('reading');
  readonly #ask: Ask;
  #isShown = false;
  #isReading = false;
  #isStale = false;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  take(events: readonly FeedEvent[]): void {
    if (this.#isShown && events.some(({ type }) => type === 'meter')) void this.refresh();
  }

  /** Reads now, and whenever figures change, until the function that it returns is called. */
  show(): () => void {
    this.#isShown = true;
    void this.refresh();
    return () => {
      this.#isShown = false;
    };
  }

  /** One read at a time: what changes meanwhile is read afterwards. */
  async refresh(): Promise<void> {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        this.meters.value = (await this.#ask({ type: 'meter' })).meters;
      }
      this.state.value = 'ready';
    } catch {
      this.state.value = 'failed';
    } finally {
      this.#isReading = false;
    }
  }
}
