import { z } from 'zod';
import { oneRisk } from '../core/policy/call-risks.ts';
import { obvious, tabField, defineTool } from '../core/tools/manifest.ts';
import { Figures } from './figures.ts';

/** One recording. */
const Traced = Figures.partial().extend({
  url: z.string(),
  /** Handle of the events. */
  trace: z.string(),
  notes: z.array(z.string()).optional(),
});
export type Traced = z.infer<typeof Traced>;

export const manifest = defineTool({
  name: 'trace',
  title: 'Performance trace',
  category: 'dev',
  risk: 'changes_browser',
  risksOf: oneRisk('navigate'),
  does: 'Records a performance trace of a tab: web vitals with causes, long tasks, blocking requests, costly functions, and a handle for Chrome DevTools.',
  use: 'Use it to find why a page is slow. load reloads it; start and stop enclose your own calls.',
  avoid: 'Not for requests: use network.',
  keywords: 'lcp inp cls tbt fcp web vitals profile cpu slow speed lighthouse devtools layout shift',
  input: z.strictObject({
    tab: tabField.optional(),
    action: z
      .enum(['load', 'start', 'stop'])
      .default('load')
      .meta(obvious('load reloads; start and stop enclose other calls')),
    cache: z.enum(['cold', 'warm', 'both']).default('cold').describe('For load; both compares them'),
    ms: z.int().min(1_000).max(60_000).default(30_000).describe('For load: longest recording'),
  }),
  output: z.looseObject({
    tab: z.string(),
    compared: z.record(z.string(), z.string()).optional(),
    cold: Traced.optional(),
    warm: Traced.optional(),
    acts: Traced.optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
});

export const manifests = [manifest] as const;
