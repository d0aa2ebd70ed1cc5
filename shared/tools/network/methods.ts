import { z } from 'zod';
import { NOTHING_TO_JUDGE } from '../../policy/method-policy.ts';
import { StreamParams } from '../../bridge/streams.ts';

/** Which bodies are kept or shown: none, those of a text type, or every one. */
export const BodyChoice = z.enum(['none', 'text', 'all']);
export type BodyChoice = z.infer<typeof BodyChoice>;

export const CaptureSource = z.enum(['debugger', 'web_request']);

/** The page, and each further document while the capture lasts. */
const CAPTURES = { judged: 'handler', risks: ['capture_network'] } as const;
/** Whether a person may be asked: not where no call waits for the answer. Default: true. */
const ASKS = z.boolean().optional();

export const methods = {
  /**
   * Captures a tab until `network.stop`, its end, or a person's Cancel. The stream is JSON lines of
   * `CaptureLine`; a mark is sent at least every 10 s, as a sign of life. A capture of a tab
   * that the same server captures takes over from it: the one before ends `stopped`, and no event
   * falls between them.
   */
  'network.capture': {
    streams: true,
    person: 'ignored',
    dialog: 'refuses',
    policy: CAPTURES,
    params: StreamParams.extend({
      tab_id: z.int(),
      asks: ASKS,
      bodies: BodyChoice,
      /** A body beyond this is counted, not kept. */
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
   * Answers when the tab is being captured, and how: a page loaded from now on is captured whole. The page that the
   * tab shows by now is judged, too, and is captured from then on.
   */
  'network.ready': {
    streams: false,
    person: 'ignored',
    dialog: 'ignored',
    policy: CAPTURES,
    params: z.object({ tab_id: z.int(), asks: ASKS }),
    result: z.object({ source: CaptureSource }),
  },
  /** Puts a mark into the tab's stream; what was seen before comes before it. */
  'network.mark': {
    streams: false,
    person: 'ignored',
    dialog: 'ignored',
    policy: NOTHING_TO_JUDGE,
    params: z.object({ tab_id: z.int(), mark: z.int() }),
    result: z.object({}),
  },
  'network.stop': {
    streams: false,
    person: 'ignored',
    dialog: 'ignored',
    policy: NOTHING_TO_JUDGE,
    params: z.object({ tab_id: z.int() }),
    result: z.object({}),
  },
} as const;
