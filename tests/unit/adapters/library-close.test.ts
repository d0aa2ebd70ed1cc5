import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Gate } from '../../../server/core/calls/gate.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import type { JournalEntry } from '../../../server/core/services.ts';
import { assembleSpillway } from '../../../server/library/spillway.ts';
import { deferred } from '../../../shared/async/deferred.ts';
import { FakeBridge } from '../../support/fake-bridge.ts';
import { endlessText, PAGE } from '../../support/local-spillway.ts';
import { testTools } from '../../support/test-tool.ts';
import { temporaryHome } from '../../support/home.ts';

// What `close` leaves behind, and what may follow it.

async function journalOf(home: string): Promise<readonly JournalEntry[]> {
  const folder = join(home, 'journal');
  const lines = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
  );
  return lines
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JournalEntry);
}

test('what close cancels has ended and is journalled when it resolves, and nothing is written after it', async () => {
  const home = await temporaryHome();
  const reading = deferred<void>();
  const bridge = new FakeBridge();
  const content: typeof endlessText = async function* () {
    reading.resolve();
    yield* endlessText();
  };
  bridge.addBrowser({ 1: { ...PAGE, content } });
  const spillway = assembleSpillway({ home }, { bridge });
  let hasEnded = false;
  const call = spillway.tools.read_page({ tab: 'b1:1', output_mode: 'handle' }).finally(() => {
    hasEnded = true;
  });
  await reading.promise;
  await spillway.close();
  expect(hasEnded).toBe(true);
  expect((await call).error?.code).toBe('cancelled');
  const entries = (await journalOf(home)).filter(({ event }) => event === 'tool_call');
  expect(entries).toMatchObject([{ tool: 'read_page', ok: false, code: 'cancelled' }]);
  await rm(home, { recursive: true });
  expect((await spillway.tools.tabs()).ok).toBe(false);
  await new Promise((resolve) => setImmediate(resolve));
  expect(existsSync(home)).toBe(false);
});

test('what waits for a person when it is closed is journalled with its end', async () => {
  const home = await temporaryHome();
  const asking: Gate = { check: async () => ({ ask: {} }) };
  const spillway = assembleSpillway({ home, gate: asking }, { bridge: new FakeBridge() });
  expect((await spillway.tools.tabs({}, { callId: 'one' })).pending).toBeDefined();
  await spillway.close();
  const entries = await journalOf(home);
  expect(entries.at(-1)).toMatchObject({
    tool: 'tabs',
    ok: false,
    code: 'cancelled',
    message: expect.stringContaining('No decision had been made'),
  });
});

test('a call that ignores the end is abandoned, and its late end writes nothing', async () => {
  const home = await temporaryHome();
  const [begun, allowed] = [deferred<void>(), deferred<void>()];
  const tools = testTools({
    stubborn: async () => {
      begun.resolve();
      await allowed.promise;
      return produceJson('late');
    },
  });
  const spillway = assembleSpillway({ home }, { bridge: new FakeBridge(), ...tools });
  const call = spillway.call('stubborn', {});
  await begun.promise;
  await spillway.close();
  const entries = (await journalOf(home)).filter(({ event }) => event === 'tool_call');
  expect(entries).toMatchObject([{ tool: 'stubborn', code: 'cancelled' }]);
  await rm(home, { recursive: true });
  allowed.resolve();
  expect((await call).error?.code).toBe('cancelled');
  await new Promise((resolve) => setImmediate(resolve));
  expect(existsSync(home)).toBe(false);
});
