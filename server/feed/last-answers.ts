import type { ToolResult } from '../core/result.ts';

/** Answers that are kept, and what they take together; the oldest beyond that are forgotten. */
const ANSWERS_MAX = 100;
const ANSWERS_BYTES = 8 * 1024 * 1024;
/** A larger one is not kept: it would not fit in a frame of the bridge. */
const ANSWER_BYTES = 512 * 1024;

export type KeptAnswer = Pick<ToolResult, 'ok' | 'content' | 'state'> & {
  readonly error?: ToolResult['error'] | undefined;
  readonly descriptor?: ToolResult['descriptor'] | undefined;
  readonly kind?: ToolResult['kind'] | undefined;
  /** Of another server's answer, whose blocks may say nothing, and of what a mode writes as text. */
  readonly structured?: ToolResult['structured'] | undefined;
};

/** What the last calls of this server were answered, for people at the browsers. It costs a call two entries of a map. */
export class LastAnswers {
  readonly #kept = new Map<string, { readonly answer: KeptAnswer; readonly sizeBytes: number }>();
  #sizeBytes = 0;

  /** @param sizeBytes of its content, which the journal counts anyway */
  keep(callId: string, result: ToolResult, sizeBytes: number): void {
    this.#forget(callId);
    // What waits for a person has not been answered yet.
    if (result.pending !== undefined || sizeBytes > ANSWER_BYTES) return;
    this.#kept.set(callId, { answer: keptOf(result), sizeBytes });
    this.#sizeBytes += sizeBytes;
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= ANSWERS_MAX && this.#sizeBytes <= ANSWERS_BYTES) break;
      this.#forget(oldest);
    }
  }

  /** Null for one that is not kept any longer, or never was. */
  of(callId: string): KeptAnswer | null {
    return this.#kept.get(callId)?.answer ?? null;
  }

  clear(): void {
    this.#kept.clear();
    this.#sizeBytes = 0;
  }

  #forget(callId: string): void {
    const known = this.#kept.get(callId);
    if (known === undefined) return;
    this.#kept.delete(callId);
    this.#sizeBytes -= known.sizeBytes;
  }
}

function keptOf({ ok, content, state, error, descriptor, kind, structured, shown }: ToolResult): KeptAnswer {
  const isForeign = content[0].type === 'foreign';
  return { ok, content, state, error, descriptor, kind, structured: isForeign ? structured : shown };
}
