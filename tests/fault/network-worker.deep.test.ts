import { afterAll, beforeAll, expect, it } from 'vitest';
import { CaptureRig } from '../e2e/worker/capture-rig.ts';
import { LIMITS } from '../../shared/limits.ts';

/** Of some 20 kilobytes of events each, mostly of their addresses: more than may wait for a reader. */
const REQUESTS = 900;
const PAD = 4_000;

let rig: CaptureRig;

beforeAll(async () => {
  rig = await CaptureRig.start();
});
afterAll(() => rig.close());

it('a capture asked for while the new worker still cleans up is a whole one', async () => {
  const tabId = await rig.newTab();
  await rig.capture(tabId);
  const before = rig.host.ports.length;
  await rig.killWorker();
  rig.port = await rig.host.port(before + 1);
  rig.port.open(1);
  const capture = await rig.capture(tabId);
  expect(await capture.stop()).toMatchObject({ source: 'debugger' });
  expect(await rig.isAttached(tabId)).toBe(false);
});

it('a reader that stops reading costs lines, which are counted; neither the page nor the memory', async () => {
  const tabId = await rig.newTab();
  const beforeBytes = await rig.workerHeapBytes();
  // Events alone overflow what may wait: bodies are taken only where there is room.
  const capture = await rig.capture(tabId, { isDeaf: true, window: 64 * 1024, bodies: 'none' });
  await rig.visit(tabId, `/network/bulk.html?requests=${REQUESTS}&bytes=1&pad=${PAD}`);
  await rig.titled(tabId, (title) => title.startsWith('Bulk: '));
  const grownBytes = (await rig.workerHeapBytes()) - beforeBytes;
  expect(grownBytes).toBeLessThan(2 * LIMITS.networkQueueBytes);
  capture.listen();
  await capture.mark(1);
  const { lost_lines: lostLines } = await capture.stop();
  const reportedLost = capture.of('lost').reduce((sum, { lines }) => sum + lines, 0);
  expect(lostLines).toBeGreaterThan(0);
  expect(reportedLost).toBe(lostLines);
  // The newest are there.
  expect(capture.exchanges().some(({ url }) => url.endsWith(`x${REQUESTS - 1}`))).toBe(true);
  expect((await capture.stream).sealed).toBe(true);
});
