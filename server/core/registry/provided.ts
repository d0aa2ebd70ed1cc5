import { z } from 'zod';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import type { ToolManifest } from '../../../shared/core/tools/manifest.ts';
import type { Produced } from '../result.ts';
import { cut } from '../../../shared/base/cut.ts';
import { isObject } from '../../../shared/base/json.ts';
import { argumentNames } from './json-schema.ts';
import type { ToolDefinition, ProvidedTool, PassedThrough, ProvidedRuntime, Resumed } from './definition.ts';

const CAUSE_LENGTH = 500;
const CAUSES_MAX = 4;

/** Maps errors of other servers' tools: ours stay, others become `upstream_error`. */
function upstreamError(thrown: unknown, { name, annotations }: ToolManifest): SpillwayError {
  if (thrown instanceof SpillwayError) return thrown;
  return new SpillwayError('upstream_error', `${name}: ${cut(causeOf(thrown), CAUSE_LENGTH)}`, {
    cause: thrown,
    retryable: annotations.readOnlyHint,
    quotes: `the upstream ${name}`,
  });
}

/** The messages of an error and its causes: `fetch failed` alone says nothing. */
function causeOf(thrown: unknown): string {
  const messages: string[] = [];
  try {
    for (let error = thrown; error instanceof Error && messages.length < CAUSES_MAX; error = error.cause)
      messages.push(error.message || error.name);
  } catch {
    // Reading the message of a foreign error may throw in turn.
  }
  return messages.length > 0 ? messages.join(': ') : toSpillwayError(thrown).message;
}

/** Ignores invalid presentation fields instead of refusing the tool for them. */
const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const Text = z.string();
const Base64 = Text.refine(isBase64, 'not base64');
const Annotated = z.looseObject({
  annotations: optional(
    z.looseObject({
      audience: optional(z.array(z.enum(['user', 'assistant']))),
      priority: optional(z.number().min(0).max(1)),
      lastModified: optional(z.iso.datetime({ offset: true })),
    }),
  ),
});
const Icon = z.looseObject({
  src: Text,
  mimeType: optional(Text),
  sizes: optional(z.array(Text)),
  theme: optional(z.enum(['light', 'dark'])),
});
const Contents = z.looseObject({ uri: Text, mimeType: optional(Text) });

/** MCP clients refuse a whole result for one block that fails this. */
const Block = z.discriminatedUnion('type', [
  Annotated.extend({ type: z.literal('text'), text: Text }),
  Annotated.extend({ type: z.enum(['image', 'audio']), data: Base64, mimeType: Text }),
  Annotated.extend({
    type: z.literal('resource'),
    resource: z.union([Contents.extend({ text: Text }), Contents.extend({ blob: Base64 })]),
  }),
  Annotated.extend({
    type: z.literal('resource_link'),
    uri: Text,
    name: Text,
    title: optional(Text),
    description: optional(Text),
    mimeType: optional(Text),
    size: optional(z.number()),
    icons: optional(z.array(Icon)),
  }),
]);
type Fields = Readonly<Record<string, unknown>>;
/** Not copied: there may be a hundred thousand. */
const Fields = z.custom<Fields>(isObject);

const Passed = z.looseObject({
  passed: z.looseObject({
    content: z.array(Block),
    structuredContent: Fields.optional(),
    isError: z.boolean(),
    meta: Fields.optional(),
  }),
});

/**
 * The arguments that a provider asked for, by its own names, without the fields that our definition added and
 * has already used.
 */
function ownArguments(
  { manifest: { input }, inputSchema = {} }: ProvidedTool,
  { input: augmented }: ToolManifest,
) {
  const brought = Object.keys(augmented.shape).filter((key) => !(key in input.shape));
  const own = new Map([...argumentNames(inputSchema)].map(([name, shown]) => [shown, name]));
  return (args: Fields): Fields => {
    const given = Object.entries(args).filter(([key]) => !brought.includes(key));
    return Object.fromEntries(given.map(([key, value]) => [own.get(key) ?? key, value]));
  };
}

/** The runtime of a provider's tool, which answers as its kind requires or fails with a code. */
export async function loadProvided(
  provided: ProvidedTool,
  { manifest: augmented, presentation }: Pick<ToolDefinition, 'manifest' | 'presentation'>,
): Promise<ProvidedRuntime> {
  const { name } = provided.manifest;
  const ownOf = ownArguments(provided, augmented);
  if (provided.kind === 'direct') {
    const runtime = await provided.runtime();
    return async (args: Fields, context) => {
      // The rest passed the provider's own schema.
      const answer = await runtime(ownOf(args) as never, context);
      if ('outcome' in answer) return answer;
      // It would bypass redaction and the output policy, which its kind may not do.
      throw new SpillwayError('internal_error', `${name} returned the result type of an upstream tool.`);
    };
  }
  const isStructured = presentation.outputSchema !== undefined;
  return async (args: Fields, context) => {
    let answer: Produced | PassedThrough | Resumed;
    try {
      answer = await (await provided.runtime())(ownOf(args) as never, context);
    } catch (thrown) {
      throw upstreamError(thrown, provided.manifest);
    }
    const { data, error } = Passed.safeParse(answer);
    if (data === undefined && provided.output !== undefined && isProduced(answer)) return answer;
    if (data === undefined) {
      const [issue] = error?.issues ?? [];
      const where =
        issue === undefined ? '' : ` at ${issue.path.slice(1).map(String).join('.') || 'its root'}`;
      throw buildCarriedOut(`${name}: the other server's answer is malformed${where}.`);
    }
    const { isError, structuredContent } = data.passed;
    // Clients that know the output schema would refuse the answer with a vaguer reason. Whether the answer
    // matches it is for the other server's client to check.
    if (isStructured && !isError && structuredContent === undefined)
      throw buildCarriedOut(
        `${name}: the other server's answer lacks the structuredContent that its output schema promises.`,
      );
    // The wire carries only JSON.
    return data as PassedThrough;
  };
}

/** The other server has carried the call out: a repetition would do it twice. */
const buildCarriedOut = (message: string): SpillwayError =>
  new SpillwayError('upstream_error', message, { retryable: false });

const isProduced = (answer: object): answer is Produced =>
  'outcome' in answer && ('payload' in answer || 'clean' in answer);

/** As clients check it: `atob` also accepts missing padding. */
export function isBase64(text: string): boolean {
  try {
    return typeof atob(text) === 'string';
  } catch {
    return false;
  }
}
