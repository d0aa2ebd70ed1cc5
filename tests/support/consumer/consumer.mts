import type Anthropic from '@anthropic-ai/sdk';
import type { ToolSet } from 'ai';
import { createSpillway, SpillwayError, type CallResult, type Spillway, type ToolName } from 'spillway';
import { runToolLoop, toAnthropicTools } from 'spillway/anthropic';
import { stopRequested, toAiSdkTools } from 'spillway/ai-sdk';

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

export async function use(client: Anthropic, signal: AbortSignal): Promise<string> {
  await using spillway = createSpillway({ launch: { headless: true }, syncWaitMs: 1_000 });
  const result: CallResult = await spillway.tools.read_page({ tab: 'b1:1', format: 'markdown' }, { signal });
  if (!result.ok) throw new SpillwayError('upstream_error', `${result.error.code}: ${result.error.hint}`);
  const named = await spillway.call('oc_output_fetch', {
    output_handle: result.descriptor?.output_handle ?? '',
  });
  const session = spillway.session({ tools: ['read'] });
  const tools: Anthropic.Tool[] = toAnthropicTools(session);
  const set: ToolSet = toAiSdkTools(session);
  const params = { model: 'claude-sonnet-5-5', max_tokens: 1_000 };
  const loop = runToolLoop({ client, session, params, messages: [{ role: 'user', content: 'Read.' }] });
  for await (const event of loop) if (event.type === 'text') return event.text;
  return `${named.text} ${tools.length} ${Object.keys(set).length} ${typeof stopRequested}`;
}
