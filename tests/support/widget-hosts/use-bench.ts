import type { Browser } from 'playwright';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { MemoryServer } from '../memory-client.ts';
import { startBench, type WidgetBench } from './bench.ts';
import type { OpenOptions, OpenWidget } from './open.ts';
import type { HostKind } from './serve.ts';

/**
 * A bench for the tests of a block. After each test its widgets are closed: none may have requested anything or logged
 * an error.
 */
export function useBench(
  browser: () => Browser,
  kind: HostKind,
  parts: Parameters<typeof startBench>[2] = {},
  setUp: (server: MemoryServer) => Promise<void> = () => Promise.resolve(),
) {
  let bench: WidgetBench;
  const opened: OpenWidget[] = [];
  beforeAll(async () => {
    bench = await startBench(kind, browser(), parts);
    await setUp(bench.server);
  });
  afterEach(async () => {
    const faults = opened.flatMap(({ requests, complaints }) => [...requests, ...complaints]);
    for (const widget of opened.splice(0)) await widget.close();
    // An active run would take the slot of the next.
    const runs = await bench.server.runs();
    for (const { run_id } of (await runs.list({ count: 100, status: 'running' })).runs)
      await runs.cancel(run_id, 'the test');
    expect(faults).toEqual([]);
  });
  afterAll(() => bench.close());
  return {
    bench: () => bench,
    open: async (options?: OpenOptions): Promise<OpenWidget> => {
      const widget = await bench.open(options);
      opened.push(widget);
      return widget;
    },
  };
}
