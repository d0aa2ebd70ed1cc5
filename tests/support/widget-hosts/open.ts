import { chromium, type Browser, type Frame, type Page } from 'playwright';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { QUIET_PLAYWRIGHT } from '../../../scripts/lib/chromium-switches.ts';
import { executable } from '../browser.ts';
import { atEndOfFile } from '../end-of-file.ts';
import type { HostReport, HostSettings } from './host-page.ts';
import type { WidgetServer } from './serve.ts';
import axe from 'axe-core';

/** A browser without Spillway's extension: hosts have none. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: await executable(), args: [...QUIET_PLAYWRIGHT] });
  atEndOfFile(() => browser.close());
  return browser;
}

export interface OpenWidget {
  readonly page: Page;
  readonly frame: Frame;
  /** Addresses that the widget's frame requested, except its own. */
  readonly requests: readonly string[];
  readonly complaints: readonly string[];
  report(): Promise<HostReport>;
  sendInput(args: Record<string, unknown>): Promise<void>;
  sendResult(result: CallToolResult): Promise<void>;
  close(): Promise<void>;
}

export interface OpenOptions extends Partial<HostSettings> {
  readonly widthPx?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly browserLocale?: string;
}

const LONGEST_WAIT_MS = 60_000;

/** Opens a host page and waits until its widget has reported itself. */
export async function openWidget(
  browser: Browser,
  server: WidgetServer,
  options: OpenOptions = {},
): Promise<OpenWidget> {
  const { widthPx = 720, colorScheme = 'light', browserLocale = 'en-US', ...rest } = options;
  const settings: HostSettings = {
    theme: 'light',
    locale: null,
    tool: 'crawl',
    canCallTools: true,
    widgetState: null,
    ...rest,
  };
  const context = await browser.newContext({
    viewport: { width: widthPx, height: 1_500 },
    colorScheme,
    // Spinners of active runs would take more time than everything else.
    reducedMotion: 'reduce',
    locale: browserLocale,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(LONGEST_WAIT_MS);
  const requests: string[] = [];
  const complaints: string[] = [];
  // An `eval` that the policy blocks throws, and is caught where it was tried: the console is silent.
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`The policy refused ${blockedURI} (${violatedDirective}).`),
    );
  });
  page.on('request', (request) => {
    const isOwn = new URL(request.url()).pathname === '/widget';
    if (request.frame() !== page.mainFrame() && !isOwn) requests.push(request.url());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // Failed calls of the host are the test's own doing.
    const isOfCall = message.location().url.endsWith('/call');
    if (!isOfCall && ['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  await page.goto(`${server.url}?${new URLSearchParams({ settings: JSON.stringify(settings) }).toString()}`);
  await page.waitForFunction(() => window.host?.report.isReady === true);
  const frame = page.frames().find((candidate) => candidate.parentFrame() === page.mainFrame());
  if (frame === undefined) throw new Error('The host page shows no widget.');
  return {
    page,
    frame,
    requests,
    complaints,
    report: () =>
      page.evaluate(() => window.host?.report ?? { isReady: false, links: [], heights: [], states: [] }),
    sendInput: (args) => page.evaluate(async (given) => window.host?.sendInput(given), args),
    sendResult: (result) => page.evaluate(async (given) => window.host?.sendResult(given), result),
    close: () => context.close(),
  };
}

export async function axeIn(frame: Frame): Promise<readonly string[]> {
  await frame.evaluate(axe.source);
  return frame.evaluate(async () => {
    const { violations } = await (
      window as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      }
    ).axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  });
}
