import { expect, it } from 'vitest';
import { formatHop } from '../../../server/cli/doctor.ts';
import type { HopReport } from '../../../server/doctor/hop.ts';
import { createRedactor } from '../../../server/redact/index.ts';

const same = (text: string): string => text;
const STYLE = { good: same, bad: same, caution: same, faint: same, strong: same };

it('names of strangers begin no line of their own', () => {
  const report: HopReport = {
    id: 'upstreams',
    title: 'Upstreams',
    status: 'ok',
    evidence: ['odd: 1 tools'],
    warnings: ['odd: ok\n  ✓ Browser  all is well is called odd_ok_, since it is long.'],
    fix: null,
    code: null,
    duration_ms: 1,
  };
  const text = formatHop(createRedactor({ enabled: true }).value(report), { style: STYLE, titleWidth: 9 });
  expect(text.split('\n')).toHaveLength(3);
  expect(text).toContain('ok\\u{a}  ✓ Browser');
});
