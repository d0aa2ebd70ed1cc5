import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withUpstreams } from '../../../server/upstreams/command.ts';
import { type HopReport } from '../../../server/core/hop.ts';
import { runHops } from '../../../server/doctor/hop.ts';
import { upstreamsHop } from '../../../server/upstreams/doctor-hop.ts';
import { FAULTS } from '../../support/upstream-rig.ts';
import { formatHop } from '../../../server/doctor/command.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { testFolder } from '../../support/test-folder.ts';

const good = { id: 'good', command: process.execPath, args: [FAULTS] };

async function diagnose(upstreams: readonly object[], looseFile: string | null = null) {
  const home = testFolder();
  await writeFile(join(home, 'spillway.json'), JSON.stringify({ upstreams }), { mode: 0o600 });
  const check = async () => ({
    reports: await withUpstreams({ home }, async (opened) => opened.report()),
    looseFile,
  });
  const [report] = await runHops([upstreamsHop(check)], undefined);
  return report;
}

it('names each upstream, what waits for a person, and why one is away', async () => {
  const unread = { id: 'unread', file: 'no-such-file.yaml' };
  const report = await diagnose(
    [good, { id: 'none', command: 'no-such-program-of-spillway' }, unread],
    '/home/spillway.json',
  );
  expect(report).toMatchObject({ id: 'upstreams', status: 'ok' });
  expect(report?.evidence).toEqual([
    expect.stringMatching(/^good: \d+ tools$/),
    'none: away',
    'unread: away',
  ]);
  expect(report?.warnings).toEqual([
    expect.stringContaining('chmod 600'),
    expect.stringContaining('index.js upstream accept good'),
    expect.stringMatching(/^none \(no-such-program-of-spillway\) is not connected: .*ENOENT/),
    expect.stringMatching(/^unread .* cannot be read\. Correct its path\.$/),
  ]);
});

it('fails for a file that does not fit, with the field', async () => {
  const report = await diagnose([{ id: 'good' }]);
  expect(report).toMatchObject({ status: 'failed', code: 'invalid_argument' });
  expect(report?.evidence.join()).toContain('upstreams[0]');
});

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
