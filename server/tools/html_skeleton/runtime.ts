import type { z } from 'zod';
import type { MethodResult } from '../../../shared/bridge/methods.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { MIME } from '../../../shared/mime.ts';
import type { htmlSkeleton } from '../../../shared/tools/html_skeleton/manifest.ts';
import type { Outcome } from '../../core/payload.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/runtime.ts';
import type { Bridge } from '../../core/services.ts';
import { failingAs, failingTab, formatTabId, resolveTab } from '../../core/targets.ts';

type Args = z.output<typeof htmlSkeleton.input>;

export const createRuntimes = (services: { readonly bridge: Bridge }): ToolRuntimes => ({
  html_skeleton: createHtmlSkeleton(services),
});

/** `html_skeleton`: the page's stream becomes the payload. */
function createHtmlSkeleton({ bridge }: { readonly bridge: Bridge }): ToolRuntime<Args> {
  return {
    async run(args, context) {
      const target = await resolveTab(bridge, args, context);
      if (target === null) {
        throw new SpillwayError(
          'no_current_tab',
          'html_skeleton: no tab was passed and there is no current tab.',
        );
      }
      const { selector = null, max_depth, text_length } = args;
      const stream = bridge.stream(
        target.browser,
        'page.skeleton',
        { tab_id: target.tabId, selector, max_depth, text_length },
        { signal: context.signal },
      );
      let address: string | undefined;
      const fail = failingTab(target, context);
      const done = stream.done.then((result): Outcome => {
        address = result.page.url;
        return outcomeOf(formatTabId(target), result);
      }, fail);
      done.catch(() => undefined);
      const chunks = failingAs(stream.chunks, fail);
      return { payload: { kind: 'text', mimeType: MIME.html, chunks }, done, untrustedFrom: () => address };
    },
  };
}

function outcomeOf(tab: string, { page, coverage, hidden_elements }: MethodResult<'page.skeleton'>): Outcome {
  const { url, title, ready_state, frames } = page;
  return {
    state: { tab, url, title, ready_state, frames, hidden_elements },
    coverage: [
      ...(ready_state === 'loading' ? ['loading: the page was still loading.'] : []),
      ...coverage.map(({ kind, detail }) => `${kind}: ${detail}`),
    ],
  };
}
