import { z } from 'zod';
import { urlField, words } from './fields.ts';
import { call, openTab, proof, writeText, type Prompt, type PromptTools } from './prompt.ts';

const args = z.strictObject({
  url: urlField,
  what: words('The bug: the steps, the expected result, the actual result'),
});

/** How the steps of a report are done with the tools that there are. */
function act(tab: string, tools: PromptTools): string {
  if (tools.has('find') && tools.has('interact'))
    return 'Do the steps one at a time, each with `interact` on an element that `find` returned, and check its receipt before the next one.';
  return `Do the steps one at a time. Load URLs with ${call('navigate', { url: 'https://…', tab })}. No tool here clicks or types: ask the user to do such a step in that tab and to tell you when it is done. Do not guess its result.`;
}

/** Shows a fault with what proves it. */
export const reproduceBug: Prompt<typeof args> = {
  name: 'reproduce_bug',
  title: 'Reproduce this bug',
  description: 'Reproduces a bug of a page and keeps the evidence: requests, console, the page itself.',
  args,
  words: 'what',
  write({ what, url }, tools) {
    const { tab, open } = openTab(url, true);
    const slice = (filter: { status?: string; since?: string }): string =>
      call('network', { action: 'slice', tab, filter, output_mode: 'auto' });
    return writeText({
      tools,
      task: `Reproduce this bug and collect evidence: ${what}`,
      steps: [
        'First state, in one line each: the steps, the expected result, the actual result. Ask if one of them is missing.',
        ...open,
        `${call('read_page', { tab, format: 'snapshot', output_mode: 'auto' })}: the page before the steps.`,
        act(tab, tools),
        `${call('read_page', { tab, format: 'snapshot', output_mode: 'auto' })}: the page after the steps. Does it show the expected result, or the bug?`,
        `${slice({ status: '400-599' })} and ${slice({ status: 'failed' })}: failed requests; ${slice({ since: '1m' })}: requests of the last step.`,
        ...(tools.has('console')
          ? [`${call('console', { tab, level: 'warning' })}: messages and exceptions, with stack traces.`]
          : []),
        ...(tools.has('screenshot') ? [`${call('screenshot', { tab })}, if the bug is visible.`] : []),
        `While the page shows the bug: ${proof(tab)}`,
        `${call('oc_connection_health', {})} returns the browser and its version.`,
        'Repeat everything once from the start: if the bug appears only once, report that.',
      ],
      report: [
        'Whether it was reproduced, in how many of how many attempts, in which browser and version.',
        'The shortest steps that reproduce it; the expected result; the actual result.',
        'Evidence: handle and SHA-256 of the bundle, request ids, the first console error.',
        'The likely cause and its evidence, separate from the observations. If it was not reproduced: the differences from the report.',
      ],
    });
  },
};
