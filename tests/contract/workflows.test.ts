import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deferred, onAbort } from '../../shared/async.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { Produced } from '../../server/core/result.ts';
import { produceJson } from '../../server/core/calls/produce.ts';
import { assembleSpillway, type Spillway } from '../../server/library/spillway.ts';
import {
  defineWorkflow,
  listWorkflows,
  resumeWorkflow,
  runWorkflow,
  type WorkflowResult,
} from '../../server/library/workflow.ts';
import { FakeBridge } from '../support/fake-bridge.ts';
import { temporaryHome } from '../support/home.ts';
import { actTool, testProvider } from '../support/test-provider.ts';

/* Workflows of programs, across processes: each Spillway here is separate, on the same home. */

let home: string;
let spillway: Spillway;
const ordered: string[] = [];
let steps = 0;
let holding: (signal: AbortSignal) => Promise<Produced>;

const open = (): Spillway =>
  assembleSpillway(
    { home },
    {
      bridge: new FakeBridge(),
      providers: [
        testProvider('shop', [
          actTool('order', async ({ item = null }) => {
            if (item === 'none') throw new SpillwayError('program_failed', 'There is none.');
            ordered.push(String(item));
            return produceJson({ ordered: item });
          }),
          actTool('hold', (_, { signal }) => holding(signal)),
        ]),
      ],
    },
  );
const another = async (): Promise<Spillway> => {
  await spillway.close();
  return (spillway = open());
};

beforeEach(async () => {
  home = await temporaryHome();
  spillway = open();
  ordered.length = 0;
  steps = 0;
});
afterEach(() => spillway.close());

const invoice = defineWorkflow({
  name: 'invoice',
  input: z.object({ item: z.string(), limit: z.number() }),
  run: async (flow, { item, limit }) => {
    const price = await flow.step('price', () => {
      steps += 1;
      return 120;
    });
    if (price > limit) {
      const { answer } = await flow.ask({ type: 'approval', message: `Order ${item} for ${price}?` });
      if (answer !== true) return { ordered: null, asked: true };
    }
    const done = await flow.tools.order?.({ item });
    return { done: done ?? null, chance: flow.random() > 0, asked: price > limit };
  },
});

/** The question of a paused workflow, and the payload that answers it. */
function pausedAt(result: WorkflowResult<unknown>) {
  if (result.status !== 'requires_human_input') throw new Error(`It is ${result.status}.`);
  const { messages, interaction } = result.action;
  const { toolCallId } = interaction;
  return { interaction, answer: (userInput: string | boolean) => ({ messages, toolCallId, userInput }) };
}

