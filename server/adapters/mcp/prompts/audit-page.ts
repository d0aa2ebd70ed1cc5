import { z } from 'zod';
import type { JsonObject } from '../../../../shared/json.ts';
import { urlField } from './fields.ts';
import { call, openTab, proof, writeText, type Prompt, type PromptTools } from './prompt.ts';

const FOCUSES = ['all', 'accessibility', 'content', 'errors', 'performance', 'security'] as const;
type Focus = (typeof FOCUSES)[number];

const args = z.strictObject({
  url: urlField,
  focus: z
    .enum(FOCUSES)
    .default('all')
    .describe(`What to check: ${FOCUSES.join(', ')}`),
});

/** What a request cost, without its headers. */
const COST = ['_id', 'request.url', '_resourceType', 'response.status', 'response._transferSize', 'time'];

/** What shows each kind of fault. */
function checkOf(focus: Exclude<Focus, 'all'>, tab: string, tools: PromptTools): string {
  const slice = (more: JsonObject): string =>
    call('network', { action: 'slice', tab, ...more, output_mode: 'auto' });
  switch (focus) {
    case 'accessibility':
      return `Accessibility: ${call('read_page', { tab, format: 'snapshot', output_mode: 'auto' })} shows what assistive technology gets. Look for controls and images without a name, headings that skip a level, fields without a label, missing landmarks, and tables without headers. Quote the ref of each.`;
    case 'content':
      return `Content: ${call('read_page', { tab, output_mode: 'auto' })}. Look for placeholders, contradictions, outdated dates, links without meaningful text, and a title or language that does not match the text.`;
    case 'errors': {
      const failed = `${slice({ filter: { status: '400-599' } })} and ${slice({ filter: { status: 'failed' } })}`;
      const messages = tools.has('console')
        ? `${call('console', { tab, level: 'warning' })} returns messages and exceptions since the page loaded; `
        : '';
      return `Errors: ${messages}${failed} return the failed requests. Group findings with the same cause.`;
    }
    case 'performance':
      return `Performance: ${slice({ sort: '-size', fields: COST })} and ${slice({ sort: '-duration', fields: COST })}; ${slice({ filter: { id: 'r1' } })} returns one of them in full, with its headers, by its \`_id\`. Look for resources that block the first paint, images larger than displayed, uncompressed text, responses that cannot be cached, and request chains. Give bytes and milliseconds.`;
    case 'security':
      return `Security: ${slice({ filter: { type: ['document'] } })} returns the headers of the page, and ${slice({ filter: { type: ['script'] }, fields: ['request.url'] })} the origins of its scripts. Look at Content-Security-Policy, Strict-Transport-Security, cookie attributes, http: URLs, and forms that post to other origins. Values are redacted before you see them: report that a URL contains a secret, never the secret itself.`;
  }
}

/** Finds what is wrong with a page, with proof for each finding. */
export const auditPage: Prompt<typeof args> = {
  name: 'audit_page',
  title: 'Audit this page',
  description: 'Finds problems of a page: accessibility, content, errors, performance, security.',
  args,
  write({ url, focus }, tools) {
    const chosen = FOCUSES.filter((each) => each !== 'all' && (focus === 'all' || focus === each));
    const captures = focus !== 'accessibility' && focus !== 'content';
    const { tab, open } = openTab(url, captures);
    return writeText({
      tools,
      task: `Audit ${url ?? "the page in the user's active tab"}${focus === 'all' ? '' : `: ${focus}`}. Report only what a tool result shows.`,
      steps: [
        ...open,
        ...chosen.flatMap((each) => (each === 'all' ? [] : checkOf(each, tab, tools))),
        `For important findings: ${proof(tab)}`,
      ],
      report: [
        'Findings, most severe first: the problem, where it is (ref, selector or URL), the evidence (tool, and handle or request id), who is affected, how to fix it.',
        'What you checked and found to be fine, in one line.',
        'What you could not check, and why.',
      ],
    });
  },
};
