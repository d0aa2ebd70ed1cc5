import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApprovalRig } from '../approvals/rig.ts';
import type { CdpTarget } from '../worker/cdp-target.ts';
import type { Frame } from '../worker/test-host.ts';

/* A person copies outputs that are long in coming or too large. The server that has them is the test. */

const MIB = 1024 * 1024;
const SLOW = 'oh_ABCDEFGH2345';
const LARGE = 'oh_BCDEFGHI2345';
const SIZES: Readonly<Record<string, number>> = { [SLOW]: 2 * MIB, [LARGE]: 16 * MIB + 1 };
const PAGE = 64 * 1024;
/** Where the slow one has nothing more to give for now. */
const STOP = 3 * PAGE;

let rig: ApprovalRig;
let panel: CdpTarget;
let isHeld = true;
const asked: number[] = [];

const output = ([handle, size]: readonly [string, number]) => ({
  handle,
  source_tool: 'fetch',
  mime_type: 'text/plain',
  kind: 'text',
  size_bytes: size,
  item_count: null,
  created_at_ms: Date.now(),
  expires_at_ms: Date.now() + 3_600_000,
});

function page({ handle, offset = 0 }: { readonly handle: string; readonly offset?: number }): object {
  const total = SIZES[handle] ?? 0;
  const end = Math.min(offset + PAGE, total);
  return {
    unit: 'bytes',
    text: 'x'.repeat(end - offset),
    offset,
    next_offset: end < total ? end : null,
    total,
    mime_type: 'text/plain',
  };
}

function answer({ channel, message }: Frame): void {
  const { method, id, params } = message;
  const send = (result: object): void => void rig.port.send(channel, { jsonrpc: '2.0', id, result });
  if (method === 'feed.next' && (params as { cursor: unknown }).cursor === null)
    send({ home: 'home', cursor: { seq: 0, lines: 0 }, events: [] });
  if (method === 'runs.list') send({ runs: [], total: 0, next_offset: null });
  if (method === 'journal.page') send({ lines: [], next: null });
  if (method === 'outputs.list') send({ outputs: Object.entries(SIZES).map(output), total: 2, next: null });
  if (method !== 'outputs.page') return;
  const wanted = params as { readonly handle: string; readonly offset?: number };
  asked.push(wanted.offset ?? 0);
  if (isHeld && wanted.handle === SLOW && (wanted.offset ?? 0) >= STOP) return;
  send(page(wanted));
}

const text = (selector: string): Promise<string | null> =>
  panel.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? null`);
const status = (): Promise<string> =>
  panel.evaluate(
    `[...document.querySelectorAll('.output-actions .quiet[role=status]')].map((one) => one.textContent).join('')`,
  );
/** The first without an icon; its words change. */
const COPY = '.output-actions button.small';
const open = async (handle: string): Promise<void> => {
  await panel.evaluate(
    `[...document.querySelectorAll('.row.two')].find((row) => row.textContent.includes('${handle}')).click()`,
  );
  await expect.poll(() => text(COPY)).toBe('Copy all');
};

beforeAll(async () => {
  rig = await ApprovalRig.start();
  await rig.ask();
  rig.port.on(answer);
  panel = await rig.openPanel();
});
afterAll(() => rig.close());

it('says how much is copied when that takes a while, and can be cancelled', async () => {
  await expect.poll(() => text('#tab-outputs')).toMatch(/^Outputs/);
  await panel.click('#tab-outputs');
  await expect.poll(() => panel.evaluate(`document.querySelectorAll('.row.two').length`)).toBe(2);
  await open(SLOW);
  await panel.click(COPY);
  await expect.poll(() => text(COPY)).toBe('Cancel');
  await expect.poll(status).toBe('Copying: 197 kB of 2.1 MB');
  expect(await panel.evaluate(`document.querySelector('.output-actions progress').value`)).toBe(STOP);
  await panel.click(COPY);
  isHeld = false;
  await expect.poll(() => text(COPY)).toBe('Copy all');
  expect(await status()).toBe('');
});

it('copies to its end what is not held up', async () => {
  await panel.click(COPY);
  await expect.poll(status).toBe('Copied 2.1 MB');
});

it('says of an output that is too large that it is to be exported', async () => {
  await panel.click('.opened .title button');
  await open(LARGE);
  asked.length = 0;
  await panel.click(COPY);
  await expect.poll(status).toMatch(/^It is larger than .+\. Export it instead\.$/);
  expect(asked).toEqual([0]);
});
