import axe from 'axe-core';
import { expect } from 'vitest';
import { sample } from '../../support/depth.ts';

const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const VIOLATIONS = `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
  nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`;

/** Nothing of a page overflows, and axe finds nothing in it. The page lets in no script: the debugger evaluates. */
export async function expectFits(
  page: { evaluate: <T>(expression: string) => Promise<T> },
  what: string,
): Promise<void> {
  expect(await page.evaluate<number>(OVERFLOW), what).toBe(0);
  await page.evaluate<unknown>(`${axe.source}; null`);
  expect(await page.evaluate<readonly string[]>(VIOLATIONS), what).toEqual([]);
}

/** The part of Playwright's page that these tests use. */
interface Shown {
  evaluate<T>(expression: string): Promise<T>;
  setViewportSize(size: { readonly width: number; readonly height: number }): Promise<void>;
  emulateMedia(media: { readonly colorScheme: 'light' | 'dark' }): Promise<void>;
}

/** It is accessible and fits, in both themes and from the narrowest window on; in the gate in one of the four. */
export async function expectGoodLooks(page: Shown, widths: readonly number[] = [320, 440]): Promise<void> {
  const looks = widths.flatMap((width) => (['dark', 'light'] as const).map((theme) => ({ width, theme })));
  for (const { width, theme } of sample(looks, looks.length)) {
    await page.setViewportSize({ width, height: 640 });
    await page.emulateMedia({ colorScheme: theme });
    await expectFits(page, `${width} ${theme}`);
  }
}
