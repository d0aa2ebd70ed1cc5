import { oneRisk } from '../../act/risks.ts';
import { defineTool } from '../manifest.ts';
import { RunAnswerFields } from '../fields.ts';
import { CrawlInput } from './options.ts';

const crawl = defineTool({
  name: 'crawl',
  title: 'Crawl',
  category: 'capture',
  tier: 2,
  order: 50,
  risk: 'reads_page',
  risksOf: oneRisk('crawl'),
  description: {
    does: "Reads linked pages in the user's session, one item per page.",
    use: 'A long crawl returns a run_id for run_output.',
    avoid: 'Not for one page.',
  },
  keywords: 'spider site map follow links many pages whole website',
  input: CrawlInput,
  output: RunAnswerFields,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  spills: true,
  runs: true,
  faces: { extension: true, panel: ['Inspector', 'Render', 'Streaming', 'Intervention', 'Portal'] },
});

export const manifests = [crawl] as const;
