import { generateText, stepCountIs, streamText } from 'ai';
import { expect, test } from 'vitest';
import { handleToolUse } from '../../../server/library/anthropic/index.ts';
import { toAiSdkTools } from '../../../server/library/ai-sdk/index.ts';
import type { AppParts } from '../../../server/core/app.ts';
import type { Gate } from '../../../server/core/calls/prepare.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import type { SpillwaySession } from '../../../server/library/types.ts';
import { localSpillways } from '../../support/local-spillway.ts';
import { scriptedModel } from '../../support/scripted-model.ts';
import { collect, DONE, endOf, loopOver, resultsOf, use } from '../../support/scripted-loop.ts';
import { testTools, untilAborted, type Work } from '../../support/test-tool.ts';

// A model that asks for several calls at once expects them in order.

const start = localSpillways();

/** A fake page: `look` reads it, `turn` changes it, and both take a while. */
function page(): { readonly parts: AppParts; readonly steps: string[] } {
  const steps: string[] = [];
  const during =
    (name: string): Work =>
    async ({ value = '' }, { signal }) => {
      steps.push(`${name} ${value} begins`);
      if (value === 'endless') await untilAborted(signal);
      for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} ${value} ends`);
      return produceJson({ value });
    };
  const reading = testTools({ look: during('look') });
  const hints = { destructiveHint: false, idempotentHint: true, openWorldHint: false };
  const writing = testTools({ turn: during('turn') }, { annotations: { ...hints, readOnlyHint: false } });
  return {
    steps,
    parts: {
      manifests: [...(reading.manifests ?? []), ...(writing.manifests ?? [])],
      runtimes: { ...reading.runtimes, ...writing.runtimes },
    },
  };
}

const CALLS = [...'abcde'].map((id) => ({
  id,
  name: 'be'.includes(id) ? 'turn' : 'look',
  input: { value: id },
}));
const IN_ORDER = [
  ['look a begins', 'look a ends', 'turn b begins', 'turn b ends'],
  ['look c begins', 'look d begins', 'look c ends', 'look d ends'],
  ['turn e begins', 'turn e ends'],
].flat();

const inOneMessage = () => [{ content: CALLS.map(({ id, name, input }) => use(id, name, input)) }, DONE];
const STOP = { prompt: 'Go.', stopWhen: stepCountIs(3) };

const WAYS: Readonly<Record<string, (session: SpillwaySession) => unknown>> = {
  'the loop': async (session) => collect((await loopOver(session, inOneMessage())).loop),
  'blocks that are handled at once': (session) =>
    Promise.all(CALLS.map((call) => handleToolUse(session, call))),
  generateText: (session) =>
    generateText({ model: scriptedModel([CALLS]), tools: toAiSdkTools(session), ...STOP }),
  streamText: (session) =>
    streamText({ model: scriptedModel([CALLS]), tools: toAiSdkTools(session), ...STOP }).text,
};
test.each(Object.entries(WAYS))(
  '%s: what changes the page waits for the calls before it, and those after it wait',
  async (_name, ask) => {
    const { parts, steps } = page();
    const { spillway } = await start({}, parts);
    await ask(spillway);
    expect(steps).toEqual(IN_ORDER);
  },
);

test('a call that is cancelled while it waits is answered, and active calls still block the rest', async () => {
  const { parts, steps } = page();
  const { spillway } = await start({}, parts);
  const [first, second] = [new AbortController(), new AbortController()];
  const handle = (id: string, name: string, value: string, cancel?: AbortController) =>
    handleToolUse(spillway, { id, name, input: { value } }, { signal: cancel?.signal });
  const endless = handle('a', 'turn', 'endless', first);
  const waiting = handle('b', 'turn', 'b', second);
  const last = handle('c', 'look', 'c');
  await expect.poll(() => steps).toEqual(['turn endless begins']);
  second.abort();
  expect(JSON.stringify(await waiting)).toContain('cancelled');
  expect(steps).toEqual(['turn endless begins']);
  first.abort();
  expect(JSON.stringify(await endless)).toContain('cancelled');
  expect(await last).not.toHaveProperty('is_error');
  expect(steps.slice(1)).toEqual(['look c begins', 'look c ends']);
});

test('what comes after a call that waits for a person waits too', async () => {
  const { parts, steps } = page();
  const asking: Gate = {
    check: async ({ definition: { manifest } }) => (manifest.name === 'turn' ? { ask: {} } : { allow: true }),
  };
  const { spillway } = await start({ gate: asking }, parts);
  const { loop } = await loopOver(spillway, inOneMessage());
  const first = await collect(loop);
  expect(endOf(first)?.pending.map(({ toolUse }) => toolUse.id)).toEqual(['b']);
  expect(steps).toEqual(IN_ORDER.slice(0, 2));
  await spillway.decide('b', { approve: true, by: 'Ada' });
  const second = await collect(loop);
  expect(endOf(second)?.pending.map(({ toolUse }) => toolUse.id)).toEqual(['e']);
  await spillway.decide('e', { approve: false, by: 'a person' });
  const third = await collect(loop);
  expect(endOf(third)?.reason).toBe('end_turn');
  expect(steps).toEqual(IN_ORDER.slice(0, -2));
  expect([first, second, third].map((events) => resultsOf(events).length)).toEqual([1, 3, 1]);
});
