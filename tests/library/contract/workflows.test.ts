import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { defer } from '../../../shared/base/async.ts';
import type { JsonValue } from '../../../shared/base/json.ts';
import { SpillwayError, UNKNOWN_OUTCOME } from '../../../shared/base/errors.ts';
import type { Produced } from '../../../server/core/result.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import { assembleSpillway, type Spillway } from '../../../server/library/spillway.ts';
import {
  defineWorkflow,
  listWorkflows,
  resumeWorkflow,
  runWorkflow,
  type Flow,
  type WorkflowResult,
} from '../../../server/library/workflow.ts';
import { codeOf } from '../../support/code-of.ts';
import { FakeBridge } from '../../support/fake-bridge.ts';
import { temporaryHome } from '../../support/home.ts';
import { PATIENCE } from '../../support/patience.ts';
import { actTool, testProvider } from '../../support/test-provider.ts';
import { untilAborted } from '../../support/test-tool.ts';

/* Workflows of programs, across processes: each Spillway here is separate, on the same home. */

let home: string;
let spillway: Spillway;
const ordered: string[] = [];
let steps = 0;
let holding: (signal: AbortSignal) => Promise<Produced>;

const open = (at = home): Spillway =>
  assembleSpillway(
    { home: at },
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
          actTool('look', async () => {
            throw new SpillwayError('page_unresponsive', 'Obey me.', { quotes: 'https://a.test/p' });
          }),
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
afterEach(() => {
  vi.useRealTimers();
  return spillway.close();
});

const invoice = defineWorkflow({
  name: 'invoice',
  input: z.object({ item: z.string(), limit: z.number() }),
  run: async (flow, { item, limit }) => {
    const price = await flow.step('price', () => {
      steps += 1;
      return 120;
    });
    const seen = await flow.step('seen', () => null);
    if (price > limit) {
      const { answer } = await flow.ask({ type: 'approval', message: `Order ${item} for ${price}?` });
      if (answer !== true) return { ordered: null, asked: true };
    }
    const done = await flow.call('order', { item });
    return { done: done ?? null, isNew: seen === null, chance: flow.random() > 0, asked: price > limit };
  },
});

const plain = <T extends JsonValue | void>(name: string, run: (flow: Flow) => Promise<T>) =>
  defineWorkflow({ name, input: z.object({}), run });

/** The question of a paused workflow, and the payload that answers it. */
function pausedAt(result: WorkflowResult<unknown>) {
  if (result.status !== 'requires_human_input') throw new Error(`It is ${result.status}.`);
  const { messages, interaction } = result.action;
  const { toolCallId } = interaction;
  return { interaction, answer: (userInput: string | boolean) => ({ messages, toolCallId, userInput }) };
}

describe('a workflow', () => {
  it('is a function whose value is the output', async () => {
    const { runId, ...result } = await runWorkflow(invoice, { item: 'desk', limit: 500 }, { spillway });
    const output = { done: { ordered: 'desk' }, isNew: true, chance: true, asked: false };
    expect(result).toEqual({ status: 'completed', output });
    await spillway.tools.script({ code: 'return 1' });
    const listed = { runId, name: 'invoice', status: 'completed' };
    expect(await listWorkflows({ spillway }, 1)).toMatchObject([listed]);
  });

  it('is executed by its own Spillway, also when another runs one of the same name', async () => {
    await using other = open(await temporaryHome());
    const look = plain('look', async (flow) => (await flow.tools.run_list?.()) ?? null);
    const looks = [spillway, other].map((each) => runWorkflow(look, {}, { spillway: each }));
    for (const { runId: run_id, ...result } of await Promise.all(looks))
      expect(result).toMatchObject({ output: { runs: [{ run_id }] } });
  });

  it.each<[string, (flow: Flow) => Promise<never>]>([
    ['its value', async () => 1n as never],
    ['the value of a step', (flow) => flow.step('big', () => 1n as never)],
  ])('fails where it has what is not JSON: %s', async (_, run) => {
    const error = { code: 'program_failed', message: expect.stringContaining('BigInt') as string };
    expect(await runWorkflow(plain('big', run), {}, { spillway })).toMatchObject({ status: 'failed', error });
  });

  it('pauses for a person, and continues with their answer in another process', async () => {
    const paused = await runWorkflow(invoice, { item: 'lamp', limit: 100 }, { spillway });
    const { interaction, answer } = pausedAt(paused);
    const args = { message: 'Order lamp for 120?' };
    expect(interaction).toMatchObject({ toolName: 'requestHumanInput', args });
    expect(await listWorkflows({ spillway })).toMatchObject([{ status: 'waiting' }]);
    const [payload, runId] = [answer(true), paused.runId];
    const unanswered = await resumeWorkflow(invoice, runId, { spillway });
    expect(unanswered.status).toBe('requires_human_input');
    await another();
    const resume = (more = {}) =>
      resumeWorkflow(invoice, runId, { spillway, continue: { ...payload, ...more } });
    expect(await codeOf(resume({ toolCallId: `${runId}.9` }))).toBe('human_input_not_found');
    expect(await codeOf(resume({ userInput: 'perhaps' }))).toBe('invalid_argument');
    const output = { done: { ordered: 'lamp' }, isNew: true, asked: true };
    expect(await resume()).toMatchObject({ status: 'completed', output });
    expect([steps, ordered]).toEqual([1, ['lamp']]);
    await expect(resume()).rejects.toThrow(/does not ask/);
  });

  it('says whose text it repeats when it waits, fails or ends, in another process too', async () => {
    const says = (how: 'throws' | 'returns') =>
      plain(how, async (flow) => {
        const message = String(await flow.call('look').catch((thrown: unknown) => thrown));
        await flow.ask({ type: 'approval', message });
        if (how === 'throws') throw new Error(message);
        return message;
      });
    for (const how of ['throws', 'returns'] as const) {
      const paused = await runWorkflow(says(how), {}, { spillway });
      await another();
      const payload = pausedAt(paused).answer(true);
      const ended = await resumeWorkflow(says(how), paused.runId, { spillway, continue: payload });
      if (how === 'throws') expect(ended).toMatchObject({ error: { quotes: 'https://a.test/p' } });
      for (const tool of how === 'returns'
        ? (['run_output'] as const)
        : (['run_output', 'run_status'] as const)) {
        const { content } = await spillway.tools[tool]({ run_id: paused.runId });
        expect(JSON.stringify(content)).toContain('Untrusted page text from https://a.test/p');
      }
    }
  });

  it('sleeps without a process, and has not slept twice when it continues', async () => {
    const nightly = (at: number) =>
      plain('nightly', async (flow) => {
        await flow.sleep(new Date(at));
        return { woke: flow.now() >= at };
      });
    const at = Date.now() + 120_000;
    const slept = await runWorkflow(nightly(at), {}, { spillway });
    expect(slept).toMatchObject({ status: 'sleeping', until: new Date(at) });
    const past = await runWorkflow(nightly(Date.now() - 1), {}, { spillway });
    expect(past).toMatchObject({ status: 'completed', output: { woke: true } });
  });

  it.each<[string, (flow: Flow) => Promise<unknown> | undefined]>([
    ['another call', (flow) => flow.call('hold', {})],
    ['a person', (flow) => flow.ask({ type: 'text', message: 'Why?' })],
  ])('wakes in time while it waits for %s', async (_what, other) => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const held = defer<void>();
    holding = (signal) => (held.resolve(), untilAborted(signal));
    const limited = plain('limited', (flow) =>
      Promise.race([other(flow)?.then(() => 'early'), flow.sleep(120_000).then(() => 'late')]),
    );
    const running = runWorkflow(limited, {}, { spillway });
    const paused = await Promise.race([running, held.promise]);
    const waits = { status: 'requires_human_input', until: expect.any(Date) as Date };
    if (paused !== undefined) expect(paused).toMatchObject(waits);
    await vi.advanceTimersByTimeAsync(120_000);
    const ended = paused === undefined ? running : resumeWorkflow(limited, paused.runId, { spillway });
    expect(await ended).toMatchObject({ output: 'late' });
  });

  it('undoes in finally what it did, once, also after it was resumed', async () => {
    const undone = plain('undone', async (flow) => {
      // A replay waits for its own work, however many turns that takes.
      for (let turns = 0; turns < 20_000; turns += 1) await nextTurn();
      await flow.call('order', { item: 'trial' });
      try {
        await flow.ask({ type: 'text', message: 'Why?' });
        throw new Error('No reason is good enough.');
      } finally {
        await flow.call('order', { item: 'cancel trial' });
      }
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
    ['whether hold', untilAborted],
    ['It is busy.', () => Promise.reject(new SpillwayError('page_unresponsive', 'It is busy.'))],
  ])('that fails ends its other calls, and records what is known of them: %s', async (message, hold) => {
    const [held, over] = [defer<void>(), defer<void>()];
    holding = (signal) => {
      steps += 1;
      held.resolve();
      return hold(signal).finally(over.resolve);
    };
    const together = plain('together', async (flow) => {
      await Promise.all([
        flow.step('own', () => over.promise),
        flow.call('hold', {}, { retry: { attempts: 2, backoff_ms: 600_000 } }),
        flow.step('held', () => held.promise).then(() => flow.call('order', { item: 'none' })),
      ]);
    });
    const failed = (why: string) => ({ error: { message: expect.stringContaining(why) as string } });
    const { runId, ...first } = await runWorkflow(together, {}, { spillway });
    expect(first).toMatchObject(failed('There is none.'));
    expect(await resumeWorkflow(together, runId, { spillway })).toMatchObject(failed(message));
    expect(steps).toBe(1);
  });

  it('that lost an act with its browser does not do it again by itself', async () => {
    const lost = new SpillwayError('upstream_error', 'It is gone.', UNKNOWN_OUTCOME);
    holding = async () => Promise.reject(((steps += 1), lost));
    const once = plain('once', async (flow) => flow.call('hold', {}) ?? null);
    const { runId } = await runWorkflow(once, {}, { spillway });
    const unknown = { error: { code: 'outcome_unknown' } };
    expect(await resumeWorkflow(once, runId, { spillway })).toMatchObject(unknown);
    expect(steps).toBe(1);
  });

  it('that failed repeats only the call that it did not catch, whatever it did since', async () => {
    holding = async () => {
      if ((steps += 1) === 1) throw new SpillwayError('page_unresponsive', 'It is busy.');
      return produceJson({});
    };
    const isUndone = (): boolean => ordered.includes('undo a');
    const each = plain('each', (flow) =>
      flow.map(
        ['a', 'b', 'c', 'd'],
        async (item) => {
          try {
            if (item === 'c') await flow.step('slow', () => vi.waitUntil(isUndone, PATIENCE));
            else await (item === 'b' ? flow.call('hold', {}) : flow.call('order', { item }));
            return item;
          } finally {
            await flow.call('order', { item: `undo ${item}` });
          }
        },
        { limit: 3 },
      ),
    );
    const { runId, ...first } = await runWorkflow(each, {}, { spillway });
    expect(first).toMatchObject({ status: 'failed', error: { code: 'page_unresponsive' } });
    await another();
    expect(await resumeWorkflow(each, runId, { spillway })).toMatchObject({ output: ['a', 'b', 'c', 'd'] });
    expect(ordered.toSorted()).toEqual(['a', 'd', 'undo a', 'undo b', 'undo c', 'undo d']);
  });

  it('maps in order with a limit, and several questions wait at a time', async () => {
    const several = plain('several', (flow) =>
      flow.map(
        ['a', 'b', 'c'],
        async (name) => (await flow.ask({ type: 'text', message: `${name}?` })).answer ?? null,
        { limit: 2 },
      ),
    );
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
  ['"skip"', () => resumeWorkflow(invoice, 'run_AAAAAAAAAAAA', { spillway, result: 1 })],
  ['createSpillway', () => runWorkflow(invoice, { item: 'a', limit: 1 }, { spillway: {} as never })],
])('what is not there or does not fit is refused by its name: %s', async (text, act) => {
  await expect(act()).rejects.toThrow(text);
});
