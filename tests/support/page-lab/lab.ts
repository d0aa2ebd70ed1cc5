import { afterAll } from 'vitest';
import type { PageFunctions } from './page-bundle.ts';
import { PAGE_BUNDLE, startLab, type Functions, type Lab } from './start-lab.ts';

/**
 * Opens a lab and closes its page after the tests of a file: cases of a file share the page, and hundreds of
 * them cost a few seconds.
 *
 * @param entry the module to bundle; see {@link startLab}
 */
export async function openLab<F extends Functions>(entry: string): Promise<Lab<F>> {
  const lab = await startLab<F>(entry);
  afterAll(() => lab.page.close());
  return lab;
}

export const openPageLab = (): Promise<Lab<PageFunctions>> => openLab<PageFunctions>(PAGE_BUNDLE);
