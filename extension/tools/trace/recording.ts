import * as z from 'zod/mini';
import { deferred, withTimeout } from '../../../shared/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { TRACE_BYTES, type Recorded } from '../../../shared/tools/trace/methods.ts';
import type { DebuggerLease } from '../../background/chromium/debugger/sessions.ts';
import type { StreamSink } from '../../background/handler.ts';

/** As the browser's developer tools record, without pictures and invalidations: those are most of a heavy page's. */
const CATEGORIES = [
  '-*',
  'blink.console',
  'blink.user_timing',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
  'disabled-by-default-devtools.timeline.stack',
  'disabled-by-default-lighthouse',
  'disabled-by-default-v8.cpu_profiler',
  'latencyInfo',
  'loading',
  'v8',
  'v8.execute',
];
/** The browser converts a large trace before its first piece. */
const COMPLETE_MS = 30_000;
const PIECE_BYTES = 256 * 1024;

const Complete = z.object({ stream: z.string(), dataLossOccurred: z.boolean() });
const Piece = z.object({ data: z.string(), eof: z.boolean(), base64Encoded: z._default(z.boolean(), false) });

/** Parsed level by level. */
const Tree = z.object({
  frame: z.object({ id: z.string() }),
  childFrames: z._default(z.array(z.unknown()), []),
});

/** A running trace of a tab. */
export class Recording {
  /** All that the tab has had, by their ids in the trace. */
  readonly #frames = new Set<string>();

  private constructor(private readonly lease: DebuggerLease) {}

  /** @throws SpillwayError `tab_busy` if another debugger records */
  static async begin(lease: DebuggerLease): Promise<Recording> {
    const recording = new Recording(lease);
    await recording.noteFrames();
    try {
      await lease.send('Tracing.start', {
        transferMode: 'ReturnAsStream',
        traceConfig: { includedCategories: CATEGORIES },
      });
    } catch (thrown) {
      const error = toSpillwayError(thrown);
      if (error.code !== 'internal_error') throw error;
      throw new SpillwayError('tab_busy', `Tab ${lease.tabId} cannot be traced: ${error.message}`, {
        cause: thrown,
      });
    }
    return recording;
  }

  /** The page's main thread answers: it also shows whether it is busy. */
  async noteFrames(): Promise<void> {
    const add = (tree: unknown): void => {
      const { frame, childFrames } = Tree.parse(tree);
      this.#frames.add(frame.id);
      childFrames.forEach(add);
    };
    const { frameTree } = await this.lease.send('Page.getFrameTree');
    add(frameTree);
  }

  /** Ends it and discards its events. */
  async drop(): Promise<void> {
    const { stream } = await this.#end();
    await this.lease.send('IO.close', { handle: stream });
  }

  /**
   * Ends it and writes its events.
   * @throws SpillwayError `response_too_large`, and of the lost attachment
   */
  async write(sink: StreamSink, signal: AbortSignal): Promise<Pick<Recorded, 'frames' | 'is_lossy'>> {
    await this.noteFrames();
    const { stream: handle, dataLossOccurred } = await this.#end();
    try {
      let sizeBytes = 0;
      for (let isMore = true; isMore;) {
        const { data, eof, base64Encoded } = Piece.parse(
          await this.lease.send('IO.read', { handle, size: PIECE_BYTES }),
        );
        sizeBytes += data.length;
        if (sizeBytes > TRACE_BYTES)
          throw new SpillwayError(
            'response_too_large',
            `The trace of tab ${this.lease.tabId} is larger than ${TRACE_BYTES} bytes.`,
            { hint: 'Record for a shorter time: pass a smaller ms, or stop earlier.' },
          );
        if (base64Encoded) throw new SpillwayError('internal_error', 'The browser recorded no text.');
        await sink.write(data.toWellFormed());
        signal.throwIfAborted();
        isMore = !eof;
      }
      return { frames: [...this.#frames], is_lossy: dataLossOccurred };
    } finally {
      this.lease.send('IO.close', { handle }).catch(() => undefined);
    }
  }

  async #end(): Promise<z.infer<typeof Complete>> {
    const complete = deferred<z.infer<typeof Complete>>();
    const stopListening = this.lease.onEvent(({ method, params }) => {
      if (method === 'Tracing.tracingComplete') complete.resolve(Complete.parse(params));
    });
    try {
      await this.lease.send('Tracing.end');
      const late = (): SpillwayError =>
        new SpillwayError(
          'page_unresponsive',
          `The browser did not end the trace of tab ${this.lease.tabId}.`,
        );
      return await withTimeout(complete.promise, COMPLETE_MS, late, this.lease.signal);
    } finally {
      stopListening();
    }
  }
}

const Described = z.object({
  node: z.object({ localName: z.string(), attributes: z._default(z.array(z.string()), []) }),
});

/** A part of a selector without escapes. */
const PLAIN = /^[A-Za-z][\w-]{0,40}$/;

/** A selector of the node, which others may match too; empty for a node that is gone. */
export async function nameOf(lease: DebuggerLease, backendNodeId: number): Promise<string> {
  const described = await lease.send('DOM.describeNode', { backendNodeId }).catch(() => null);
  const { data } = Described.safeParse(described);
  if (data === undefined) return '';
  const { localName, attributes } = data.node;
  // Names and values by turns.
  const partsOf = (name: string, mark: string): string => {
    const at = attributes.findIndex((each, index) => index % 2 === 0 && each === name);
    const values = at < 0 ? [] : (attributes[at + 1] ?? '').split(/\s+/);
    const plain = values.filter((each) => PLAIN.test(each)).slice(0, 2);
    return plain.map((each) => `${mark}${each}`).join('');
  };
  return `${PLAIN.test(localName) ? localName : '*'}${partsOf('id', '#')}${partsOf('class', '.')}`;
}
