import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { TAB, fails, ok, type OutputCase, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('audit', 'lists findings', { tab: TAB }),
  fails('audit', 'invalid_argument', { tab: TAB, level: 'B' }),
];

export const outputCases: readonly OutputCase[] = [{ tool: 'audit', args: { tab: TAB }, has: 'items' }];
const FACTS = { findings: 2, rules_passed: 12, undecided: 3, unfinished: ['color-contrast'], documents: 2 };
const ELEMENT = { ref: 'f1e5', role: 'button', name: 'Save', snippet: '<button>', frame: null };
const FINDING = {
  rule: 'color-contrast',
  impact: 'serious',
  wcag: ['1.4.3'],
  message: 'Contrast',
  ...ELEMENT,
};

export const fakeHandlers: BridgeHandlers = {
  'page.audit': async function* ({ scope, level, best_practices, rules }) {
    const asked = JSON.stringify({ scope, level, best_practices, rules });
    const fix = `Fix any of the following:\n  ${asked}\n  Another way\n\nFix all of the following:\n  Set a role`;
    for (let at = 0; at < 2; at += 1) yield `${JSON.stringify({ ...FINDING, fix })}\n`;
    const coverage = [{ kind: 'closed_frame', detail: 'Frame https://c.test/ could not be checked.' }];
    return { url: 'https://a.test/', title: 'A', coverage, ...FACTS };
  },
};
