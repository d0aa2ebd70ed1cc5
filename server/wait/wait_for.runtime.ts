import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import { invalidArgument } from '../../shared/base/errors.ts';
import { areInterrupted, downloadLine } from '../../shared/core/downloads.ts';
import { MIME } from '../../shared/base/mime.ts';
import { CONDITION_NAMES } from '../../shared/wait/wait_for.methods.ts';
import type { waitForTool } from '../../shared/wait/wait_for.manifest.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { Bridge } from '../core/services.ts';
import { formatTabId, requireTab } from '../core/targets.ts';
import { awaitIn } from './wait-first.ts';

/** `wait_for`: the matching lines, or the page's content instead. */
export const createRuntimes = ({ bridge }: { readonly bridge: Bridge }): ToolRuntimes => ({
  wait_for: async ({ mode, timeout_ms, tab, ...conditions }: ArgsOf<typeof waitForTool>, context) => {
    if (CONDITION_NAMES.every((name) => conditions[name] === undefined))
      throw invalidArgument(`wait_for: pass one of ${CONDITION_NAMES.join(', ')}.`);
    const target = await requireTab(bridge, { tab }, context);
    const waited = await awaitIn({ bridge, target, context }, { conditions, mode, timeout_ms });
    const { url, waited_ms, met, missing } = waited;
    return {
      payload: { kind: 'text', mimeType: MIME.text, chunks: writeOutcome(waited) },
      outcome: () => ({
        state: { tab: formatTabId(target), url, waited_ms, met, missing },
        coverage: [],
      }),
      untrustedFrom: () => url,
    };
  },
});

async function* writeOutcome({
  hidden,
  nearest,
  downloads,
  under_way: pending,
  ...waited
}: MethodResult<'page.await'>): AsyncGenerator<string> {
  const { is_over: isOver, met, missing, waited_ms: waitedMs, url } = waited;
  if (!isOver) yield `After ${waitedMs} ms: ${met.join(', ')}.\n`;
  else {
    const others = met.length === 0 ? '' : `; ${met.join(', ')} held`;
    const how = missing.includes('download') && areInterrupted(downloads) ? 'Gave up' : 'Timed out';
    yield `${how} after ${waitedMs} ms without ${missing.join(', ')}${others}.\n`;
    yield `url: ${url}\n`;
  }
  if (missing.includes('target'))
    yield `target: ${hidden === null || hidden === 0 ? 'no element' : `${hidden} hidden`}\n`;
  if (missing.includes('download') && downloads.length === 0) yield 'download: none began\n';
  for (const download of downloads) yield `${downloadLine(download)}\n`;
  for (const line of nearest) yield `${isOver ? 'nearest' : 'found'}: ${line}\n`;
  if (!isOver) return;
  for (const address of pending) yield `pending: ${address}\n`;
}
