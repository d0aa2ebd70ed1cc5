import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Browser, Locator } from 'playwright';
import { readWidget } from '../../../server/widgets/files.ts';
import { axeIn, launchBrowser, type OpenOptions, type OpenWidget } from '../../support/widget-hosts/open.ts';
import { useBench } from '../../support/widget-hosts/use-bench.ts';
import { pageItem, pageItems } from '../../support/widget-hosts/scripted-crawl.ts';

const URL_OF_DOCS = 'https://docs.example.org/';

let browser: Browser;
beforeAll(async () => (browser = await launchBrowser()));

it('each widget is one file of less than 500 kB that names no other, and evaluates no text', async () => {
  for (const name of ['run', 'page', 'records', 'recipes']) {
    const html = await readWidget(name);
    expect(Buffer.byteLength(html)).toBeLessThan(500_000);
    const style = /<style[^>]*>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
    expect(style.length).toBeGreaterThan(1_000);
    expect(/<(?:script|link|img|iframe)[^>]*\s(?:src|href)=/.test(html)).toBe(false);
    expect(/@import|url\(/.test(style)).toBe(false);
    expect(/\beval\(/.test(html)).toBe(false);
    expect(html.match(/<script/g)).toHaveLength(1);
  }
});

describe.each(['apps', 'openai'] as const)('in a host of %s', (kind) => {
  const { bench, open } = useBench(() => browser, kind);

  async function startCrawl(options: OpenOptions = {}) {
    const shown = await open(options);
    await shown.sendInput({ url: URL_OF_DOCS });
    const result = await bench().call('crawl', { url: URL_OF_DOCS });
    const { structuredContent: receipt } = result;
    expect(receipt).toMatchObject({ run_id: expect.stringMatching(/^run_/), progress: expect.any(Object) });
    const { run_id: runId } = receipt as { run_id: string };
    expect(result.content).toEqual([{ type: 'text', text: expect.stringContaining(runId) }]);
    await shown.sendResult(result);
    return { shown, result, runId, frame: shown.frame, page: shown.page };
  }
  const range = ({ frame }: Pick<OpenWidget, 'frame'>, text: string): Promise<void> =>
    frame.getByText(text, { exact: true }).waitFor();
  const focused = ({ frame }: OpenWidget): Promise<string> =>
    frame.evaluate(() => {
      const { activeElement } = document;
      return (activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '').trim();
    });
  const statusOf = async (run_id: string): Promise<unknown> =>
    (await bench().server.call('run_status', { run_id })).raw.structuredContent?.['status'];
  const announced = ({ frame }: OpenWidget): Promise<string | null> =>
    frame.locator('.card > [role=status]').textContent();

  it('shows a run from its start to its last page, by keyboard alone', async () => {
    const script = bench().script();
    const { shown, result, frame, page } = await startCrawl();
    await range(shown, 'Running');
    script.read(pageItems(0, 6), 18);
    const bar = frame.getByRole('progressbar');
    await expect.poll(() => bar.getAttribute('aria-valuenow')).toBe('25');
    expect(await bar.getAttribute('aria-valuetext')).toBe('6 of 24');
    await range(shown, '1–6 of 6');

    script.read(
      [...pageItems(6, 17), pageItem(23, { status: 404, error: { code: 'http_status', message: 'Gone.' } })],
      0,
      1,
    );
    script.end();
    await range(shown, 'Completed');
    await range(shown, '1–10 of 24');
    await expect.poll(() => frame.getByRole('progressbar').count()).toBe(0);
    await expect.poll(() => announced(shown)).toBe('Crawl: Completed');

    // Enter the rows, move down to the second, and open it.
    await page.locator('iframe').focus();
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(shown)).toBe('Getting started');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(shown)).toBe('Configuration');
    await page.keyboard.press('Enter');
    expect(await frame.getByRole('region', { name: 'Item 2' }).textContent()).toContain('the last one wins');
    expect(await axeIn(frame)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(() => frame.getByRole('region', { name: 'Item 2' }).count()).toBe(0);

    // By the pager, which keeps the focus at the end.
    const next = frame.getByRole('button', { name: 'Next' });
    await next.focus();
    await page.keyboard.press('Enter');
    await range(shown, '11–20 of 24');
    await expect.poll(() => announced(shown)).toBe('Items 11–20 of 24');
    await page.keyboard.press('Enter');
    await range(shown, '21–24 of 24');
    await expect.poll(() => focused(shown)).toBe('Next');
    await expect.poll(() => next.getAttribute('aria-disabled')).toBe('true');
    await expect.poll(() => frame.getByText('Gone.').count()).toBe(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => frame.getByText('21–24 of 24', { exact: true }).count()).toBe(1);
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => focused(shown)).toBe('Previous');
    await page.keyboard.press('Space');
    await range(shown, '11–20 of 24');
    if (kind === 'apps') return;
    // Such a host keeps the place, and the widget finds it again.
    const state = async () => (await shown.report()).states.at(-1);
    await expect.poll(state).toEqual({ trail: [0, 10] });
    const again = await open({ widgetState: await state() });
    await again.sendResult(result);
    await range(again, '11–20 of 24');
  });

  /** Repeated if it missed: just after a host has resized a frame, Chromium may press the page around it. */
  const openByPointer = (button: Locator): Promise<void> =>
    expect
      .poll(async () => {
        if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
        return button.getAttribute('aria-expanded');
      })
      .toBe('true');

  it('shows what pages say as text, opens links through the host alone, and tells it how high it is', async () => {
    const script = bench().script();
    const hostile = '<img src="https://evil.example/x.png" onerror="parent.postMessage(1)">';
    script.read(
      [
        pageItem(0, { title: hostile, markdown: `${hostile} </script><script>alert(1)</script>` }),
        pageItem(1, { links: ['javascript:alert(1)', 'https://docs.example.org/safe'] }),
      ],
      0,
    );
    const { shown, frame } = await startCrawl();
    script.end();
    await openByPointer(frame.getByRole('button', { name: hostile }));
    expect(await frame.locator('img, script:not([type=module], :first-child)').count()).toBe(0);
    await openByPointer(frame.getByRole('button', { name: 'Configuration' }));
    const detail = frame.getByRole('region', { name: 'Item 2' });
    expect(await detail.getByText('javascript:alert(1)').evaluate(({ tagName }) => tagName)).not.toBe('A');
    await detail.getByRole('link', { name: 'docs.example.org/safe' }).press('Enter');
    await expect.poll(async () => (await shown.report()).links).toEqual(['https://docs.example.org/safe']);
    expect(shown.page.context().pages()).toHaveLength(1);
    const height = (): Promise<number> =>
      frame.evaluate(() => Math.ceil(document.querySelector('main')?.getBoundingClientRect().height ?? 0));
    await expect
      .poll(async () => [(await shown.report()).heights.at(-1), await height()])
      .toSatisfy(([told, real]) => told === real);
  });

  // The kind of host does not matter here.
  if (kind === 'openai') return;

  it('cancels the run after a question, by keyboard', async () => {
    const script = bench().script();
    const { shown, runId, frame, page } = await startCrawl();
    script.read(pageItems(0, 3), 5);
    await range(shown, '1–3 of 3');
    const cancel = frame.getByRole('button', { name: 'Cancel', exact: true });
    await cancel.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(shown)).toBe('Keep running');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(shown)).toBe('Cancel');
    await expect.poll(() => frame.getByRole('alertdialog').count()).toBe(0);
    expect(await statusOf(runId)).toBe('running');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(shown)).toBe('Keep running');
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(shown)).toBe('Cancel the run');
    script.read(pageItems(3, 1), 5);
    await range(shown, '1–4 of 4');
    expect(await focused(shown)).toBe('Cancel the run');
    await page.keyboard.press('Enter');
    await range(shown, 'Cancelled');
    await expect.poll(() => cancel.count()).toBe(0);
    await expect.poll(() => focused(shown)).toBe('Crawl');
    await range(shown, '1–4 of 4');
    expect(await statusOf(runId)).toBe('cancelled');
  });

  it('stops polling while hidden, and continues when visible', async () => {
    const script = bench().script();
    script.read(pageItems(0, 1), 3);
    const { shown, frame, page } = await startCrawl();
    await range(shown, '1–1 of 1');
    const move = (marginPx: number): Promise<void> =>
      page.evaluate((px) => {
        document.body.style.marginTop = `${px}px`;
      }, marginPx);
    const { hosts } = bench();
    const { callTool } = hosts;
    let calls = 0;
    hosts.callTool = async (...given) => {
      calls += 1;
      return callTool?.(...given);
    };
    onTestFinished(() => void (hosts.callTool = callTool));
    // From here on the test controls the page's time; a poll that has begun since then sets its timer in it.
    await page.clock.install();
    calls = 0;
    await expect.poll(() => calls).toBeGreaterThan(0);
    await move(5_000);
    await frame.getByText('Updates paused').waitFor();
    const before = calls;
    script.read(pageItems(1, 1), 2);
    await page.clock.fastForward('10:00');
    // A poll would have reached the host's server before this request.
    await page.evaluate(async () => void (await fetch(location.href)));
    expect(calls).toBe(before);
    await move(0);
    await range(shown, '1–2 of 2');
    await range(shown, 'Running');
  });
});
