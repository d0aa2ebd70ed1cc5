import type Anthropic from '@anthropic-ai/sdk';
import { generateText, Output, type LanguageModel, type ToolSet } from 'ai';
import { z } from 'zod';
import {
  createMixedToolsClient,
  createSpillway,
  SpillwayError,
  type CallResult,
  type PendingInteraction,
  type Progress,
  type Spillway,
  type StepContext,
  type ToolName,
} from 'spillway';
import { handleToolUse, runToolLoop, toAnthropicTools, type OwnTool } from 'spillway/anthropic';
import { defineWorkflow, type Flow } from 'spillway/workflow';
import { createHumanLoop, isPendingHumanInput, stopRequested, toAiSdkTools } from 'spillway/ai-sdk';

/*
 * A program that uses the package by its name, compiled against the built declarations alone. It is
 * never run.
 */

type Tools = Spillway['tools'];
type ArgsOf<Name extends ToolName> = Parameters<Tools[Name]>[0];

/** Compiles where the condition holds, and not elsewhere. */
const holds = <Condition extends true>(condition: Condition): Condition => condition;

// Arguments may be left out where none is required, and not where one is.
holds<undefined extends ArgsOf<'tabs'> ? true : false>(true);
holds<undefined extends ArgsOf<'oc_output_fetch'> ? false : true>(true);
// A tool takes its own fields, and those of the output where it spills.
holds<'output_mode' extends keyof NonNullable<ArgsOf<'read_page'>> ? true : false>(true);
holds<'output_mode' extends keyof NonNullable<ArgsOf<'tabs'>> ? false : true>(true);
holds<'no_such_field' extends keyof NonNullable<ArgsOf<'read_page'>> ? false : true>(true);

/** A caller with an optional value can pass it unchanged, in every option. */
export function passOn(client: Anthropic, session: Spillway, given: Given): unknown[] {
  const { signal, text, count, tools, own } = given;
  const { onProgress, onPending, step } = given;
  const options = { signal, onProgress, callId: text, syncWaitMs: count, step };
  const decision = { approve: false, by: 'a person', reason: text } as const;
  return [
    createSpillway({ home: text, mode: text, tools: undefined, syncWaitMs: count, gate: undefined }),
    session.session({ tools: undefined }),
    session.tools.read_page({ tab: text, output_mode: undefined, output_inline_limit_bytes: count }, options),
    session.call('tabs', {}, options),
    session.decide('id', decision, { signal }),
    session.decide('id', { approve: true, by: 'Ada', args: undefined }),
    handleToolUse(session, { id: 'id', name: 'tabs', input: {} }, { signal, step, ownTools: own, onPending }),
    toAiSdkTools(session, { ownTools: tools, onPending }),
    runToolLoop({
      client,
      session,
      params: { model: 'claude-sonnet-5-5', max_tokens: 1_000, tools: undefined },
      messages: [],
      signal,
      maxTurns: count,
      maxConcurrentCalls: count,
      ownTools: own,
    }),
  ];
}

interface Given {
  readonly signal: AbortSignal | undefined;
  readonly text: string | undefined;
  readonly count: number | undefined;
  readonly tools: ToolSet | undefined;
  readonly own: readonly OwnTool[] | undefined;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly onPending: ((pending: PendingInteraction) => void) | undefined;
  readonly step: StepContext | undefined;
}

export async function use(client: Anthropic, signal: AbortSignal): Promise<string> {
  await using spillway = createSpillway({ launch: { headless: true }, syncWaitMs: 1_000 });
  const result: CallResult = await spillway.tools.read_page({ tab: 'b1:1', format: 'markdown' }, { signal });
  if (!result.ok) throw new SpillwayError('upstream_error', `${result.error.code}: ${result.error.hint}`);
  const named = await spillway.call('oc_output_fetch', {
    output_handle: result.descriptor?.output_handle ?? '',
  });
  const session = spillway.session({ tools: ['read'] });
  const tools: Anthropic.Tool[] = toAnthropicTools(session);
  const set: ToolSet = { ...toAiSdkTools(session), ...(await createMixedToolsClient([]).tools()) };
  const params = { model: 'claude-sonnet-5-5', max_tokens: 1_000 };
  const loop = runToolLoop({ client, session, params, messages: [{ role: 'user', content: 'Read.' }] });
  for await (const event of loop) if (event.type === 'text') return event.text;
  return `${named.text} ${tools.length} ${Object.keys(set).length} ${typeof stopRequested}`;
}

type FlowArgsOf<Name extends ToolName> = Parameters<Flow['tools'][Name]>[0];
holds<'format' extends keyof NonNullable<FlowArgsOf<'read_page'>> ? true : false>(true);
holds<'no_such_field' extends keyof NonNullable<FlowArgsOf<'read_page'>> ? false : true>(true);
holds<'no_such_tool' extends keyof Flow['tools'] ? false : true>(true);

/** Its tools are there, also where an index may have nothing, and others are called by name. */
export const invoice = defineWorkflow({
  name: 'invoice',
  input: z.object({ url: z.url() }),
  run: async (flow, { url }) => {
    await flow.tools.navigate({ url });
    return [
      await flow.tools.read_page({ format: 'markdown' }),
      await flow.call('order_city', { city: 'Zwolle' }),
    ];
  },
});

/** Mixed tools are a `ToolSet` as they are, and answers keep the type of their output. */
export async function ask(model: LanguageModel): Promise<string> {
  const tools = await createMixedToolsClient([], { disableAllExecutions: true }).tools();
  const output = Output.object({ schema: z.object({ price: z.string() }) });
  const asked = await generateText({ model, tools, output, prompt: 'Read.', stopWhen: [stopRequested] });
  const paused = await createHumanLoop({ model, tools, output }).run([]);
  return isPendingHumanInput(paused) ? asked.output.price : paused.output.price;
}
