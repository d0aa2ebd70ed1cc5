import { z } from 'zod';
import { textField, obvious, tabField, pageState, defineTool } from '../core/tools/manifest.ts';
import { ImageFormat } from './screenshot.methods.ts';

export const screenshot = defineTool({
  name: 'screenshot',
  title: 'Screenshot',
  category: 'capture',
  tier: 2,
  order: 190,
  risk: 'reads_page',
  does: 'Takes a picture of a tab or element.',
  use: 'For looks.',
  avoid: 'Not for text.',
  keywords: 'picture image photo png look see visual render',
  input: z.strictObject({
    tab: tabField.optional(),
    area: z.enum(['viewport', 'full_page']).default('viewport').meta(obvious('What to take')),
    selector: textField(2_000).optional().meta(obvious('CSS selector of one element')),
    ref: textField(40).optional().meta(obvious('Ref of one element')),
    refs: z.boolean().optional().describe('Draw refs'),
    if_changed: z.number().min(0).max(100).optional().describe('Only if over this % differs'),
    format: ImageFormat.default('png').meta(obvious('Picture format')),
    quality: z.int().min(1).max(100).default(80).meta(obvious('For JPEG and WebP')),
    max_tokens: z.int().min(50).max(20_000).optional().describe('Default 1500'),
    as: z.enum(['image', 'handle', 'tiles', 'size']).optional().describe('tiles: long page; size: tokens'),
  }),
  shown: { state: z.object(pageState) },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
});

export const manifests = [screenshot] as const;
