import { z } from 'zod';
import { unjudged } from '../core/policy/risks.ts';
import { StreamParams } from '../core/bridge/streams.ts';

/** Which bodies are kept or shown: none, those of a text type, or all. */
export const BodyChoice = z.enum(['none', 'text', 'all']);
export type BodyChoice = z.infer<typeof BodyChoice>;

export const CaptureSource = z.enum(['debugger', 'web_request', 'response_filter']);

/** The page, and each further document while the capture lasts. */
const CAPTURES = { judged: 'handler', risks: ['capture_network'] } as const;
/** Whether a person may be asked: not if no call waits for the answer. Default: true. */
const ASKS = z.boolean().optional();

export const methods = {
  /**
   * Captures a tab until `network.stop`, its end, or a person's Cancel. The stream is JSON lines of
   * `CaptureLine`, with a mark at least every 10 s as a sign of life. A second capture of a tab by the same
   * server takes over: the earlier one ends as `stopped`, and no event is lost in between.
   */
  'network.capture': {
    person: 'ignored',
    dialog: 'refuses',
    policy: CAPTURES,
    params: StreamParams.extend({
      tab_id: z.int(),
      asks: ASKS,
      bodies: BodyChoice,
      /** A larger body is counted, not kept. */
      body_bytes: z.int().min(0),
      /** All bodies of this capture together. */
      bodies_bytes: z.int().min(0),
      /** The server knows the lines `paused` and `resumed`. */
      knows_pauses: z.boolean().optional(),
    }),
    result: z.object({
      source: CaptureSource,
      ended: z.enum(['stopped', 'tab_closed', 'cancelled_by_person', 'debugger_lost']),
      lost_lines: z.int().min(0),
    }),
  },
  /**
   * Answers when the tab is being captured, and how: pages loaded from now on are captured completely. The
   * tab's current page is judged, too, and is captured from then on.
   */
  'network.ready': {
    person: 'ignored',
    dialog: 'ignored',
    policy: CAPTURES,
    params: z.object({ tab_id: z.int(), asks: ASKS }),
    result: z.object({ source: CaptureSource, failed_before: z.int().optional() }),
  },
  /** Puts a mark into the tab's stream, after all earlier events. */
  'network.mark': {
    person: 'ignored',
    dialog: 'ignored',
    ...unjudged(z.object({ tab_id: z.int(), mark: z.int() }), z.object({})),
  },
  'network.stop': {
    person: 'ignored',
    dialog: 'ignored',
    ...unjudged(z.object({ tab_id: z.int() }), z.object({})),
  },
} as const;
