import { SpillwayError } from '../../../../shared/errors.ts';
import type { ToolRegistry } from '../../../core/registry/registry.ts';
import { checkSelectors, parseSelectors } from '../../../core/registry/selection.ts';
import type { Refusal } from '../../../toolkit/http-guard.ts';

const PARAMETER = 'tools';

/**
 * What the address of an initialize request selects (`/mcp?tools=read,crawl`, once or repeated), or
 * why it is refused. Without a word the session lists what the server was started with.
 */
export function readSelectors(
  url: string | undefined,
  registry: ToolRegistry,
): { readonly selectors?: readonly string[] } | Refusal {
  const query = (url ?? '').split('?').slice(1).join('?');
  const selectors = parseSelectors(new URLSearchParams(query).getAll(PARAMETER).join(','));
  if (selectors === undefined) return {};
  try {
    checkSelectors(registry, selectors, `?${PARAMETER}=`);
  } catch (thrown) {
    if (!(thrown instanceof SpillwayError)) throw thrown;
    return { status: 400, message: `${thrown.message} ${thrown.hint}` };
  }
  return { selectors };
}
