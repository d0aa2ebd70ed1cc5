import { cut } from '../../shared/base/cut.ts';
import { invalidArgument } from '../../shared/base/errors.ts';
import type { manifest } from '../../shared/files/clipboard.manifest.ts';
import { CLIPBOARD_UNITS } from '../../shared/files/clipboard.methods.ts';
import { produceJson, fencePageQuote } from '../core/calls/produce.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { Bridge } from '../core/services.ts';
import { formatTabId, askTab, requireTab } from '../core/targets.ts';

/** `clipboard`: its text, or how many characters were written. */
export const createRuntimes = ({ bridge }: { readonly bridge: Bridge }): ToolRuntimes => ({
  clipboard: async ({ action, text: given, ...choice }: ArgsOf<typeof manifest>, context) => {
    if ((action === 'write') !== (given !== undefined))
      throw invalidArgument('text: write needs one, and read takes none.');
    const target = await requireTab(bridge, choice, context);
    const params = { tab_id: target.tabId, text: given ?? null };
    const read = await askTab({ bridge, target, context }, 'page.clipboard', params);
    const { url, text, units = text.length } = read;
    const tab = formatTabId(target);
    const shown = cut(text, CLIPBOARD_UNITS);
    const left = units > CLIPBOARD_UNITS ? { left_out: units - CLIPBOARD_UNITS } : {};
    const answer = given === undefined ? { tab, text: shown, ...left } : { tab, written: given.length };
    return fencePageQuote(produceJson(answer, { tab, url }));
  },
});
