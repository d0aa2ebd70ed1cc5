import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { Produced } from '../../../server/core/result.ts';
import { spool } from '../../../server/evidence/capture.ts';
import type { Manifest } from '../../../server/evidence/manifest.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { checked } from './bundles.ts';
import { bytesOf, rig } from './rig.ts';
import { temporaryHome } from '../../support/home.ts';
import { PATIENCE } from '../../support/patience.ts';

const ASKS = new SpillwayError('approval_required', 'It asks.', { questionId: 'b1:q_1' });
const ORDER = [
  ...['screenshot', 'html', 'snapshot', 'markdown', 'facts', 'performance', 'storage', 'cookies'],
  ...['mhtml', 'console', 'network', 'full_page'],
] as const;

async function manifestOf(produced: Produced): Promise<Manifest> {
  const { manifest, problems } = await checked(await bytesOf(produced));
  expect(problems).toEqual([]);
  if (manifest === null) throw new Error('There is no manifest.');
  return manifest;
}

it('a bundle holds every part in the documented order, and leaves nothing behind', async () => {
  const { run, finish, progress, tab } = await rig();
  tab.isCaptured = true;
  const produced = await run();
  const manifest = await manifestOf(produced);
  expect(manifest.parts.map(({ part }) => part)).toEqual(ORDER);
  expect(manifest.failed).toEqual([]);
  const notes = Object.fromEntries(manifest.parts.map((one) => [one.part, one.notes.join()]));
  expect(notes['screenshot']).toContain('cut: the rest');
  expect(notes['console']).toBe('2 messages from while a person had the tab are left out.');
  expect(progress).toEqual(ORDER);
  const times = manifest.parts.map((part) => part.captured_at);
  expect(times.toSorted()).toEqual(times);
  expect(await finish()).toEqual([]);
  const { state, coverage } = produced.outcome();
  expect(state).toMatchObject({
    tab: 'b1:42',
    parts: ORDER,
    archive_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(coverage[0]).toBe(`SHA-256 of the archive: ${String(state['archive_sha256'])}.`);
});

it('a bundle counts what was redacted, part by part and in all', async () => {
  const { run, tab } = await rig();
  tab.text = `token: ghp_${'a1B2c3D4'.repeat(5)}\n`;
  const manifest = await manifestOf(await run({ include: ['markdown', 'snapshot', 'screenshot'] }));
  expect(manifest.parts.map(({ redacted }) => redacted?.secrets)).toEqual([
    undefined,
    { 'github-token': 1 },
    { 'github-token': 1 },
  ]);
  expect(manifest.redaction).toMatchObject({
    enabled: true,
    secrets: { 'github-token': 2 },
    not_redacted: ['screenshot.png'],
  });
});

it('a part that fails is listed with code, message and next step, and the others stay', async () => {
  const { run, tab, finish } = await rig();
  const secret = `ghp_${'a1B2c3D4'.repeat(5)}`;
  tab.failures.set('page.screenshot', new SpillwayError('debugger_cancelled', `Tab 42 said ${secret}.`));
  tab.failures.set('page.mhtml', new SpillwayError('part_too_large', 'Too large.'));
  const manifest = await manifestOf(await run());
  expect(manifest.failed).toMatchObject([
    { part: 'screenshot', code: 'debugger_cancelled', message: 'Tab b1:42 said «redacted:github-token».' },
    { part: 'mhtml', code: 'part_too_large', hint: expect.stringContaining('include') },
    { part: 'network', code: 'capture_not_running', hint: expect.stringContaining('reload: true') },
    { part: 'full_page', code: 'debugger_cancelled' },
  ]);
  expect(manifest.parts).toHaveLength(8);
  expect(await finish()).toEqual([]);
});

it('a part that never ends is given up at its deadline', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { run, tab } = await rig();
  tab.hangs.add('page.mhtml');
  const running = run({ include: ['markdown', 'mhtml', 'full_page'] });
  await vi.waitFor(() => expect(tab.calls).toContain('page.mhtml'), PATIENCE);
  await vi.advanceTimersByTimeAsync(LIMITS.evidencePartMs);
  const manifest = await manifestOf(await running);
  expect(manifest.parts.map(({ part }) => part)).toEqual(['markdown', 'full_page']);
  expect(manifest.failed).toMatchObject([{ part: 'mhtml', code: 'timeout' }]);
});

it('a call that is cancelled while a part is read ends with it', async () => {
  const { run, tab, finish } = await rig();
  tab.hangs.add('page.read');
  const controller = new AbortController();
  const ended = expect(run({ signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' });
  await vi.waitFor(() => expect(tab.calls).toContain('page.read'), PATIENCE);
  controller.abort(new SpillwayError('cancelled', 'The client left.'));
  await ended;
  expect(await finish()).toEqual([]);
});

it('inline answers the manifest beyond the limit, and says to ask for a handle', async () => {
  const { run } = await rig();
  const produced = await run({ mode: 'inline', limitBytes: 500 });
  if (!('clean' in produced)) throw new Error('It is redacted part by part.');
  const { clean: payload, outcome, redacted } = produced;
  if (payload.kind !== 'json') throw new Error(`It is ${payload.kind}.`);
  expect(payload.value).toMatchObject({ format: 'spillway-evidence-bundle', format_version: 1 });
  expect(outcome().coverage[0]).toMatch(/more than 500 bytes: .*output_mode "handle"/);
  expect(redacted).toBeDefined();
});

it('reload starts the capture first, and ends it when the slice was taken', async () => {
  const { run, tab } = await rig();
  tab.failures.set('page.mhtml', ASKS);
  const before = Date.now();
  const manifest = await manifestOf(await run({ reload: true, include: ['network', 'markdown', 'mhtml'] }));
  expect(tab.calls.join()).toMatch(
    /^tabs\.get,network\.start all,page\.navigate [^,]+,tabs\.get,page\.read,page\.mhtml,network\.entries \d{4}-[^,]+,network\.stop$/,
  );
  expect(Date.parse(manifest.reload?.at ?? '')).toBeGreaterThanOrEqual(before);
  expect(manifest.failed).toMatchObject([{ part: 'mhtml', hint: expect.stringContaining('without reload') }]);
  expect(manifest.reload).toMatchObject({ status: 200, redirects: 1, error: null });
});

it.each([
  ['network.start', true, 'network.start all'],
  ['page.navigate', true, 'network.stop'],
  ['page.mhtml', false, 'page.mhtml'],
])('a question to a person about %s makes the call wait', async (method, reload, last) => {
  const { run, tab } = await rig();
  tab.failures.set(method, ASKS);
  await expect(run({ reload })).rejects.toMatchObject({ questionId: 'b1:q_1' });
  expect(tab.calls.at(-1)).toBe(last);
});

it('a part beyond its limit is refused, and its file is removed', async () => {
  const path = join(await temporaryHome(), 'part');
  async function* endless(): AsyncGenerator<Buffer> {
    for (;;) yield Buffer.alloc(1_000);
  }
  const { signal } = new AbortController();
  await expect(spool(endless(), { path, maxBytes: 10_000, signal })).rejects.toMatchObject({
    code: 'part_too_large',
  });
  expect(existsSync(path)).toBe(false);
});
