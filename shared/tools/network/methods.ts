import { z } from 'zod';
import { StreamParams } from '../../bridge/streams.ts';
import { JsonRecord } from '../../json-schema.ts';
import { BodyChoice } from './options.ts';

/** Content of a request or a response. */
const BODY = {
  session: z.string().nullable(),
  request_id: z.string(),
  base64: z.boolean(),
  data: z.string(),
  /** Bytes of the decoded content. */
  size_bytes: z.int().min(0),
};

/**
 * One line of a capture's stream. The worker observes and forwards; the server derives entries.
 * `session` is the CDP session of a frame or worker below the tab, null for the tab itself.
 */
export const CaptureLine = z.discriminatedUnion('kind', [
  /**
   * An event of CDP's Network, Page or Target domain, as it came but for bulk: long `data:`
   * addresses are cut, `Network.dataReceived` is left out (bodies say their sizes), and where the
   * body of a request, the payload of a WebSocket or the data of an EventSource is not kept, it is
   * empty and `not_kept: { reason, size_bytes }` is next to it. A request's `postDataEntries`
   * are there only where `postData` is not plain ASCII: then they hold its bytes, and `postData`
   * does not. `at_ms`: wall clock.
   *
   * Requests are identified by `requestId` alone: that of a worker's script or of a frame in
   * another process begins in one session and ends in another.
   */
  z.object({
    kind: z.literal('event'),
    at_ms: z.number(),
    session: z.string().nullable(),
    method: z.string(),
    params: JsonRecord,
  }),
  /**
   * The body of a request whose event has `hasPostData` and no `postData`: it was made of files or
   * blobs. There is none where it is too large.
   */
  z.object({
    kind: z.literal('post_data'),
    ...BODY,
  }),
  /** A response body, taken at `loadingFinished`. It, or `no_body`, comes last of each request that ended. */
  z.object({
    kind: z.literal('body'),
    ...BODY,
  }),
  /**
   * Why there is none: `not_asked`, `not_text`, `too_large`, `budget`, `evicted` (the browser no
   * longer has it), `busy` (too many waited to be taken), `no_body`, `no_debugger`.
   */
  z.object({
    kind: z.literal('no_body'),
    session: z.string().nullable(),
    request_id: z.string(),
    reason: z.string(),
    size_bytes: z.int().min(0).nullable(),
  }),
  /** A stage of `webRequest`, where the debugger cannot attach. */
  z.object({
    kind: z.literal('web_request'),
    at_ms: z.number(),
    stage: z.enum(['before', 'headers_out', 'headers_in', 'redirect', 'completed', 'failed']),
    details: JsonRecord,
  }),
  /** Lines that were lost because the reader did not keep up. */
  z.object({ kind: z.literal('lost'), lines: z.int().min(1), reason: z.string() }),
  /** Answer to `network.mark`: everything that happened before it has been sent. 0: a sign of life. */
  z.object({ kind: z.literal('mark'), mark: z.int() }),
]);
export type CaptureLine = z.infer<typeof CaptureLine>;

/** How a tab is captured. */
export const CaptureSource = z.enum(['debugger', 'web_request']);

export const methods = {
  /**
   * Captures a tab until `network.stop`, its end, or a person's Cancel. The stream is JSON lines of
   * {@link CaptureLine}; a mark is sent at least every 10 s, as a sign of life. A capture of a tab
   * that the same server captures takes over from it: the one before ends `stopped`, and no event
   * falls between them.
   */
  'network.capture': {
    streams: true,
    params: StreamParams.extend({
      tab_id: z.int(),
      bodies: BodyChoice,
      /** A body beyond this is counted, not kept. */
      body_bytes: z.int().min(0),
      /** All bodies of this capture together. */
      bodies_bytes: z.int().min(0),
    }),
    result: z.object({
      source: CaptureSource,
      ended: z.enum(['stopped', 'tab_closed', 'cancelled_by_person', 'debugger_lost']),
      lost_lines: z.int().min(0),
    }),
  },
  /** Answers when the tab is being captured, and how: a page loaded from now on is captured whole. */
  'network.ready': {
    streams: false,
    params: z.object({ tab_id: z.int() }),
    result: z.object({ source: CaptureSource }),
  },
  /** Puts a mark into the tab's stream; what was seen before comes before it. */
  'network.mark': {
    streams: false,
    params: z.object({ tab_id: z.int(), mark: z.int() }),
    result: z.object({}),
  },
  'network.stop': { streams: false, params: z.object({ tab_id: z.int() }), result: z.object({}) },
} as const;
