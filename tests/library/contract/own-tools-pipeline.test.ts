import { tool, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toAiSdkTools, ToolCallError } from '../../../server/library/ai-sdk/index.ts';
import { handleToolUse, type OwnTool } from '../../../server/library/anthropic/index.ts';
import type { Gate, GatedCall } from '../../../server/core/calls/prepare.ts';
import { localSpillways } from '../../support/local-spillway.ts';

/* A caller's own tool passes gate, journal and redaction as ours do, whichever adapter calls it. */

const start = localSpillways();
const KEY = `sk-ant-${'aB3dE6gH9'.repeat(5)}`;
/** Long, and similar to a key: a picture has to pass. */
const PICTURE = Buffer.from(Array.from({ length: 400 }, (_, at) => (at * 73) % 256)).toString('base64');

type Answer = { readonly text: string; readonly isError: boolean };

/** One tool `mine`, called through an adapter. */
interface Caller {
  call(args: Record<string, unknown>): Promise<Answer>;
  approve(): Promise<unknown>;
  journal(): Promise<string>;
}

type Work = (args: unknown) => Promise<string>;
type Adapter = (work: Work, gate: Gate) => Promise<Caller>;

const overAiSdk: Adapter = async (work, gate) => {
  const { spillway } = await start({ gate });
  const ownTools: ToolSet = {
    mine: tool({
      inputSchema: z.looseObject({}),
      execute: async (args) => ({ said: await work(args), at: { type: 'image', data: PICTURE } }),
    }),
  };
  const { mine } = toAiSdkTools(spillway, { ownTools });
  return {
    call: async (args) => {
      try {
        const output: unknown = await mine?.execute?.(args, { toolCallId: 'c1', messages: [] });
        const shown = await mine?.toModelOutput?.({ toolCallId: 'c1', input: args, output });
        return { text: JSON.stringify(shown), isError: false };
      } catch (thrown) {
        if (!(thrown instanceof ToolCallError)) throw thrown;
        return { text: thrown.message, isError: true };
      }
    },
    approve: () => spillway.decide('c1', { approve: true, by: 'Ada' }),
    journal: async () => (await spillway.tools.oc_journal({ action: 'recent', tool: 'mine' })).text,
  };
};

const overAnthropic: Adapter = async (work, gate) => {
  const { spillway } = await start({ gate });
  const mine: OwnTool = {
    tool: { name: 'mine', input_schema: { type: 'object' } },
    call: async (input) => [
      { type: 'text', text: await work(input) },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } },
    ],
  };
  return {
    call: async (args) => {
      const block = { id: 'c1', name: 'mine', input: args };
      const { content, is_error: isError } = await handleToolUse(spillway, block, { ownTools: [mine] });
      return { text: JSON.stringify(content), isError: isError === true };
    },
    approve: () => spillway.decide('c1', { approve: true, by: 'Ada' }),
    journal: async () => (await spillway.tools.oc_journal({ action: 'recent', tool: 'mine' })).text,
  };
};

const allowing: Gate = { check: async () => ({ allow: true }) };
const only =
  (decide: Gate['check']): Gate['check'] =>
  async (call) =>
    call.definition.manifest.name === 'mine' ? decide(call) : { allow: true };

describe.each<[string, Adapter]>([
  ['AI SDK', overAiSdk],
  ['Anthropic', overAnthropic],
])('over %s', (_name, adapter) => {
  it('the gate is asked with its arguments, and its no holds', async () => {
    const asked: GatedCall[] = [];
    const gate: Gate = {
      check: only(async (call) => {
        asked.push(call);
        throw new Error('not on my watch');
      }),
    };
    let runs = 0;
    const caller = await adapter(async () => `${(runs += 1)}`, gate);
    const { isError } = await caller.call({ a: 1 });
    expect(isError).toBe(true);
    expect(runs).toBe(0);
    expect(asked.map(({ args, definition }) => [args, definition.manifest.risk])).toEqual([
      [{ a: 1 }, 'acts_on_page'],
    ]);
  });

  it('one that the gate asks about waits, and runs once when a person approves', async () => {
    let runs = 0;
    const caller = await adapter(async () => `ran ${(runs += 1)}`, {
      check: only(async () => ({ ask: { why: 'careful' } })),
    });
    const { text } = await caller.call({ a: 1 });
    expect(text).toContain('pending');
    expect(runs).toBe(0);
    await caller.approve();
    expect(runs).toBe(1);
  });

  it('its answer and its journal are redacted, and its pictures stay as they are', async () => {
    const caller = await adapter(async (args) => `the key is ${KEY}, with ${JSON.stringify(args)}`, allowing);
    const { text, isError } = await caller.call({ a: 1, query: `with ${KEY}` });
    expect(isError).toBe(false);
    expect(text).toContain(PICTURE);
    expect(text).toContain('the key is «redacted');
    expect(text.replaceAll('\\', '')).toContain('{"a":1,');
    const journal = await caller.journal();
    expect(JSON.parse(journal)).toMatchObject([{ event: 'tool_call', tool: 'mine', ok: true }]);
    expect(text + journal).not.toContain('sk-ant-');
  });

  it('what it throws is redacted', async () => {
    const caller = await adapter(() => Promise.reject(new Error(`401 for ${KEY}`)), allowing);
    const { text, isError } = await caller.call({});
    expect(isError).toBe(true);
    expect(text).toContain('401 for');
    expect(text).not.toContain('bug in Spillway');
    expect(text).not.toContain('sk-ant-');
  });
});

it.each([
  [new Error('no stock'), 'no stock'],
  ['sold out', 'sold out'],
  [new RangeError(''), 'mine failed without a message.'],
])('what it throws through a call is its own failure: %s', async (thrown, message) => {
  const { spillway } = await start({ gate: allowing });
  const run = (): never => {
    throw thrown;
  };
  const { error } = await spillway.call('mine', {}, { own: { name: 'mine', run } });
  expect(error).toMatchObject({ code: 'upstream_error', message });
});
