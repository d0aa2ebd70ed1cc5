import type { z } from 'zod';
import { cut } from '../../../shared/cut.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { manifest } from '../../../shared/tools/clipboard/manifest.ts';
import { CLIPBOARD_UNITS } from '../../../shared/tools/clipboard/methods.ts';
import { produceJson, quotingPage } from '../../core/calls/produce.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/definition.ts';
import type { Bridge } from '../../core/services.ts';
import { formatTabId, onTab, requireTab } from '../../core/targets.ts';

type Args = z.output<typeof manifest.input>;

export const createRuntimes = (services: { readonly bridge: Bridge }): ToolRuntimes => ({
  clipboard: createClipboard(services),
});

/** `clipboard`: its text, or how many characters were written. */
function createClipboard({ bridge }: { readonly bridge: Bridge }): ToolRuntime<Args> {
  return {
    async run({ action, text: given = null, ...choice }, context) {
      if ((action === 'write') !== (given !== null))
        throw new SpillwayError('invalid_argument', 'text: write needs one, and read takes none.');
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
      const shown = cut(text, CLIPBOARD_UNITS);
      const left = text.length > CLIPBOARD_UNITS ? { left_out: text.length - CLIPBOARD_UNITS } : {};
      const answer = given === null ? { tab, text: shown, ...left } : { tab, written: given.length };
      return quotingPage(produceJson(answer, { tab, url }));
    },
  };
}
