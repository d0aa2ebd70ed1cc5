import { describe, expect, it } from 'vitest';
import { listOf, request, setUp, waiting } from './support.ts';

describe('a run', () => {
  it('commits items and state together, and is read page by page and whole', async () => {
    const { runs, store } = await setUp({
      work: async (_args, scope) => {
        for (let page = 0; page < 5; page += 1) {
          const seen = scope.state.get(['seen']) ?? 0;
          await scope.commit({
            items: [{ page, seen }],
            change: (change) => {
              change.put(['seen'], page + 1);
              change.put(['frontier', page, 'https://example.org'], { depth: page });
            },
          });
          scope.progress({ done: page + 1, queued: 4 - page, failed: 0 });
        }
        return { state: { pages: 5 }, coverage: ['one page was closed'] };
      },
    });
    const { run_id } = await runs.start(request({ url: 'https://example.org' }));
    expect(run_id).toMatch(/^run_[A-Z2-7]{12}$/);
    const result = await runs.wait(run_id, waiting());
    const items = [0, 1, 2, 3, 4].map((page) => ({ page, seen: page }));
    expect(await listOf(result?.items() ?? (async function* () {})())).toEqual(items);
    expect(result?.outcome).toEqual({ state: { pages: 5 }, coverage: ['one page was closed'] });
    expect(result?.view).toMatchObject({
      status: 'completed',
      items: 5,
      progress: { done: 5, queued: 0, failed: 0 },
      error: null,
    });
    const page = await runs.page({ runId: run_id, offset: 1, limit: 2 });
    expect(page).toEqual({
      run_id,
      status: 'completed',
      output_handle: result?.view.output_handle,
      offset: 1,
      limit: 2,
      returned: 2,
      total: 5,
      next_offset: 3,
      content: items.slice(1, 3),
      eof: false,
    });
    const output = await store.open(result?.view.output_handle ?? '');
    const stored = (await output.read(0, output.meta.size_bytes)).toString();
    expect(stored).toBe(`[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`);
    expect(result?.view.size_bytes).toBe(output.meta.size_bytes);
    await output.close();
  });
});
