import type { CompleteResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { CompletionQuestion } from '../../core/upstreams.ts';
import type { KnownValues } from './prompts/prompts.ts';
import { liveOutputs, ENCODINGS, FORMATS, OUTPUT_TEMPLATE, RUN_TEMPLATE } from './resources.ts';
import { invalidParams, parseParams, type McpScope } from './rpc.ts';

const COMPLETIONS_MAX = 100;

const CompleteParams = z.object({
  ref: z.discriminatedUnion('type', [
    z.object({ type: z.literal('ref/resource'), uri: z.string().max(4_096) }),
    z.object({ type: z.literal('ref/prompt'), name: z.string().max(200) }),
  ]),
  argument: z.object({ name: z.string().max(200), value: z.string().max(4_096) }),
  context: z
    .object({ arguments: z.record(z.string().max(200), z.string().max(4_096)).default({}) })
    .default({ arguments: {} }),
});

/** `completion/complete`: at most 100 values that begin with the typed text, and their total. */
export async function complete(
  mcp: McpScope,
  ended: ReadonlySet<string>,
  params: unknown,
  signal: AbortSignal,
): Promise<CompleteResult> {
  const { ref, argument, context } = parseParams(CompleteParams, params);
  const given = context.arguments;
  const known =
    ref.type === 'ref/resource'
      ? await resourceValues(mcp, ended, { ref, argument, given }, signal)
      : await (
          await import('./prompts/prompts.ts')
        ).argumentValues(mcp, { name: ref.name, argument, given }, signal);
  if ('chosen' in known) return { completion: { ...known.chosen, values: [...known.chosen.values] } };
  const matching = known.filter((value) => value.startsWith(argument.value));
  const values = matching.slice(0, COMPLETIONS_MAX);
  return { completion: { values, total: matching.length, hasMore: matching.length > values.length } };
}

type AskedResource = CompletionQuestion & { readonly ref: { readonly type: 'ref/resource' } };

async function resourceValues(
  mcp: McpScope,
  ended: ReadonlySet<string>,
  asked: AskedResource,
  signal: AbortSignal,
): Promise<KnownValues> {
  const { options } = mcp;
  const chosen = (await options.resources?.upstreams?.complete(asked, signal)) ?? null;
  return chosen === null ? ownValues(mcp, ended, asked) : { chosen };
}

/** Values for our own templates. */
function ownValues(
  { session, options }: McpScope,
  ended: ReadonlySet<string>,
  { ref: { uri }, argument }: AskedResource,
): readonly string[] {
  if (options.resources === undefined || (uri !== OUTPUT_TEMPLATE && uri !== RUN_TEMPLATE))
    throw invalidParams(`ref.uri: there is no template ${JSON.stringify(uri.slice(0, 200))}.`);
  if (uri === RUN_TEMPLATE) return [];
  switch (argument.name) {
    case 'handle':
      return liveOutputs(session, ended).map(({ descriptor }) => descriptor.output_handle);
    case 'format':
      return FORMATS;
    case 'encoding':
      return ENCODINGS;
    default:
      return [];
  }
}
