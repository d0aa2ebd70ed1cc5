import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import { MIME } from '../../shared/base/mime.ts';
import type { htmlSkeleton } from '../../shared/read/html_skeleton.manifest.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { Bridge } from '../core/services.ts';
import { requireTab, readTabStream, type TabOutcome } from '../core/targets.ts';

/** `html_skeleton`: the page's stream becomes the payload. */
export const createRuntimes = ({ bridge }: { readonly bridge: Bridge }): ToolRuntimes => ({
  html_skeleton: async (args: ArgsOf<typeof htmlSkeleton>, context) => {
    const target = await requireTab(bridge, args, context);
    const { selector = null, max_depth, text_length } = args;
    const params = { tab_id: target.tabId, selector, max_depth, text_length };
    const stream = bridge.stream(target.browser, 'page.skeleton', params, context);
    const { chunks, produced } = readTabStream(stream, { target, context, outcomeOf });
    return { payload: { kind: 'text', mimeType: MIME.html, chunks }, ...produced };
  },
});

function outcomeOf(
  tab: string,
  { page, coverage, hidden_elements }: MethodResult<'page.skeleton'>,
): TabOutcome {
  const { url, title, ready_state, frames } = page;
  return {
    state: { tab, url, title, ready_state, frames, hidden_elements },
    coverage: [
      ...(ready_state === 'loading' ? ['loading: the page was still loading.'] : []),
      ...coverage.map(({ kind, detail }) => `${kind}: ${detail}`),
    ],
  };
}
