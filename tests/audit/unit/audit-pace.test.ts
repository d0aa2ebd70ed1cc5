import { expect, it, onTestFinished, vi } from 'vitest';
import { Pace } from '../../../extension/audit/page/pace.ts';

it('an audit skips what it has no time for, slow rules first, and names those rules', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('scheduler', { postTask: async (task: () => void) => task() });
  vi.stubGlobal('document', { querySelectorAll: () => [] });
  const rules = ['color-contrast', 'label'].map((id) => ({
    id,
    run: (_context: null, _options: null, resolve: (result: string) => void) => resolve(id),
    runChecks: () => undefined,
  }));
  const pace = new Pace(rules);
  let left = 1;
  pace.start(60_000, () => left-- > 0);
  const results = rules.map(({ run }) => new Promise((resolve) => run(null, null, resolve)));
  expect(await Promise.all(results)).toEqual(['label', null]);
  expect(pace.skipped).toEqual(['color-contrast']);
});
