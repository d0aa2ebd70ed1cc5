import { z } from 'zod';
import { urlField, words } from './fields.ts';
import { call, openTab, proof, writeText, type Prompt, type PromptTools } from './prompt.ts';

const args = z.strictObject({
  url: urlField,
  what: words('What goes wrong: the steps, what was expected, what happens instead'),
});

/** How the steps of a report are done with the tools that there are. */
function act(tab: string, tools: PromptTools): string {
  if (tools.has('find') && tools.has('interact'))
    return 'Do the steps one at a time, each with `interact` on an element that `find` named, and look at its receipt before the next one.';
  return `Do the steps one at a time: what an address leads to with ${call('navigate', { url: 'https://…', tab })}. No tool here clicks or types: ask the user to do such a step in that tab and to say when it is done. Do not guess what it would have done.`;
}

/** Shows a fault with what proves it. */
export const reproduceBug: Prompt<typeof args> = {
  name: 'reproduce_bug',
  title: 'Reproduce this bug',
  description: 'Reproduces a fault of a page and keeps the evidence: requests, console, the page itself.',
  args,
  words: 'what',
  write({ what, url }, tools) {
    const { tab, open } = openTab(url, true);
    const slice = (filter: { status?: string; since?: string }): string =>
      call('network', { action: 'slice', tab, filter, output_mode: 'auto' });
    return writeText({
      tools,
      task: `Reproduce this fault, and prove it: ${what}`,
      steps: [
        'Say first, in one line each: the steps, what is expected, what happens instead. Ask when one of the three is missing.',
        ...open,
        `${call('read_page', { tab, format: 'snapshot', output_mode: 'auto' })}: the page before.`,
        act(tab, tools),
        `${call('read_page', { tab, format: 'snapshot', output_mode: 'auto' })}: the page after. Is it what was expected, or the fault?`,
        `${slice({ status: '400-599' })} and ${slice({ status: 'failed' })}: requests that failed; ${slice({ since: '1m' })}: those of the last step.`,
        ...(tools.has('console')
          ? [`${call('console', { tab, level: 'warning' })}: messages and exceptions, with their stacks.`]
          : []),
        ...(tools.has('screenshot') ? [`${call('screenshot', { tab })}, when the fault is to be seen.`] : []),
        `While the page shows the fault: ${proof(tab)}`,
        `${call('oc_connection_health', {})} names the browser and its version.`,
        'Do it a second time from the start: a fault that comes once in two is reported as such.',
      ],
      report: [
        'Whether it was reproduced, how often of how many, in which browser and version.',
        'The shortest steps that show it; expected; observed.',
        'Evidence: handle and SHA-256 of the bundle, ids of the requests, the first error of the console.',
        'The likely cause and what speaks for it, apart from what you saw. When it was not reproduced: what was different from the report.',
      ],
    });
  },
};
