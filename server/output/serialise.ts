import type { CleanPayload } from '../core/result.ts';
import {
  clean,
  cleanBytes,
  cleanJsonText,
  membersOf,
  type CleanBytes,
  type CleanJson,
  type CleanText,
} from '../redact/clean.ts';
import { isJsonList } from '../../shared/json.ts';
import { onAbort } from '../../shared/async/abort.ts';
import { ARRAY_CLOSE, ARRAY_EMPTY, ARRAY_OPEN, ITEM_SEPARATOR } from './item-format.ts';

/**
 * Gives each value of a source to `take`, one after the other, and stops at once when the signal
 * aborts, even while the source keeps silent. A source that is left early is cancelled, but not
 * waited for.
 * @throws what the source or `take` throws, or the signal's reason.
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
      // One promise a step instead of Promise.race, which would leave a reaction on the signal's side each time.
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
    if (!isDone) close(iterator);
  }
}

function close(iterator: AsyncIterator<unknown>): void {
  // The failure that made us leave is the one to report.
  void Promise.resolve(iterator.return?.()).catch(() => undefined);
}

/** Where serialised bytes go: memory, or a writer of the store. */
export interface ByteSink {
  write(bytes: CleanBytes): Promise<void> | undefined;
  endItem(): void;
}

/** Objects and arrays this deep are serialised member by member, so that no one string holds all. */
const SPLIT_DEPTH = 2;
/** Small pieces are gathered to about this many UTF-16 code units before they are encoded. */
const PIECE_UNITS = 64 * 1024;

/** The pieces of `JSON.stringify(value)`. */
function* jsonPieces(value: CleanJson | undefined, depth = SPLIT_DEPTH): Generator<CleanText> {
  if (depth === 0 || typeof value !== 'object' || value === null) {
    yield cleanJsonText(value ?? null);
  } else if (isJsonList(value)) {
    let lead = clean`[`;
    for (const member of value) {
      yield lead;
      yield* jsonPieces(member, depth - 1);
      lead = clean`,`;
    }
    yield value.length === 0 ? clean`[]` : clean`]`;
  } else {
    let lead = clean`{`;
    for (const [key, member] of membersOf(value)) {
      if (member === undefined) continue;
      yield clean`${lead}${cleanJsonText(key)}:`;
      yield* jsonPieces(member, depth - 1);
      lead = clean`,`;
    }
    yield lead === '{' ? clean`{}` : clean`}`;
  }
}

/** Consumes a payload once and writes its bytes; what is inline and what is stored are the same bytes. */
export async function serialise(payload: CleanPayload, sink: ByteSink, signal: AbortSignal): Promise<void> {
  switch (payload.kind) {
    case 'items':
      return serialiseItems(payload.items, sink, signal);
    case 'json':
      return serialiseJson(payload.value, sink);
    case 'text':
      return consume(payload.chunks, signal, (chunk) => sink.write(cleanBytes(chunk)));
    case 'bytes':
      return consume(payload.chunks, signal, (chunk) => sink.write(chunk));
  }
}

async function serialiseJson(value: CleanJson, sink: ByteSink): Promise<void> {
  let text = clean``;
  for (const piece of jsonPieces(value)) {
    text = clean`${text}${piece}`;
    if (text.length < PIECE_UNITS) continue;
    await sink.write(cleanBytes(text));
    text = clean``;
  }
  await sink.write(cleanBytes(text));
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
