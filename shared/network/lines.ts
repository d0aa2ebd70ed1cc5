import { z } from 'zod';
import { JsonRecord } from '../base/json-schema.ts';

/**
 * Separate from the methods, since the worker writes lines and does not read them: its bundle has no use for
 * the schema.
 */

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
   * An event of CDP's Network, Page or Target domain, unchanged except for bulk: long `data:` addresses are
   * cut, and `Network.dataReceived` is left out (bodies state their sizes). If the body of a request, the
   * payload of a WebSocket or the data of an EventSource is not kept, it is empty, with `not_kept: { reason,
   * size_bytes }` next to it. A request's `postDataEntries` appear only if `postData` is not plain ASCII:
   * then they contain its bytes, and `postData` is absent. `at_ms`: wall clock.
   * Only `requestId` identifies requests: that of a worker's script or of a frame in another process begins
   * in one session and ends in another.
   */
  z.object({
    kind: z.literal('event'),
    at_ms: z.number(),
    session: z.string().nullable(),
    method: z.string(),
    params: JsonRecord,
  }),
  /**
   * The body of a request whose event has `hasPostData` and no `postData`: it was made of files or blobs. A
   * body that is too large has no such line.
   */
  z.object({ kind: z.literal('post_data'), ...BODY }),
  /**
   * A response body, taken at `loadingFinished`, or later if the browser keeps it: when the tab is quiet, or
   * at a mark. This, or `no_body`, is the last line of each ended request.
   */
  z.object({ kind: z.literal('body'), ...BODY }),
  /**
   * Why a response has no body: `not_asked`, `not_text`, `too_large`, `budget`, `evicted` (the browser made
   * room for others), `not_kept` (it never had it, or its page is gone), `busy` (too many waited to be
   * taken), `no_body`, `no_debugger`. An entry whose request got neither line says `not_taken`.
   */
  z.object({
    kind: z.literal('no_body'),
    session: z.string().nullable(),
    request_id: z.string(),
    reason: z.string(),
    size_bytes: z.int().min(0).nullable(),
  }),
  /** A stage of `webRequest`, if the debugger cannot attach. */
  z.object({
    kind: z.literal('web_request'),
    at_ms: z.number(),
    stage: z.enum(['before', 'headers_out', 'headers_in', 'redirect', 'completed', 'failed']),
    details: JsonRecord,
  }),
  /**
   * The first request of a site that is left out, because a rule denies capturing it or would ask a person.
   * Sent to servers of wire 2 or later.
   */
  z.object({ kind: z.literal('left_out'), origin: z.string(), effect: z.enum(['ask', 'deny']) }),
  /** Nothing is captured from here on: a person has the tab. `at_ms`: wall clock. */
  z.object({ kind: z.literal('paused'), at_ms: z.number() }),
  /** The person has given the tab back. */
  z.object({ kind: z.literal('resumed'), at_ms: z.number() }),
  /** Lines that were lost because the reader did not keep up. */
  z.object({ kind: z.literal('lost'), lines: z.int().min(1), reason: z.string() }),
  /** Answer to `network.mark`: all earlier events have been sent. 0: a sign of life. */
  z.object({ kind: z.literal('mark'), mark: z.int() }),
]);
export type CaptureLine = z.infer<typeof CaptureLine>;
