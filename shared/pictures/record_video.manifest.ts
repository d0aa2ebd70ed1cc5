import { z } from 'zod';
import { obvious, tabField, defineTool } from '../core/tools/manifest.ts';
import { VideoFormat } from './record_video.methods.ts';

export const manifest = defineTool({
  name: 'record_video',
  title: 'Record video',
  category: 'capture',
  risk: 'reads_page',
  does: 'Records a tab from start to stop as a video with your acts drawn in, and returns a handle.',
  use: 'Use it to show a person what you do. Secret fields are painted over, pauses shortened.',
  avoid: 'Not for one picture: use screenshot.',
  keywords: 'screencast film movie clip webm gif animation demo screen recording',
  input: z.strictObject({
    tab: tabField.optional(),
    action: z.enum(['start', 'stop']).meta(obvious('Begin, or end and get the video')),
    format: VideoFormat.default('webm').describe('For start'),
    fps: z.int().min(1).max(10).default(5).describe('For start: most pictures a second; a gif takes 5'),
    width: z.int().min(320).max(1280).default(800).describe('For start: in pixels, at most the page’s'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
});

export const manifests = [manifest] as const;
