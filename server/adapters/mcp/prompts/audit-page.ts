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
    .describe(`What to look at: ${FOCUSES.join(', ')}`),
});

/** What a request cost, without its headers. */
const COST = ['_id', 'request.url', '_resourceType', 'response.status', 'response._transferSize', 'time'];

/** What shows each kind of fault. */
function checkOf(focus: Exclude<Focus, 'all'>, tab: string, tools: PromptTools): string {
  const slice = (more: JsonObject): string =>
    call('network', { action: 'slice', tab, ...more, output_mode: 'auto' });
  switch (focus) {
    case 'accessibility':
      return `Accessibility: ${call('read_page', { tab, format: 'snapshot', output_mode: 'auto' })} is what assistive technology is told. Look for controls and pictures without a name, headings that skip a level, fields without a label, landmarks that are missing, and tables without headers. Quote the ref of each.`;
    case 'content':
      return `Content: ${call('read_page', { tab, output_mode: 'auto' })}. Look for placeholders, contradictions, dates that have passed, links whose text says nothing, and a title or language that does not fit the text.`;
    case 'errors': {
      const failed = `${slice({ filter: { status: '400-599' } })} and ${slice({ filter: { status: 'failed' } })}`;
      const said = tools.has('console')
        ? `${call('console', { tab, level: 'warning' })} has messages and exceptions since the page loaded; `
        : '';
      return `Errors: ${said}${failed} have the requests that failed. Group what has one cause.`;
    }
    case 'performance':
      return `Performance: ${slice({ sort: '-size', fields: COST })} and ${slice({ sort: '-duration', fields: COST })}; ${slice({ filter: { id: 'r1' } })} has one of them whole, with its headers, by its \`_id\`. Look for what blocks the first paint, pictures larger than they are shown, text without compression, responses that nothing lets a browser keep, and chains of requests. Give bytes and milliseconds.`;
    case 'security':
      return `Security: ${slice({ filter: { type: ['document'] } })} has the headers of the page, and ${slice({ filter: { type: ['script'] }, fields: ['request.url'] })} where its scripts come from. Look at Content-Security-Policy, Strict-Transport-Security, the attributes of cookies, addresses with http:, and forms that post elsewhere. Values were redacted before you saw them: report that a secret stands in an address, never the secret.`;
  }
}

/** Finds what is wrong with a page, with proof for each finding. */
export const auditPage: Prompt<typeof args> = {
  name: 'audit_page',
  title: 'Audit this page',
  description: 'Finds what is wrong with a page: accessibility, content, errors, performance, security.',
  args,
  write({ url, focus }, tools) {
    const chosen = FOCUSES.filter((each) => each !== 'all' && (focus === 'all' || focus === each));
    const captures = focus !== 'accessibility' && focus !== 'content';
    const { tab, open } = openTab(url, captures);
    return writeText({
      tools,
      task: `Audit ${url ?? 'the page that the user has in front'}${focus === 'all' ? '' : `: ${focus}`}. Report what you have seen in an answer of a tool, and nothing else.`,
      steps: [
        ...open,
        ...chosen.flatMap((each) => (each === 'all' ? [] : checkOf(each, tab, tools))),
        `For the findings that matter: ${proof(tab)}`,
      ],
      report: [
        'Findings, the gravest first: what is wrong, where (ref, selector or address), how you know (tool, and handle or id of the request), whom it hurts, what to change.',
        'What you looked at and found in order, in one line.',
        'What you could not see, and why.',
      ],
    });
  },
};
