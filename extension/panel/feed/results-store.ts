import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { FeedEvent } from '../../../shared/bridge/feed.ts';
import type { FaceAnswer } from '../tools/face.ts';
import type { Answer, Asks } from '../../ports/feed.ts';
import { failureOf, type Failure } from './feed-client.ts';

/** A map that keeps the `most` recently used values. */
export function recent<T>(kept: Map<string, T>, most: number, key: string, make: () => T): T {
  const value = kept.get(key) ?? make();
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > most && oldest !== undefined) kept.delete(oldest);
  return value;
}

/** Answers kept; each may take half a mebibyte. */
const RESULTS_MAX = 30;

/** `null`: no server keeps it, or it could not be read. */
type Shown = FaceAnswer | null | 'reading';

interface Entry {
  readonly home: string;
  readonly callId: string;
  readonly answer: Signal<Shown>;
  readonly failure: Signal<Failure | null>;
}

export class ResultsStore {
  readonly #ask: (query: Asks<'call.result'>) => Promise<Answer<'call.result'>>;
  readonly #entries = new Map<string, Entry>();

  constructor(ask: (query: Asks<'call.result'>) => Promise<Answer<'call.result'>>) {
    this.#ask = ask;
  }

  /** Reads it unless it is cached. */
  of(home: string, callId: string): ReadonlySignal<Shown> {
    return this.#entry(home, callId).answer;
  }

  /** Why it could not be read; null if it was. */
  failureOf(home: string, callId: string): ReadonlySignal<Failure | null> {
    return this.#entry(home, callId).failure;
  }

  /** Reads failed parts again. */
  retry(home: string, callId: string): void {
    void this.#read(this.#entry(home, callId));
  }

  /** A call that has ended now has an answer. */
  take(home: string, events: readonly FeedEvent[]): void {
    for (const event of events) {
      if (event.type !== 'call' || event.phase !== 'ended') continue;
      const known = this.#entries.get(`${home}/${String(event.line['call_id'])}`);
      if (known !== undefined) void this.#read(known);
    }
  }

  /** A new server may have answers that the others lack. */
  setHomes(): void {
    for (const entry of this.#entries.values()) if (entry.answer.value === null) void this.#read(entry);
  }

  #entry(home: string, callId: string): Entry {
    return recent(this.#entries, RESULTS_MAX, `${home}/${callId}`, () => {
      const [answer, failure] = [signal<Shown>('reading'), signal<Failure | null>(null)];
      const entry = { home, callId, answer, failure };
      void this.#read(entry);
      return entry;
    });
  }

  async #read({ home, callId, answer, failure }: Entry): Promise<void> {
    if (failure.value !== null) answer.value = 'reading';
    try {
      const read = await this.#ask({ home, call_id: callId });
      failure.value = null;
      answer.value = read.answer === null ? null : faceAnswerOf(read.answer);
    } catch (thrown) {
      failure.value = failureOf(thrown);
      answer.value = null;
    }
  }
}

/** The answer in the form that faces take. */
export function faceAnswerOf(answer: NonNullable<Answer<'call.result'>['answer']>): FaceAnswer {
  const { value, picture, error, stored } = answer;
  return {
    ...answer,
    value,
    picture: picture && { mimeType: picture.mime_type, base64: picture.base64 },
    error: error && { ...error, body: error.body },
    stored: stored && {
      handle: stored.handle,
      mimeType: stored.mime_type,
      sizeBytes: stored.size_bytes,
      itemCount: stored.item_count,
      preview: stored.preview,
    },
  };
}
