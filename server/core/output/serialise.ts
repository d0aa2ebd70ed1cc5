import type { CleanPayload } from '../result.ts';
import {
  clean,
  cleanBytes,
  cleanJsonText,
  type CleanBytes,
  type CleanJson,
  type CleanText,
} from '../../libraries/redaction/clean.ts';
import { onAbort } from '../../../shared/base/async.ts';
import { ARRAY_CLOSE, ARRAY_EMPTY, ARRAY_OPEN, descriptorOf, ITEM_SEPARATOR } from './format.ts';
import { withOutput, type OutputSource } from './reader.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { vouchBytes } from '../../libraries/redaction/mark.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { MIME } from '../../../shared/base/mime.ts';
import type { OutputStore } from './store.ts';
import type { StoreWriter } from './writer.ts';

/**
 * Passes each value of a source to `take`, one after the other, and stops at once when the signal aborts,
 * even while the source is silent. A source that is left early is cancelled, but not awaited.
 * @throws the error of the source or `take`, or the signal's reason.
 */
async function consume<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
  take: (value: T) => Promise<void> | undefined,
): Promise<void> {
  signal.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  let fail: (reason: unknown) => void = () => undefined;
  const stop = onAbort(signal, () => fail(signal.reason));
  let isDone = false;
  try {
    for (;;) {
      // One listener for all steps: with `abortable` a step would take twenty times as long.
      const step = await new Promise<IteratorResult<T>>((resolve, reject) => {
        fail = reject;
        iterator.next().then(resolve, reject);
      });
      isDone = step.done === true;
      if (step.done) return;
      const writing = take(step.value);
      if (writing) await writing;
      signal.throwIfAborted();
    }
  } finally {
    stop();
    // The failure that ended the loop is the one to report.
    if (!isDone) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Where serialised bytes go: memory, or a writer of the store. */
interface ByteSink {
  write(bytes: CleanBytes): Promise<void> | undefined;
  endItem(): void;
}

/** Consumes a payload once and writes its bytes, the same inline and stored. */
export async function serialise(payload: CleanPayload, sink: ByteSink, signal: AbortSignal): Promise<void> {
  switch (payload.kind) {
    case 'items':
      return serialiseItems(payload.items, sink, signal);
    case 'json':
      return sink.write(cleanBytes(cleanJsonText(payload.value ?? null)));
    case 'text':
      return consume(payload.chunks, signal, (chunk) => sink.write(cleanBytes(chunk)));
    case 'bytes':
      return consume(payload.chunks, signal, (chunk) => sink.write(chunk));
  }
}

async function serialiseItems(items: AsyncIterable<CleanJson>, sink: ByteSink, signal: AbortSignal) {
  let lead = ARRAY_OPEN;
  await consume(items, signal, (item) => {
    const writing = sink.write(cleanBytes(clean`${lead}${cleanJsonText(item ?? null)}`));
    lead = ITEM_SEPARATOR;
    if (writing === undefined) sink.endItem();
    return writing?.then(() => sink.endItem());
  });
  await sink.write(cleanBytes(lead === ARRAY_OPEN ? ARRAY_EMPTY : ARRAY_CLOSE));
}

/**
 * Keeps a payload in memory up to a limit. The byte that crosses it opens a writer, which gets the kept bytes
 * first: nothing is serialised twice, and memory stays flat.
 */
export class Spill implements ByteSink {
  #pieces: { readonly bytes: Buffer; ends: number }[] = [];
  readonly #head = Buffer.alloc(LIMITS.outputPreviewBytes + 1);
  #headUsed = 0;
  #writer: StoreWriter | undefined;
  #sizeBytes = 0;

  /** `limitBytes` below zero: everything goes to the writer, even an empty payload. */
  constructor(
    private readonly limitBytes: number,
    private readonly open: () => Promise<StoreWriter>,
  ) {}

  write(bytes: CleanBytes): Promise<void> | undefined {
    if (this.#headUsed < this.#head.length) {
      const part = bytes.subarray(0, this.#head.length - this.#headUsed);
      this.#head.set(part, this.#headUsed);
      this.#headUsed += part.length;
    }
    this.#sizeBytes += bytes.length;
    if (this.#writer) return this.#writer.write(bytes);
    if (this.#sizeBytes > this.limitBytes) return this.#cross(bytes);
    this.#pieces.push({ bytes: Buffer.from(bytes), ends: 0 });
    return undefined;
  }

  endItem(): void {
    if (this.#writer !== undefined) return this.#writer.endItem();
    const last = this.#pieces.at(-1);
    if (last !== undefined) last.ends += 1;
  }

  async #cross(bytes: CleanBytes): Promise<void> {
    const writer = (this.#writer ??= await this.open());
    const pieces = this.#pieces;
    this.#pieces = [];
    for (const piece of pieces) {
      await writer.write(vouchBytes(piece.bytes));
      for (let count = 0; count < piece.ends; count += 1) writer.endItem();
    }
    await writer.write(bytes);
  }

  /** The writer, if the payload is stored. */
  async writer(): Promise<StoreWriter | undefined> {
    if (this.#writer === undefined && this.limitBytes < 0) await this.#cross(cleanBytes(clean``));
    return this.#writer;
  }

  /** The whole payload, if it is not stored. */
  bytes(): CleanBytes {
    return vouchBytes(Buffer.concat(this.#pieces.map((piece) => piece.bytes)));
  }

  /** The beginning, one byte longer than a preview, so that its last boundary shows. */
  head(): Buffer {
    return this.#head.subarray(0, this.#headUsed);
  }

  async abort(): Promise<void> {
    await this.#writer?.abort();
  }
}

export type Sealer = ReturnType<typeof createSealer>;

/** Stores items that are already redacted and serialised, unchanged: those of a run that has ended. */
export function createSealer(store: OutputSource & Pick<OutputStore, 'create'>) {
  return {
    /** @param items serialised JSON, each valid until the next. @throws `store_full`, `store_write_failed` */
    async seal(
      { tool, untrustedFrom }: { readonly tool: string; readonly untrustedFrom: CleanText },
      items: AsyncIterable<CleanBytes>,
    ) {
      const writer = await store.create({ tool, mimeType: MIME.json, kind: 'items' });
      try {
        const open = cleanBytes(ARRAY_OPEN);
        let lead = open;
        for await (const item of items) {
          await writer.write(lead);
          await writer.write(item);
          writer.endItem();
          lead = SEPARATOR;
        }
        await writer.write(cleanBytes(lead === open ? ARRAY_EMPTY : ARRAY_CLOSE));
        return descriptorOf(await writer.commit(untrustedFrom));
      } catch (thrown) {
        await writer.abort();
        throw thrown;
      }
    },
    isThere: (handle: string): Promise<boolean> =>
      withOutput(store, handle, async () => true).catch((thrown: unknown) => {
        if (isGone(thrown)) return false;
        throw thrown;
      }),
  };
}

const SEPARATOR = cleanBytes(ITEM_SEPARATOR);
/** Expired, evicted or damaged: in each case it can be made again. */
const GONE: readonly string[] = ['output_handle_not_found', 'store_corrupt'];

export const isGone = (thrown: unknown): boolean =>
  thrown instanceof SpillwayError && GONE.includes(thrown.code);
