import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import { textsOf } from '../../shared/base/cut.ts';
import { gather, withResult } from '../../shared/base/queue.ts';
import { callerOf, type CallContext } from './context.ts';
import type { Bridge } from './services.ts';
import { onTab, type TabTarget } from './targets.ts';

type Left = NonNullable<MethodResult<'page.read'>['left']>[number];

/** How much of a page is left, in percent. */
export const percentLeft = ({ share }: Pick<Left, 'share'>): number =>
  Math.min(99, Math.max(1, Math.round(share * 100)));

/** Sentence about the part of a snapshot that did not fit. */
export function describeLeft({ ref, share }: Left): string {
  const how = ref === null ? 'read_page' : `read_page {"format":"snapshot","ref":"${ref}"}`;
  return `about ${percentLeft({ share })} % more: ${how}`;
}

/**
 * The snapshot of a tab's page, as far as it fits in `budget` tokens.
 * @throws SpillwayError those of `page.read`
 */
export function takeSnapshot(
  bridge: Bridge,
  { target, budget }: { readonly target: TabTarget; readonly budget: number },
  context: CallContext,
): Promise<string> {
  const all = { selector: null, main_content_only: false, include_links: false, include_hidden: false };
  const params = {
    tab_id: target.tabId,
    caller: callerOf(context),
    format: 'snapshot',
    ...all,
    budget,
  } as const;
  return onTab(target, context, async () => {
    const { values, result } = withResult(bridge.stream(target.browser, 'page.read', params, context));
    const text = (await gather(values)).join('').trimEnd();
    const [first] = result().left ?? [];
    return textsOf(text, first !== undefined && describeLeft(first)).join('\n');
  });
}
