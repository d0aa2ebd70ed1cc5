import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import { cut, textsOf } from '../../shared/base/cut.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import { MIME } from '../../shared/base/mime.ts';
import type { audit } from '../../shared/audit/audit.manifest.ts';
import { AuditFinding } from '../../shared/audit/audit.methods.ts';
import { callerOf } from '../core/context.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { Bridge } from '../core/services.ts';
import { requireTab, parseJsonLines, readTabStream, type TabOutcome } from '../core/targets.ts';

const FIX_UNITS = 200;

/** `audit`: an item for each element that fails a rule, worst first. */
export const createRuntimes = ({ bridge }: { readonly bridge: Bridge }): ToolRuntimes => ({
  audit: async (args: ArgsOf<typeof audit>, context) => {
    const target = await requireTab(bridge, args, context);
    const { scope = null, level, best_practices, rules = null } = args;
    const from = { tab_id: target.tabId, caller: callerOf(context) };
    const params = { ...from, scope, level, best_practices, rules };
    const stream = bridge.stream(target.browser, 'page.audit', params, context);
    const { chunks, produced } = readTabStream(stream, { target, context, outcomeOf });
    return { payload: { kind: 'items', mimeType: MIME.json, items: itemsOf(chunks) }, ...produced };
  },
});

async function* itemsOf(chunks: AsyncIterable<string>): AsyncGenerator<JsonObject> {
  const fixes = new Map<string, string>();
  for await (const line of parseJsonLines(chunks)) {
    const { fix: summary, wcag, message, role, name, frame, ...finding } = AuditFinding.parse(line);
    const fix = fixOf(summary);
    const before = fixes.get(finding.rule);
    yield {
      ...finding,
      ...(before === undefined && { message }),
      ...(wcag.length > 0 && { wcag }),
      ...(before !== fix && { fix }),
      ...(role !== '' && { role }),
      ...(name !== '' && { name }),
      ...(frame !== null && { frame }),
    };
    fixes.set(finding.rule, fix);
  }
}

/** Axe-core's summary in one line: `Fix any: …; …. Fix all: …`. */
function fixOf(summary: string): string {
  const parts = summary.split(/\n{2,}/).map((part) => {
    const [head = '', ...ways] = part.split('\n').map((line) => line.trim());
    return `${head.replace(/ of the following:$/, ':')} ${ways.join('; ')}`;
  });
  return cut(parts.join('. '), FIX_UNITS);
}

function outcomeOf(tab: string, result: MethodResult<'page.audit'>): TabOutcome {
  const { url, title, findings, rules_passed, undecided, unfinished, documents, coverage } = result;
  return {
    state: { tab, url, title, findings, rules_passed, undecided, documents },
    coverage: [
      ...textsOf(
        findings === 0 && `No faults: ${rules_passed} rules applied, and none failed.`,
        undecided > 0 && `Elements about which axe-core could not decide: ${undecided}.`,
        unfinished.length > 0 &&
          `Rules that were not finished: pass scope to check a part of the page. ${unfinished.join(', ')}`,
      ),
      ...coverage.map(({ kind, detail }) => `${kind}: ${detail}`),
    ],
  };
}
