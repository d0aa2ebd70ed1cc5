import type { MethodResult, StreamMethodName } from '../../shared/bridge/methods.ts';
import type { CallContext } from '../core/context.ts';
import type { Outcome } from '../core/result.ts';
import type { BridgeStream } from '../core/services.ts';
import { explainTab, formatTabId, type TabTarget } from '../core/targets.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { JsonValue } from '../../shared/json.ts';
import { parseJson } from '../../shared/json-schema.ts';

interface TabStreamOptions<M extends StreamMethodName> {
  readonly target: TabTarget;
  readonly context: CallContext;
  /** The address of the page that the text comes from. */
  readonly urlOf: (result: MethodResult<M>) => string;
  /** @param tab the tab as the client knows it */
  readonly outcomeOf: (tab: string, result: MethodResult<M>) => Outcome | Promise<Outcome>;
}

/** A tool's stream from a tab: its texts, for the payload, and its result. */
export interface TabStream {
  readonly chunks: AsyncIterable<string>;
  readonly produced: {
    readonly done: Promise<Outcome>;
    readonly untrustedFrom: () => string | undefined;
  };
}

/**
 * Reads a stream from a tab. Its texts and its result fail with the same first error, in the words of
 * `explainTab`.
 */
export function readTabStream<M extends StreamMethodName>(
  stream: BridgeStream<M>,
  { target, context, urlOf, outcomeOf }: TabStreamOptions<M>,
): TabStream {
  let url: string | undefined;
  let units = 0;
  context.keepState(() => (units === 0 ? {} : { characters_read: units }));
  let failure: { readonly error: unknown } | undefined;
  const fail = (thrown: unknown): never => {
    failure ??= { error: explainTab(thrown, target, context) };
    throw failure.error;
  };
  const done = stream.done.then((result) => {
    url = urlOf(result);
    return outcomeOf(formatTabId(target), result);
  }, fail);
  // The reader of the texts may fail before the result is awaited.
  done.catch(() => undefined);
  const count = (text: string): void => void (units += text.length);
  return { chunks: failingAs(stream.chunks, { fail, count }), produced: { done, untrustedFrom: () => url } };
}

/** The same stream with the errors that `fail` throws. */
async function* failingAs(
  chunks: AsyncIterable<string>,
  { fail, count }: { readonly fail: (thrown: unknown) => never; readonly count: (text: string) => void },
): AsyncGenerator<string> {
  try {
    for await (const text of chunks) {
      count(text);
      yield text;
    }
  } catch (thrown) {
    fail(thrown);
  }
}

function parseLine(line: string): JsonValue {
  try {
    return parseJson(line);
  } catch (cause) {
    throw new SpillwayError('stream_corrupt', 'An item of the stream is not JSON.', { cause });
  }
}

/** Turns text chunks, cut anywhere, into one JSON value per line. Memory: the longest line. */
export async function* parseJsonLines(chunks: AsyncIterable<string>): AsyncGenerator<JsonValue> {
  let pending: string[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      pending.push(chunk.slice(from, end));
      const line = pending.length === 1 ? (pending[0] ?? '') : pending.join('');
      pending = [];
      from = end + 1;
      if (line !== '') yield parseLine(line);
    }
    if (from < chunk.length) pending.push(chunk.slice(from));
  }
  const last = pending.join('');
  if (last !== '') yield parseLine(last);
}
