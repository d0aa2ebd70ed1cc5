import { beforeAll, expect, it } from 'vitest';
import { CaptureRig } from '../../support/worker/capture-rig.ts';

let rig: CaptureRig;

beforeAll(async () => {
  rig = await CaptureRig.start();
});

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