describe('a workflow', () => {
  it('is a function whose value is the output', async () => {
    const result = await runWorkflow(invoice, { item: 'desk', limit: 500 }, { spillway });
    expect(result).toMatchObject({
      status: 'completed',
      output: { done: { ordered: 'desk' }, chance: true, asked: false },
    });
    expect(await listWorkflows({ spillway })).toMatchObject([
      { runId: result.runId, name: 'invoice', status: 'completed' },
    ]);
  });

  it('pauses for a person, and continues with their answer in another process', async () => {
    const paused = await runWorkflow(invoice, { item: 'lamp', limit: 100 }, { spillway });
    const { interaction, answer } = pausedAt(paused);
    expect(interaction).toMatchObject({
      toolName: 'requestHumanInput',
      args: { message: 'Order lamp for 120?' },
    });
    expect(await listWorkflows({ spillway })).toMatchObject([{ status: 'interrupted' }]);
    const [payload, runId] = [answer(true), paused.runId];
    await another();
    const refused = (code: string) => expect.objectContaining({ code }) as unknown;
    await expect(
      resumeWorkflow(invoice, runId, { spillway, continue: { ...payload, toolCallId: `${runId}.9` } }),
    ).rejects.toEqual(refused('human_input_not_found'));
    await expect(
      resumeWorkflow(invoice, runId, { spillway, continue: { ...payload, userInput: 'perhaps' } }),
    ).rejects.toEqual(refused('invalid_argument'));
    const result = await resumeWorkflow(invoice, runId, { spillway, continue: payload });
    expect(result).toMatchObject({ status: 'completed', output: { done: { ordered: 'lamp' }, asked: true } });
    expect([steps, ordered]).toEqual([1, ['lamp']]);
    await expect(resumeWorkflow(invoice, runId, { spillway, continue: payload })).rejects.toThrow(
      /does not ask/,
    );
  });

  it('asks again while nobody has answered', async () => {
    const { runId } = await runWorkflow(invoice, { item: 'lamp', limit: 100 }, { spillway });
    expect(await resumeWorkflow(invoice, runId, { spillway })).toMatchObject({
      status: 'requires_human_input',
    });
    expect(steps).toBe(1);
  });

  it('sleeps without a process, and has not slept twice when it continues', async () => {
    const nightly = defineWorkflow({
      name: 'nightly',
      input: z.object({ at: z.number() }),
      run: async (flow, { at }) => {
        await flow.sleep(new Date(at));
        return { woke: flow.now() >= at };
      },
    });
    const at = Date.now() + 120_000;
    const slept = await runWorkflow(nightly, { at }, { spillway });
    expect(slept).toMatchObject({ status: 'sleeping', until: new Date(at) });
    const past = await runWorkflow(nightly, { at: Date.now() - 1 }, { spillway });
    expect(past).toMatchObject({ status: 'completed', output: { woke: true } });
  });

  it('undoes in finally what it did, once, also after it was resumed', async () => {
    const undone = defineWorkflow({
      name: 'undone',
      input: z.object({}),
      run: async (flow) => {
        await flow.tools.order?.({ item: 'trial' });
        try {
          await flow.ask({ type: 'text', message: 'Why?' });
          throw new Error('No reason is good enough.');
        } finally {
          await flow.tools.order?.({ item: 'cancel trial' });
        }
      },
    });
    const paused = await runWorkflow(undone, {}, { spillway });
    const { answer } = pausedAt(paused);
    expect(ordered).toEqual(['trial']);
    await another();
    const result = await resumeWorkflow(undone, paused.runId, { spillway, continue: answer('because') });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'program_failed' } });
    expect(ordered).toEqual(['trial', 'cancel trial']);
  });

  it.each<[string, typeof holding]>([
    ['whether hold', (signal) => new Promise((_, reject) => onAbort(signal, () => reject(signal.reason)))],
    ['It is busy.', () => Promise.reject(new SpillwayError('page_unresponsive', 'It is busy.'))],
  ])('that fails ends its other calls, and records what is known of them: %s', async (message, hold) => {
    const [held, over] = [deferred<void>(), deferred<void>()];
    holding = (signal) => {
      steps += 1;
      held.resolve();
      return hold(signal).finally(over.resolve);
    };
    const together = defineWorkflow({
      name: 'together',
      input: z.object({}),
      run: async (flow) => {
        await Promise.all([
          flow.step('own', () => over.promise),
          flow.tools.hold?.({}, { retry: { attempts: 2, backoff_ms: 600_000 } }),
          flow.step('held', () => held.promise).then(() => flow.tools.order?.({ item: 'none' })),
        ]);
      },
    });
    const failed = (why: string) => ({ error: { message: expect.stringContaining(why) as string } });
    const { runId, ...first } = await runWorkflow(together, {}, { spillway });
    expect(first).toMatchObject(failed('There is none.'));
    expect(await resumeWorkflow(together, runId, { spillway })).toMatchObject(failed(message));
    expect(steps).toBe(1);
  });

  it('maps in order with a limit, and several questions wait at a time', async () => {
    const several = defineWorkflow({
      name: 'several',
      input: z.object({}),
      run: (flow) =>
        flow.map(
          ['a', 'b', 'c'],
          async (name) => (await flow.ask({ type: 'text', message: `${name}?` })).answer ?? null,
          { limit: 2 },
        ),
    });
    let result = await runWorkflow(several, {}, { spillway });
    const asked: string[] = [];
    while (result.status === 'requires_human_input') {
      const { interaction, answer } = pausedAt(result);
      asked.push(`${interaction.args.message} +${interaction.others.length}`);
      const payload = answer(`${interaction.args.message}!`);
      result = await resumeWorkflow(several, result.runId, { spillway, continue: payload });
    }
    expect(asked).toEqual(['a? +1', 'b? +1', 'c? +0']);
    expect(result).toMatchObject({ status: 'completed', output: ['a?!', 'b?!', 'c?!'] });
  });
});

it.each([
  ['item', () => runWorkflow(invoice, { item: 1, limit: 2 } as never, { spillway })],
  ['run_AAAAAAAAAAAA', () => resumeWorkflow(invoice, 'run_AAAAAAAAAAAA', { spillway })],
  ['createSpillway', () => runWorkflow(invoice, { item: 'a', limit: 1 }, { spillway: {} as never })],
])('what is not there or does not fit is refused by its name: %s', async (text, act) => {
  await expect(act()).rejects.toThrow(text);
});
