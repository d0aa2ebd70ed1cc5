import { signal, type Signal } from '@preact/signals';
import type { FeedEvent } from '../../../shared/bridge/feed.ts';
import type { FaceAnswer } from '../tools/face.ts';
import type { Answer } from '../../ports/feed.ts';
import type { Ask } from './home-lists.ts';
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

/** A call's answer as it was read last. */
interface Kept {
  readonly answer: Signal<Shown>;
  /** Why it could not be read; null if it was. */
  readonly failure: Signal<Failure | null>;
  readonly again: () => Promise<void>;
}

export class ResultsStore {
  readonly #ask: Ask<'call.result'>;
  readonly #kept = new Map<string, Kept>();

  constructor(ask: Ask<'call.result'>) {
    this.#ask = ask;
  }

  /** Reads it unless it is cached. */
  of(home: string, callId: string): Kept {
    return recent(this.#kept, RESULTS_MAX, `${home}/${callId}`, () => {
      const [answer, failure] = [signal<Shown>('reading'), signal<Failure | null>(null)];
      const again = async (): Promise<void> => {
        if (failure.value !== null) answer.value = 'reading';
        try {
          const read = await this.#ask({ home, call_id: callId });
          failure.value = null;
          answer.value = read.answer === null ? null : faceAnswerOf(read.answer);
        } catch (thrown) {
          failure.value = failureOf(thrown);
          answer.value = null;
        }
      };
      void again();
      return { answer, failure, again };
    });
  }

  /** A call that has ended now has an answer. */
  take(home: string, events: readonly FeedEvent[]): void {
    for (const event of events)
      if (event.type === 'call' && event.phase === 'ended')
        void this.#kept.get(`${home}/${String(event.line['call_id'])}`)?.again();
  }

  /** A new server may have answers that the others lack. */
  setHomes(): void {
    for (const { answer, again } of this.#kept.values()) if (answer.value === null) void again();
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
