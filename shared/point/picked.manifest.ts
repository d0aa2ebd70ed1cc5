import { z } from 'zod';
import { defineTool, textField } from '../core/tools/manifest.ts';

export const manifest = defineTool({
  name: 'picked',
  title: 'Picked elements',
  category: 'human',
  risk: 'none',
  does: 'Returns the elements that the person pointed at in the browser, with their words about each.',
  use: 'Use it when they say "this" or "here", or with wait_ms after you ask them to pick.',
  avoid: 'Not to find elements yourself: use find.',
  keywords: 'pointed selected element this here person shows picker annotate comment',
  input: z.strictObject({
    wait_ms: z.int().min(0).max(600_000).default(0).describe('Wait this long for a new one'),
    all: z.boolean().default(false).describe('Earlier ones too'),
    picture: textField(20).optional().describe('Id of one: returns its picture instead'),
  }),
  output: z.looseObject({
    picks: z.array(
      z.looseObject({
        id: z.string(),
        person_says: z.string().optional(),
        tab: z.string(),
        url: z.string(),
        ref: z.string().describe('For interact'),
        role: z.string(),
        name: z.string(),
        box: z.looseObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
        has_picture: z.boolean(),
      }),
    ),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  flags: { runtimeManaged: 'has_pick' },
});

export const manifests = [manifest] as const;
