import { generateText, stepCountIs, streamText } from 'ai';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { handleToolUse } from '../../../server/adapters/anthropic/index.ts';
import { toAiSdkTools } from '../../../server/adapters/ai-sdk/index.ts';
import type { AppParts } from '../../../server/app.ts';
import type { Gate } from '../../../server/core/gate.ts';
import { produceJson } from '../../../server/core/produce.ts';
import { inOrder } from '../../../server/library/order.ts';
import type { SpillwaySession } from '../../../server/library/types.ts';
import { localSpillways } from '../../support/local-spillway.ts';
import { scriptedModel } from '../../support/scripted-model.ts';
import { collect, DONE, endOf, resultsOf, scriptedLoops, use } from '../../support/scripted-loop.ts';
import { testTools, untilAborted, type Work } from '../../support/test-tool.ts';

// A model that asks for several calls at once means them in their order.

const start = localSpillways();
const loopOver = scriptedLoops();

/** A made-up page: `look` reads it, `turn` changes it, and both take a while. */
function page(): { readonly parts: AppParts; readonly told: string[] } {
  const told: string[] = [];
  const during =
    (name: string): Work =>
    async ({ value = '' }, { signal }) => {
      told.push(`${name} ${value} begins`);
      if (value === 'endless') await untilAborted(signal);
      for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve));
      told.push(`${name} ${value} ends`);
      return produceJson({ value });
    };
  const reading = testTools({ look: during('look') });
  const annotations = {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  };
  const writing = testTools({ turn: during('turn') }, { annotations });
  return {
    told,
    parts: {
      manifests: [...(reading.manifests ?? []), ...(writing.manifests ?? [])],
      runtimes: { ...reading.runtimes, ...writing.runtimes },
    },
  };
}

const CALLS = [
  { id: 'a', name: 'look', input: { value: 'a' } },
  { id: 'b', name: 'turn', input: { value: 'b' } },
  { id: 'c', name: 'look', input: { value: 'c' } },
  { id: 'd', name: 'look', input: { value: 'd' } },
  { id: 'e', name: 'turn', input: { value: 'e' } },
] as const;
const IN_ORDER = [
  ['look a begins', 'look a ends', 'turn b begins', 'turn b ends'],
  ['look c begins', 'look d begins', 'look c ends', 'look d ends'],
  ['turn e begins', 'turn e ends'],
].flat();

/** How each adapter is asked for calls at once. */
const ASKING: Readonly<Record<string, (session: SpillwaySession) => Promise<unknown>>> = {
  'the loop': async (session) => {
    const content = CALLS.map(({ id, name, input }) => use(id, name, input));
    const { loop } = await loopOver(session, [{ content }, DONE]);
    return collect(loop);
  },
  'blocks that are handled at once': (session) =>
    Promise.all(CALLS.map((call) => handleToolUse(session, call))),
  generateText: (session) =>
    generateText({
      model: scriptedModel([CALLS]),
      tools: toAiSdkTools(session),
      prompt: 'Go.',
      stopWhen: stepCountIs(3),
    }),
  streamText: async (session) => {
    const tools = toAiSdkTools(session);
    await streamText({ model: scriptedModel([CALLS]), tools, prompt: 'Go.', stopWhen: stepCountIs(3) }).text;
  },
};

for (const [name, ask] of Object.entries(ASKING))
  test(`${name}: what changes the page waits for the calls before it, and those after it wait for it`, async () => {
    const { parts, told } = page();
    const { spillway } = await start({}, parts);
    await ask(spillway);
    expect(told).toEqual(IN_ORDER);
  });

test('whoever is cancelled while it waits is answered, and what is under way still holds back the rest', async () => {
  const { parts, told } = page();
  const { spillway } = await start({}, parts);
  const [first, second] = [new AbortController(), new AbortController()];
  const handle = (id: string, name: string, value: string, cancel?: AbortController) =>
    handleToolUse(spillway, { id, name, input: { value } }, { signal: cancel?.signal });
  const endless = handle('a', 'turn', 'endless', first);
  const waiting = handle('b', 'turn', 'b', second);
  const last = handle('c', 'look', 'c');
  second.abort();
  expect(JSON.stringify(await waiting)).toContain('cancelled');
  expect(told).toEqual(['turn endless begins']);
  first.abort();
  expect(JSON.stringify(await endless)).toContain('cancelled');
  expect(await last).not.toHaveProperty('is_error');
  expect(told.slice(1)).toEqual(['look c begins', 'look c ends']);
});

test('what comes after a call that waits for a person waits too', async () => {
  const { parts, told } = page();
  const asking: Gate = {
    check: async ({ definition: { manifest } }) => (manifest.name === 'turn' ? { ask: {} } : { allow: true }),
  };
  const { spillway } = await start({ gate: asking }, parts);
  const content = CALLS.map(({ id, name, input }) => use(id, name, input));
  const { loop } = await loopOver(spillway, [{ content }, DONE]);
  const first = await collect(loop);
  expect(endOf(first)?.pending.map(({ toolUse }) => toolUse.id)).toEqual(['b']);
  expect(told).toEqual(IN_ORDER.slice(0, 2));
  await spillway.decide('b', { approve: true });
  const second = await collect(loop);
  expect(endOf(second)?.pending.map(({ toolUse }) => toolUse.id)).toEqual(['e']);
  await spillway.decide('e', { approve: false, by: 'a person' });
  const third = await collect(loop);
  expect(endOf(third)?.reason).toBe('end_turn');
  expect(told).toEqual(IN_ORDER.slice(0, -2));
  expect([first, second, third].map((events) => resultsOf(events).length)).toEqual([1, 3, 1]);
});

test('nothing runs beside what writes, everything runs, and reads begin in their order', async () => {
  const calls = fc.array(fc.record({ isReadOnly: fc.boolean(), turns: fc.nat(4), fails: fc.boolean() }), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(calls, async (given) => {
      const step = {};
      const { signal } = new AbortController();
      const running = new Set<number>();
      const begun: number[] = [];
      const ends = given.map(({ isReadOnly, turns, fails }, at) =>
        inOrder(step, { isReadOnly, signal }, async () => {
          const beside = [...running].filter((other) => !isReadOnly || given[other]?.isReadOnly === false);
          expect(beside).toEqual([]);
          begun.push(at);
          running.add(at);
          for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
          running.delete(at);
          if (fails) throw new Error('It failed.');
        }),
      );
      const settled = await Promise.allSettled(ends);
      expect(settled.map(({ status }) => status === 'rejected')).toEqual(given.map(({ fails }) => fails));
      expect(begun).toEqual(given.map((_, at) => at));
    }),
  );
});
