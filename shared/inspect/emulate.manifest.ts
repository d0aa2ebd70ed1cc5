import { z } from 'zod';
import { oneRisk } from '../core/policy/call-risks.ts';
import { tabField, defineTool } from '../core/tools/manifest.ts';
import { Emulated } from './emulate.methods.ts';

export const manifest = defineTool({
  name: 'emulate',
  title: 'Emulate a device',
  category: 'dev',
  risk: 'changes_browser',
  risksOf: ({ script, proxy }) => [
    ...oneRisk('navigate')(),
    ...(script === undefined ? [] : oneRisk('evaluate')()),
    ...(proxy === undefined ? [] : oneRisk('capture_network')()),
  ],
  does: 'Emulates a device, viewport, media, locale, time zone, place, user agent, network or CPU in a tab, or runs a script before those of the page, in addition to earlier settings.',
  use: 'Use it to see a page as others do.',
  avoid: 'Not for blocking requests.',
  keywords:
    'mobile phone tablet responsive dark mode offline throttle slow geolocation timezone language touch resize init script before load proxy contrast forced colours save data',
  input: Emulated.partial().extend({
    tab: tabField.optional(),
    device: z.enum(['phone', 'tablet']).optional().describe('Sets viewport, touch and user agent'),
    reset: z.boolean().default(false).describe('Drop earlier settings first'),
  }),
  output: z.looseObject({ tab: z.string(), emulates: Emulated.partial() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
});

export const manifests = [manifest] as const;
