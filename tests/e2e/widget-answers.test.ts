import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright';
import type { Gate } from '../../server/core/calls/gate.ts';
import { auditWidget } from '../support/widget-hosts/audit.ts';
import { startBench, type WidgetBench } from '../support/widget-hosts/bench.ts';
import { launchBrowser, type OpenWidget } from '../support/widget-hosts/open.ts';

/* What the widget says of calls that did not do what they were to do: nowhere may it call them completed. */
const asking: Gate = {
  check: async ({ definition }) =>
    definition.manifest.name === 'run_resume'
      ? { ask: { question: 'May the run go on?', asked_by: 'the test' } }
      : { allow: true },
};

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe.each(['apps', 'openai'] as const)('in a host of %s', (kind) => {
  let bench: WidgetBench;
  let shown: OpenWidget;
  beforeAll(async () => {
    bench = await startBench(kind, browser, { gate: asking });
  });
  afterEach(async () => {
    const { requests, complaints } = shown;
    await shown.close();
    expect([...requests, ...complaints]).toEqual([]);
  });
  afterAll(() => bench.close());

  const head = async (): Promise<{ label: string | null; mood: string | null }> => ({
    label: await shown.frame.locator('header .c-badge').textContent(),
    mood: await shown.frame.locator('.mood').getAttribute('class'),
  });

  it.each(['light', 'dark'] as const)('a failed call has failed, %s', async (theme) => {
    shown = await bench.open({ theme });
    await shown.sendResult(await bench.call('crawl', { url: 'nowhere' }));
    const alert = shown.frame.locator('.f-error');
    await alert.getByText('invalid_argument').waitFor();
    expect(await alert.textContent()).toContain('Correct the named field');
    await expect.poll(head).toEqual({ label: 'Failed', mood: 'mood bad' });
    await expect
      .poll(() => shown.frame.locator('.card > [role=status]').textContent())
      .toMatch(/^Failed: url: "nowhere"/);
    expect(await auditWidget(shown.frame)).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'a call that waits for a person is shown as waiting, %s',
    async (theme) => {
      shown = await bench.open({ theme, tool: null });
      await shown.sendResult(await bench.call('run_resume', { run_id: 'run_ABCDEFGHIJKL' }));
      await shown.frame.getByText('May the run go on?').waitFor();
      await expect.poll(head).toEqual({ label: 'Waiting for approval', mood: 'mood wait' });
      expect(await shown.frame.getByRole('heading', { level: 1 }).textContent()).toBe('Resume run');
      expect(await shown.frame.getByRole('region', { name: 'Arguments' }).textContent()).toContain(
        'run_ABCDEFGHIJKL',
      );
      await expect
        .poll(() => shown.frame.locator('.card > [role=status]').textContent())
        .toBe('Waiting for approval');
      expect(await auditWidget(shown.frame)).toEqual([]);
    },
  );

  it.each(['light', 'dark'] as const)(
    'an answer that is not handed over is not judged, %s',
    async (theme) => {
      shown = await bench.open({ theme });
      await shown.sendResult({ content: [] });
      await shown.frame.getByText('The result of this call is in the conversation.').waitFor();
      await expect.poll(head).toEqual({ label: 'Answered', mood: 'mood plain' });
      expect(await auditWidget(shown.frame)).toEqual([]);
    },
  );
});
