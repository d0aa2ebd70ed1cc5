import type { z } from 'zod';
import type { manifest } from '../../../shared/tools/clipboard/manifest.ts';
import { produceJson, quotingPage } from '../../core/calls/produce.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/definition.ts';
import type { Bridge } from '../../core/services.ts';
import { formatTabId, onTab, requireTab } from '../../core/targets.ts';

type Args = z.output<typeof manifest.input>;

export const createRuntimes = (services: { readonly bridge: Bridge }): ToolRuntimes => ({
  clipboard: createClipboard(services),
});

/** `clipboard`: its text, or how many characters were put there. */
function createClipboard({ bridge }: { readonly bridge: Bridge }): ToolRuntime<Args> {
  return {
    async run({ text: given = null, ...choice }, context) {
      const target = await requireTab(bridge, choice, context);
      const { url, text } = await onTab(target, context, () =>
        bridge.request(
          target.browser,
          'page.clipboard',
          { tab_id: target.tabId, text: given },
          { call: context.call, signal: context.signal },
        ),
      );
      const tab = formatTabId(target);
      const answer = given === null ? { tab, text } : { tab, written: given.length };
      return quotingPage(produceJson(answer, { tab, url }));
    },
  };
}
