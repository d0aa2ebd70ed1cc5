import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import type { DialogStep } from '../../shared/act/parse-step.ts';
import { RECEIPT_TOKENS } from '../../shared/act/steps.ts';
import { invalidArgument } from '../../shared/base/errors.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import { callerOf, type CallContext } from '../core/context.ts';
import { produceReceipt, fencePageQuote } from '../core/calls/produce.ts';
import type { ToolRuntime } from '../core/registry/definition.ts';
import type { Bridge } from '../core/services.ts';
import { cutUrl } from '../../shared/base/cut.ts';
import {
  addOpenedTab,
  describeTab,
  forgetTab,
  formatTabId,
  actInTab,
  requireTab,
  type TabTarget,
} from '../core/targets.ts';

const URL_UNITS = 150;

type DialogArgs = DialogStep & { readonly tab?: string | undefined };

interface Answered {
  readonly target: TabTarget;
  readonly result: MethodResult<'dialog.answer'>;
}

/** Answers the dialog of a tab. @throws SpillwayError those of `dialog.answer` */
export async function answerDialog(
  bridge: Bridge,
  { action, text, tab }: DialogArgs,
  context: CallContext,
): Promise<Answered> {
  if (action === 'dismiss' && text !== undefined) throw invalidArgument('text: action "dismiss" takes none.');
  const target = await requireTab(bridge, { tab }, context);
  const accept = action === 'accept';
  const caller = callerOf(context);
  const budget = RECEIPT_TOKENS;
  const params = { tab_id: target.tabId, caller, accept, budget, ...(text === undefined ? {} : { text }) };
  const result = await actInTab({ bridge, target, context }, 'dialog.answer', params);
  const { browser } = target;
  for (const { id: tabId } of result.opened ?? []) addOpenedTab(context, target, { browser, tabId });
  if (result.tab === null) forgetTab(target, context);
  return { target, result };
}

/** `dialog`: answers the dialog of a tab and reports the page's reaction. */
export const createDialog =
  ({ bridge }: { readonly bridge: Bridge }): ToolRuntime<DialogArgs> =>
  async (args, context) => {
    const { target, result } = await answerDialog(bridge, args, context);
    return fencePageQuote(produceReceipt(receipt(target, args.action === 'accept', result)));
  };

function receipt(target: TabTarget, accepted: boolean, result: MethodResult<'dialog.answer'>): JsonObject {
  const { answered, next, opened = [], blocked = [], tab, navigated, changes } = result;
  const { browser } = target;
  const { url, title } = tab === null ? {} : describeTab(browser, tab);
  return {
    tab: formatTabId(target),
    answered,
    accepted,
    ...(url === undefined ? { closed: true } : { url, title }),
    ...(navigated ? { navigated } : {}),
    ...(tab?.status === 'loading' ? { loading: true } : {}),
    ...(next === null ? {} : { next_dialog: next }),
    ...(opened.length === 0
      ? {}
      : {
          opened: opened.map(({ id: tabId, url }) => ({
            tab: formatTabId({ browser, tabId }),
            url: cutUrl(url, URL_UNITS),
          })),
        }),
    ...(blocked.length === 0 ? {} : { blocked }),
    ...(changes === null ? {} : { changes }),
  };
}
