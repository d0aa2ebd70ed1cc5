import { z } from 'zod';
import { textField, obvious, browserField, tabField, WaitFor, defineTool } from '../core/tools/manifest.ts';
import { oneRisk } from '../core/policy/call-risks.ts';
import { LIMITS } from '../base/limits.ts';
import { WaitUntil } from './navigate.methods.ts';

const NavigateFields = z.looseObject({
  tab: z.string(),
  /** The named tab, if its page hung: the browser gave it another number. */
  replaces: z.string().optional(),
  url: z.string(),
  title: z.string(),
  /** Null if the page did not come over HTTP. */
  status: z.number().int().nullable(),
  redirects: z.array(z.looseObject({ url: z.string(), status: z.number().int() })).optional(),
  redirects_in_all: z.number().int().optional(),
  /** With `wait_for`: how long it waited, and the conditions that were not met at the end. */
  waited_ms: z.number().int().min(0).optional(),
  /** With `show`: the page's controls and text, with refs. */
  snapshot: z.string().optional(),
  problem: z.string().optional(),
});

export const navigate = defineTool({
  name: 'navigate',
  title: 'Navigate',
  category: 'read',
  tier: 2,
  order: 20,
  risk: 'changes_browser',
  risksOf: oneRisk('navigate'),
  does: 'Loads a url, goes back or forward, or reloads.',
  use: 'Without tab it uses your current tab or opens one in the background.',
  avoid: 'show: "snapshot" reads the page too.',
  keywords: 'open visit go to website address load url back forward reload refresh',
  input: z.strictObject({
    url: textField(65_536).optional().meta(obvious('URL to load')),
    action: z.enum(['goto', 'back', 'forward', 'reload']).optional().meta(obvious('Default goto')),
    tab: tabField.optional(),
    browser: browserField.optional(),
    wait_until: WaitUntil.default('load').meta(obvious('When loading is done')),
    wait_for: WaitFor.optional().describe('Then wait: {text, selector, network_idle, timeout_ms}'),
    show: z.enum(['snapshot']).optional().meta(obvious('Answers a snapshot of the page, up to 1,000 tokens')),
    timeout_ms: z.int().min(100).max(300_000).default(LIMITS.navigateTimeoutMs).meta(obvious('Time limit')),
  }),
  output: NavigateFields,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  faces: { panel: ['Inspector', 'Render', 'Intervention'] },
  systemRole: 'Open a page with navigate.',
});

export const manifests = [navigate] as const;
