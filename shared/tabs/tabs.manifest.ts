import { z } from 'zod';
import { oneRisk } from '../core/policy/call-risks.ts';
import { browserField, tabField, obvious, defineTool, textField } from '../core/tools/manifest.ts';

const flag = z.literal(true).optional();

/** The open tabs, or the result for one. */
const TabsFields = z.looseObject({
  tabs: z
    .array(
      z.looseObject({
        tab: z.string(),
        url: z.string(),
        title: z.string(),
        active: flag,
        current: flag,
        discarded: flag,
        loading: flag,
        lent: flag,
        not_given: flag,
        container: z.string().optional(),
      }),
    )
    .optional(),
  others: z.int().optional(),
  pages: z.array(z.looseObject({ url: z.string(), title: z.string() })).optional(),
  browsers: z
    .array(
      z.object({
        browser: z.string(),
        name: z.string(),
        label: z.string().optional(),
        lacks: z.array(z.string()).optional(),
      }),
    )
    .optional(),
  opened: z.string().optional(),
  borrowed: z.string().optional(),
  closed: z.string().optional(),
  activated: z.string().optional(),
  url: z.string().optional(),
  title: z.string().optional(),
  container: z.string().optional(),
});

export const tabs = defineTool({
  name: 'tabs',
  title: 'Browser tabs',
  category: 'read',
  tier: 2,
  order: 10,
  risk: 'changes_browser',
  risksOf: ({ action }) => (action === 'open' || action === 'close' ? oneRisk('navigate')() : []),
  does: 'Lists, opens, closes, activates or borrows tabs.',
  use: 'Use it for tab ids.',
  avoid: 'Not for loading a url: use navigate.',
  keywords:
    'history bookmarks visited window switch focus search which page open close borrow lend ask user current active',
  input: z.strictObject({
    action: z
      .enum(['list', 'list_all', 'history', 'open', 'close', 'activate', 'borrow'])
      .default('list')
      .meta(obvious('What to do')),
    tab: tabField.optional().describe('Its id, or active'),
    search: textField(200)
      .optional()
      .meta(obvious('list: words of title, address or text; history: of title or address')),
    reason: textField(1_000).optional().meta(obvious('borrow: why')),
    url: textField(65_536).optional().meta(obvious('URL for open')),
    browser: browserField.optional(),
    container: textField(100)
      .optional()
      .meta(obvious('open: name of a Firefox container, for another sign-in')),
    activate: z.boolean().default(false).describe('open: in front'),
  }),
  output: TabsFields,
  needs: ['oc_output_fetch'],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
});

export const manifests = [tabs] as const;
