import { z } from 'zod';
import { SpillwayError } from '../../shared/errors.ts';
import type { ToolDefinition } from './definition.ts';
import { upstreamError } from './funnel.ts';
import type { Produced } from './payload.ts';
import type { ProvidedTool } from './provider.ts';
import type { PassedThrough, ProvidedRuntime } from './runtime.ts';

const Text = z.looseObject({ type: z.literal('text'), text: z.string() });
const Media = z.looseObject({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() });
const Resource = z.looseObject({ type: z.literal('resource'), resource: z.looseObject({ uri: z.string() }) });
const Link = z.looseObject({ type: z.literal('resource_link'), uri: z.string(), name: z.string() });
const Fields = z.record(z.string(), z.unknown());

/** Clients refuse a whole result for a block that is none of MCP's. */
const Passed = z.looseObject({
  passed: z.looseObject({
    content: z.array(z.discriminatedUnion('type', [Text, Media, Resource, Link])),
    structuredContent: Fields.optional(),
    isError: z.boolean(),
    meta: Fields.optional(),
  }),
});

/**
 * The runtime of a provider's tool, which answers as its kind does or fails with a code. It is given
 * what the provider asked for: fields of the definition that are ours have done their work before.
 */
export async function loadProvided(
  provided: ProvidedTool,
  { manifest: augmented, presentation }: Pick<ToolDefinition, 'manifest' | 'presentation'>,
): Promise<ProvidedRuntime> {
  if (provided.kind === 'upstream') return passing(provided, presentation.outputSchema !== undefined);
  const { name, input } = provided.manifest;
  const brought = Object.keys(augmented.input.shape).filter((key) => !(key in input.shape));
  const runtime = await provided.runtime();
  return {
    run: async (args: Readonly<Record<string, unknown>>, context) => {
      const own = Object.fromEntries(Object.entries(args).filter(([key]) => !brought.includes(key)));
      // What is left passed the provider's own schema.
      const answer = await runtime.run(own as never, context);
      if (!isPassed(answer)) return answer;
      // It would go around redaction and the output policy, which its kind does not.
      throw new SpillwayError('internal_error', `${name} answered as a tool of another server does.`);
    },
  };
}

function passing(provided: ProvidedTool, isStructured: boolean): ProvidedRuntime {
  const { name } = provided.manifest;
  return {
    run: async (args, context) => {
      let answer: Produced | PassedThrough;
      try {
        answer = await (await provided.runtime()).run(args, context);
      } catch (thrown) {
        throw upstreamError(thrown, name);
      }
      const checked = Passed.safeParse(answer);
      const [issue] = checked.error?.issues ?? [];
      if (!checked.success || !isPassed(answer) || !isJson(answer.passed)) {
        const where =
          issue === undefined ? '' : ` at ${issue.path.slice(1).map(String).join('.') || 'its root'}`;
        throw new SpillwayError('upstream_error', `${name}: the other server's answer is malformed${where}.`);
      }
      const { isError, structuredContent } = answer.passed;
      // Clients that know the output schema would refuse the answer, and say less of why.
      if (isStructured && !isError && structuredContent === undefined)
        throw new SpillwayError(
          'upstream_error',
          `${name}: the other server's answer lacks the structuredContent that its output schema promises.`,
        );
      return answer;
    },
  };
}

/** Loose objects may hold what no wire can carry: cycles, big integers. */
function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

const isPassed = (answer: Produced | PassedThrough): answer is PassedThrough => 'passed' in answer;
