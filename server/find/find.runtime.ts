import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import { MIME } from '../../shared/base/mime.ts';
import type { find } from '../../shared/find/find.manifest.ts';
import { callerOf } from '../core/context.ts';
import type { Outcome } from '../core/result.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { Bridge } from '../core/services.ts';
import { formatTabId, askTab, requireTab } from '../core/targets.ts';
import { invalidArgument } from '../../shared/base/errors.ts';
import type { FindTarget } from '../../shared/find/find.methods.ts';

type FindArgs = ArgsOf<typeof find>;
type FoundInPage = MethodResult<'page.find'>;

/** `find`: a line for each element, best first, or the nearest matches. */
export const createRuntimes = ({ bridge }: { readonly bridge: Bridge }): ToolRuntimes => ({
  find: async (args: FindArgs, context) => {
    const sought = targetOf(args);
    const target = await requireTab(bridge, args, context);
    const params = { tab_id: target.tabId, caller: callerOf(context), target: sought, limit: args.limit };
    const found = await askTab({ bridge, target, context }, 'page.find', params);
    return {
      payload: { kind: 'text', mimeType: MIME.snapshot, chunks: writeFound(found) },
      outcome: () => outcomeOf(formatTabId(target), found),
      untrustedFrom: () => found.url,
    };
  },
});

async function* writeFound({ lines, nearest }: FoundInPage): AsyncGenerator<string> {
  if (lines.length > 0) yield `${lines.join('\n')}\n`;
  else if (nearest.length === 0) yield 'Nothing matches.\n';
  else yield `Nothing matches. Nearest:\n${nearest.join('\n')}\n`;
}

function outcomeOf(tab: string, found: FoundInPage): Outcome {
  const { url, title, lines, more, is_more_counted: isCounted, hidden, coverage } = found;
  const left = isCounted ? `${more} more match` : `At least ${more} more match`;
  return {
    state: { tab, url, title, found: lines.length, more },
    coverage: [
      ...(more === 0 ? [] : [`${left}: pass a higher limit, or be more specific.`]),
      ...(lines.length > 0 || hidden === 0 ? [] : [`${hidden} that match cannot be seen.`]),
      ...coverage.map(({ kind, detail }) => `${kind}: ${detail}`),
    ],
  };
}

/** Arguments that are complete targets. Their engines have the same names, without underscores. */
const NAMES = ['text', 'label', 'placeholder', 'css', 'xpath', 'test_id'] as const;

/** A selector where words are expected. */
const SELECTOR = /^(?:css|text|role|label|placeholder|testid|xpath)\s*=|^\(*\/\//;

/**
 * The target of the arguments.
 * @throws SpillwayError `invalid_argument` unless there is exactly one
 */
function targetOf(args: FindArgs): FindTarget {
  const given = NAMES.filter((name) => args[name] !== undefined);
  const ways = [
    ...given,
    ...(args.query === undefined ? [] : ['query']),
    ...(args.role === undefined ? [] : ['role']),
  ];
  if (ways.length !== 1 || (args.name !== undefined && args.role === undefined))
    throw invalidArgument(
      'find: pass one of query, role (with name or without), text, label, placeholder, css, xpath and test_id.',
    );
  if (args.query !== undefined)
    return SELECTOR.test(args.query) ? { selector: args.query } : { query: args.query };
  const [only] = given;
  if (only !== undefined) return { parts: [{ engine: only.replace('_', ''), body: args[only] ?? '' }] };
  return { parts: [{ engine: 'role', body: `${args.role}${nameTest(args.name)}` }] };
}

/** A part of the name, whatever its case. */
const nameTest = (name: string | undefined): string =>
  name === undefined ? '' : `[name*="${name.replace(/["\\]/g, String.raw`\$&`)}"i]`;
