import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright';
import { auditWidget } from '../support/widget-hosts/audit.ts';
import { axeIn } from '../support/widget-hosts/axe.ts';
import { startBench, type WidgetBench } from '../support/widget-hosts/bench.ts';
import { launchBrowser, type OpenOptions, type OpenWidget } from '../support/widget-hosts/open.ts';
import { saveRecipes } from '../support/widget-hosts/sample-recipes.ts';

/* The widget of recipes, with the whole server behind it. */
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe.each(['apps', 'openai'] as const)('in a host of %s', (kind) => {
  let bench: WidgetBench;
  let shown: OpenWidget;
  beforeAll(async () => {
    bench = await startBench(kind, browser, { tool: 'recipe_search' });
    await saveRecipes(bench.server);
  });
  afterEach(async () => {
    const { requests, complaints } = shown;
    await shown.close();
    expect([...requests, ...complaints]).toEqual([]);
  });
  afterAll(() => bench.close());

  async function show(
    tool: 'recipe_search' | 'recipe_get',
    args: Record<string, unknown> = {},
    options: OpenOptions = {},
  ): Promise<OpenWidget> {
    shown = await bench.open({ tool, ...options });
    await shown.sendInput(args);
    await shown.sendResult(await bench.call(tool, args));
    return shown;
  }

  it('shows cards, searches them, and opens one with the keyboard', async () => {
    const { frame } = await show('recipe_search', { query: 'order the same' });
    await frame.getByRole('heading', { name: 'Recipes' }).waitFor();
    await frame.getByRole('button', { name: 'Order the same again' }).waitFor();
    const field = frame.getByRole('searchbox');
    await field.fill('report of the week');
    await field.press('Enter');
    const report = frame.getByRole('button', { name: 'Download the weekly report' });
    await report.waitFor();
    await field.fill('');
    await frame.getByRole('button', { name: 'Search', exact: true }).press('Enter');
    await frame.getByText('3 recipes', { exact: true }).waitFor();
    const order = frame.getByRole('button', { name: 'Order the same again' });
    await order.press('Enter');
    const details = frame.getByRole('region', { name: 'Order the same again' });
    await details.getByText('Address of the shop').waitFor();
    expect(await details.getByRole('listitem').filter({ hasText: 'required' }).count()).toBe(1);
    expect(await details.locator('.c-steps').first().innerText()).toMatch(
      /navigate[^]*read_page[^]*continues after a failure[^]*If steps\.look\.text contains Accept cookies[^]*else nothing[^]*interact/,
    );
    expect(await auditWidget(frame)).toEqual([]);
    await order.press('Enter');
    await details.waitFor({ state: 'detached' });
  });

  it('says that nothing fits, and what went wrong', async () => {
    const { frame } = await show('recipe_search');
    const field = frame.getByRole('searchbox');
    await field.fill('zzzz');
    await field.press('Enter');
    await frame.getByText('No recipe fits “zzzz”.').waitFor();
    const { callTool } = bench.hosts;
    bench.hosts.callTool = null;
    await field.fill('order');
    await field.press('Enter');
    await frame.getByRole('alert').getByText('did not reach Spillway').waitFor();
    bench.hosts.callTool = callTool;
    await frame.getByRole('button', { name: 'Try again' }).press('Enter');
    await frame.getByRole('button', { name: 'Order the same again' }).waitFor();
    expect(await frame.getByRole('alert').count()).toBe(0);
  });

  it('shows all of a recipe, whatever the model is given', async () => {
    const { frame } = await show('recipe_get', { name: 'order_again' });
    await frame.getByRole('heading', { name: 'Order the same again' }).waitFor();
    await frame.locator('.c-steps').first().getByText('navigate').waitFor();
    await frame.getByText('Answers').waitFor();
    expect(
      await frame.getByText('Order the same again', { exact: true }).filter({ visible: true }).count(),
    ).toBe(1);
    expect(await auditWidget(frame)).toEqual([]);
  });

  it('shows what it has where the host calls no tools', async () => {
    const { frame } = await show('recipe_search', {}, { canCallTools: false });
    await frame.getByText('3 recipes', { exact: true }).waitFor();
    expect(await frame.getByRole('searchbox').count()).toBe(0);
    expect(await frame.getByRole('button').count()).toBe(0);
  });

  it.each([320, 1_200])('has nothing that axe finds, at %d pixels', async (widthPx) => {
    for (const theme of ['light', 'dark'] as const)
      for (const locale of ['en', 'zh-CN']) {
        await shown.close();
        const { frame } = await show('recipe_search', {}, { theme, locale, widthPx });
        await frame.locator('.c-opener').nth(1).press('Enter');
        await frame.locator('.c-steps').first().waitFor();
        expect(await axeIn(frame), `${theme} ${locale}`).toEqual([]);
        const overflow = await frame.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(overflow).toBe(0);
      }
  });
});
