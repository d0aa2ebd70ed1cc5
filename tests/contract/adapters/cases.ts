import type { RunWorker } from '../../../server/core/runs.ts';
import { MANIFESTS } from '../../../shared/tools/index.ts';
import { fails, type ToolCase } from '../../support/tool-cases.ts';
import { TOOL_CASES } from '../../tools/cases.generated.ts';

/** Two pages, and then it ends, fails, or waits for its cancel, as its address says. */
export const crawlWorker: RunWorker = {
  async run({ url }, scope) {
    await scope.commit({ items: [{ url: 'https://example.com/a' }, { url: 'https://example.com/b' }] });
    scope.progress({ done: 2, queued: 0, failed: 0 });
    if (String(url).endsWith('/fails')) throw new Error('a defect');
    if (String(url).endsWith('/waits'))
      await new Promise((_, reject) => {
        const { signal } = scope;
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    return { state: { pages: 2 }, coverage: ['robots.txt left one page out'] };
  },
};

/** A field that it does not know. */
const REFUSED = MANIFESTS.map(({ name }) => ({
  ...fails(name, 'invalid_argument', { no_such_field: true }),
  title: 'refuses an unknown field',
}));

/** Tools in the order of lists, so that a new one comes last and what the journal has before it stays. */
const FOLDERS = [...new Set(MANIFESTS.map(({ identifier }) => identifier))];

export const CASES: readonly ToolCase[] = [
  ...FOLDERS.flatMap((folder) => TOOL_CASES[folder]?.adapterCases ?? []),
  ...REFUSED,
  { tool: 'raed_page', title: 'is unknown', args: {}, ends: 'unknown_tool' },
];
