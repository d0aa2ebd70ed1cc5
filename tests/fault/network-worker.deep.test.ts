import { afterAll, beforeAll, expect, it } from 'vitest';
import { CaptureRig } from '../e2e/worker/capture-rig.ts';
import { LIMITS } from '../../shared/limits.ts';

/* The extension's worker or its host is killed while it captures, or its reader stops reading. */

/** Of some 20 kilobytes of events each, mostly of their addresses: more than may wait for a reader. */
const REQUESTS = 900;
const PAD = 4_000;

let rig: CaptureRig;

beforeAll(async () => {
  rig = await CaptureRig.start();
});
afterAll(() => rig.close());

it('a killed worker leaves no attachment and no page that waits, and the next capture works', async () => {
  const tabId = await rig.newTab();
  const capture = await rig.capture(tabId);
  await rig.visit(tabId, '/network/bulk.html?requests=300');
  const { port } = rig;
  await rig.killWorker();
  await port.closed;
  await expect(capture.result).rejects.toThrow('The port closed.');
  rig.port = await rig.host.port(2);
  rig.port.open(1);
  await expect.poll(() => rig.isAttached(tabId)).toBe(false);
  // Workers of a page begin stopped where a debugger asks for it: these must not wait for a detached one.
  await rig.visit(tabId, '/network/', 'Network: done');
  const next = await rig.capture(tabId);
  await rig.visit(tabId, '/network/', 'Network: done');
  await next.mark(1);
  expect(next.exchange('text?by=cross-frame-worker').body?.data).toBe('by cross-frame-worker');
  expect(await next.stop()).toMatchObject({ ended: 'stopped', lost_lines: 0 });
  expect(await rig.isAttached(tabId)).toBe(false);
});

it('a host that is killed ends the capture, and the tab is let go', async () => {
  const tabId = await rig.newTab();
  await rig.capture(tabId);
  const before = rig.host.ports.length;
  rig.port.kill('SIGKILL');
  rig.port = await rig.host.port(before + 1);
  rig.port.open(1);
  await expect.poll(() => rig.isAttached(tabId)).toBe(false);
});

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
