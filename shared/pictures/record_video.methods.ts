import { z } from 'zod';
import { READS_TAB } from '../core/policy/risks.ts';
import { Caller } from '../core/policy/call-facts.ts';
import { StreamParams } from '../core/bridge/streams.ts';

export const VideoFormat = z.enum(['webm', 'gif']);
export type VideoFormat = z.infer<typeof VideoFormat>;

export const methods = {
  'video.start': {
    needs: 'debugger',
    policy: READS_TAB,
    params: z.object({
      tab_id: z.int(),
      caller: Caller,
      format: VideoFormat,
      fps: z.int().min(1).max(10),
      width: z.int().min(320).max(1280),
    }),
    result: z.object({}),
  },
  /** The video in base64. */
  'video.stop': {
    needs: 'debugger',
    policy: READS_TAB,
    params: StreamParams.extend({ tab_id: z.int(), caller: Caller }),
    result: z.object({
      url: z.string(),
      format: VideoFormat,
      width: z.int(),
      height: z.int(),
      frames: z.int(),
      size_bytes: z.int().min(0),
      video_ms: z.int(),
      recorded_ms: z.int(),
      /** Left out: where a secret field was could not be known. */
      dropped: z.int(),
      /** Why the end is missing. */
      cut: z.enum(['time', 'size']).nullable(),
      /** Cards in place of pictures: a person had the tab, or the rules deny a page. */
      cards: z.array(z.enum(['person', 'denied'])),
    }),
  },
} as const;
