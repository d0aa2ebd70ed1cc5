import * as z from 'zod/mini';
import { defer, withTimeout } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { hear } from './debugger/exchange.ts';
import { refusalOf } from './debugger/send-command.ts';
import type { DebuggerLease } from './debugger/sessions.ts';
import { dropStream, streamOf } from './debugger/stream.ts';

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

/** @throws SpillwayError `tab_busy` if another debugger records */
export async function startTracing(lease: DebuggerLease): Promise<void> {
  try {
    await lease.send('Tracing.start', {
      transferMode: 'ReturnAsStream',
      traceConfig: { includedCategories: CATEGORIES },
    });
  } catch (thrown) {
    throw refusalOf(thrown, 'tab_busy', (reason) => `Tab ${lease.tabId} cannot be traced: ${reason}`);
  }
}

/** Either member ends the trace's life in the browser. */
interface EndedTrace {
  readonly isLossy: boolean;
  /** The trace as JSON, in pieces. */
  pieces(): ReturnType<typeof streamOf>;
  drop(): Promise<unknown>;
}

/** @throws SpillwayError `page_unresponsive`, and as `DebuggerLease.send` */
export async function endTracing(lease: DebuggerLease): Promise<EndedTrace> {
  const complete = defer<z.infer<typeof Complete>>();
  const stopListening = hear(lease, 'Tracing.tracingComplete', Complete, complete.resolve);
  try {
    await lease.send('Tracing.end');
    const late = (): SpillwayError =>
      new SpillwayError('page_unresponsive', `The browser did not end the trace of tab ${lease.tabId}.`);
    const ended = await withTimeout(complete.promise, COMPLETE_MS, late, lease.signal);
    return {
      isLossy: ended.dataLossOccurred,
      pieces: () => streamOf(lease, ended.stream, PIECE_BYTES),
      drop: () => dropStream(lease, ended.stream),
    };
  } finally {
    stopListening();
  }
}

/** Parsed level by level. */
const Tree = z.object({
  frame: z.object({ id: z.string() }),
  childFrames: z._default(z.array(z.unknown()), []),
});

/**
 * The debugger's ids of the frames that a session draws, the outermost first. The page's main thread answers: it also
 * shows whether it is busy.
 */
export async function frameIdsOf(
  lease: DebuggerLease,
  sessionId: string | null = null,
): Promise<readonly string[]> {
  const idsIn = (tree: unknown): string[] => {
    const { frame, childFrames } = Tree.parse(tree);
    return [frame.id, ...childFrames.flatMap(idsIn)];
  };
  return idsIn((await lease.send('Page.getFrameTree', {}, { sessionId }))['frameTree']);
}

const Described = z.object({
  node: z.object({ localName: z.string(), attributes: z._default(z.array(z.string()), []) }),
});

/** The name and the attributes of a node in a trace, names and values by turns; null for a node that is gone. */
export async function describeNode(
  lease: DebuggerLease,
  backendNodeId: number,
): Promise<z.infer<typeof Described>['node'] | null> {
  const described = await lease.send('DOM.describeNode', { backendNodeId }).catch(() => null);
  return Described.safeParse(described).data?.node ?? null;
}
