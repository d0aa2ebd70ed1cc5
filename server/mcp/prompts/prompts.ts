import type { GetPromptResult, ListPromptsResult, CompleteResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { nearestNames } from '../../core/registry/selector.ts';
import { cutPage, invalidParams, type McpScope, type McpServerOptions, parseParams } from '../rpc.ts';
import { auditPage, extractTable, choicesOf, type Prompt, type PromptTools, reproduceBug } from './texts.ts';
import { liveHandles, ENCODINGS, FORMATS, OUTPUT_TEMPLATE, RUN_TEMPLATE } from '../resources.ts';

type Given = Readonly<Record<string, string>>;

/** A scheme and more: the user meant an address, not a word of a text. */
const ADDRESS = /^[a-z][a-z\d+.-]*:\S/i;

/**
 * The arguments as the user meant them. Forms also send empty fields, and choices come in any case. Clients
 * that take one line split it at its spaces, one word per argument. If such a line begins with words instead
 * of the address, words that their argument cannot be return to the prompt's text, in the order of the
 * arguments. After an address a wrong choice stays and is refused. If a prompt has no text, a word goes to
 * the argument that it fits.
 */
function sortArguments({ args, words }: Prompt, given: Given): Given {
  const fields = new Map(Object.entries(args.shape));
  const meant = (name: string, value: string): string =>
    choicesOf(fields.get(name)).find((choice) => choice.toLowerCase() === value.toLowerCase()) ?? value;
  const fits = (name: string, value: string | undefined): boolean =>
    z.safeParse(fields.get(name), value && meant(name, value)).success;
  const isMisplaced = (name: string, value: string): boolean => !fits(name, value) && !ADDRESS.test(value);
  const [first = ''] = fields.keys();
  const start = given[first]?.trim() ?? '';
  const isLine = start !== '' && isMisplaced(first, start);
  const sorted = new Map(Object.entries(given).filter(([name]) => !fields.has(name)));
  const isLeftOut = (name: string): boolean => !sorted.has(name) && !given[name]?.trim();
  const better = (value: string): string | undefined =>
    words === undefined
      ? [...fields.keys()].find((name) => isLeftOut(name) && fits(name, value))
      : isLine
        ? words
        : undefined;
  const text: string[] = [];
  for (const name of fields.keys()) {
    const value = given[name]?.trim();
    if (value === undefined || (value === '' && fits(name, undefined))) continue;
    const target = (isMisplaced(name, value) ? better(value) : name) ?? name;
    if (target === words) text.push(value);
    else sorted.set(target, meant(target, value));
  }
  if (words !== undefined && text.length > 0) sorted.set(words, text.join(' ').trim());
  return Object.fromEntries(sorted);
}

/** Every prompt. To add one, add its file and a line here. */
const PROMPTS: readonly Prompt[] = [auditPage, extractTable, reproduceBug];

/** Their form was checked on arrival. */
const Offered = z.custom<ListPromptsResult['prompts'][number]>();
const OfferedPrompt = z.custom<GetPromptResult>();

/** `prompts/list`. */
export function listPrompts({ resources }: McpServerOptions, cursor: string | undefined): ListPromptsResult {
  const offered = (resources?.upstreams?.prompts() ?? []).map((each) => Offered.parse(each));
  const prompts = [
    ...PROMPTS.map(({ name, title, description, args }) => ({
      name,
      title,
      description,
      arguments: Object.entries(args.shape).map(([argument, field]) => ({
        name: argument,
        description: z.globalRegistry.get(field)?.description ?? '',
        required: !z.safeParse(field, undefined).success,
      })),
    })),
    // Ours takes precedence over an upstream's prompt of the same name.
    ...offered.filter(({ name }) => !isOurs(name)),
  ];
  const { page, next } = cutPage(prompts, { list: 'prompts', keyOf: ({ name }) => name, cursor });
  return { prompts: [...page], ...next };
}

/** @throws RpcError -32602 with the nearest names */
function find(name: string): Prompt {
  const found = PROMPTS.find((prompt) => prompt.name === name);
  if (found !== undefined) return found;
  const names = PROMPTS.map((prompt) => prompt.name);
  const near = nearestNames(name, names);
  throw invalidParams(
    `name: there is no prompt ${JSON.stringify(name.slice(0, 80))}; ${near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there are ${names.join(', ')}.`}`,
  );
}

const PromptParams = z.object({
  name: z.string().max(200),
  arguments: z.record(z.string(), z.string()).default({}),
});

/** `prompts/get`. @throws RpcError -32602 with the name of the prompt or argument */
export async function getPrompt(
  mcp: McpScope,
  params: unknown,
  signal: AbortSignal,
): Promise<GetPromptResult> {
  const { name, arguments: given } = parseParams(PromptParams, params);
  const offered = isOurs(name) ? null : await produceOfferedPrompt(mcp, name, { given, signal });
  if (offered !== null) return offered;
  const prompt = find(name);
  const sorted = sortArguments(prompt, given);
  const parsed = prompt.args.safeParse(sorted);
  if (!parsed.success) throw invalidParams(`${name}: ${formatPromptError(parsed.error, sorted)}.`);
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text: prompt.write(parsed.data, toolsOf(mcp)) } }],
  };
}

function formatPromptError(error: z.ZodError, given: Readonly<Record<string, string>>): string {
  return error.issues
    .map((issue) => {
      if (issue.code === 'unrecognized_keys') return `takes no argument ${issue.keys.join(', ')}`;
      const name = issue.path.map(String).join('.');
      return Object.hasOwn(given, name) ? `${name}: ${issue.message}` : `${name}: this argument is required`;
    })
    .join('; ');
}

const isOurs = (name: string): boolean => PROMPTS.some((prompt) => prompt.name === name);

/**
 * A prompt of another server, which counts towards the budget like an answer. Null for a name that none of
 * them has.
 */
async function produceOfferedPrompt(
  { session, options }: McpScope,
  name: string,
  { given, signal }: { readonly given: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<GetPromptResult | null> {
  const { executor } = options;
  const { meter } = executor;
  meter.check(session);
  await executor.expectOwn(session, 'prompts/get', { given });
  const got = (await options.resources?.upstreams?.prompt(name, given, signal)) ?? null;
  if (got === null) return null;
  const text = JSON.stringify(got.answer['messages']);
  meter.countSent(session, 'prompts/get', text);
  await executor.given(session, [text], got.untrustedFrom ?? '');
  return OfferedPrompt.parse(got.answer);
}

/** Values of an argument of ours: those of an enum. @throws RpcError -32602 */
function promptValues(prompt: string, name: string): readonly string[] {
  const { args } = find(prompt);
  const field: unknown = Object.hasOwn(args.shape, name) ? args.shape[name] : undefined;
  if (field === undefined) throw invalidParams(`argument.name: ${prompt} takes no ${name.slice(0, 80)}.`);
  return choicesOf(field);
}

function toolsOf({ session, options }: McpScope): PromptTools {
  const { registry } = options.executor;
  const listed = new Set(session.tools.namesInList());
  return {
    has: (name) => registry.has(name),
    unlisted: (names) => names.filter((name) => registry.has(name) && !listed.has(name)),
  };
}

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
  const asked = { ref, argument, given: context.arguments };
  const isOwn = ref.type === 'ref/prompt' && isOurs(ref.name);
  if (!isOwn)
    await mcp.options.executor.expectOwn(mcp.session, 'completion/complete', {
      given: [argument.value, ...Object.values(context.arguments)],
    });
  // An upstream's own choice need not begin with the typed text.
  const chosen = isOwn ? null : await mcp.options.resources?.upstreams?.complete(asked, signal);
  if (chosen !== null && chosen !== undefined)
    return { completion: { ...chosen, values: [...chosen.values] } };
  const known =
    ref.type === 'ref/resource'
      ? await resourceValues(mcp, ended, ref.uri, argument.name)
      : promptValues(ref.name, argument.name);
  const matching = known.filter((value) => value.startsWith(argument.value));
  const values = matching.slice(0, COMPLETIONS_MAX);
  return { completion: { values, total: matching.length, hasMore: matching.length > values.length } };
}

/** Values for our own templates. */
async function resourceValues(
  mcp: McpScope,
  ended: ReadonlySet<string>,
  uri: string,
  name: string,
): Promise<readonly string[]> {
  if (mcp.options.resources === undefined || (uri !== OUTPUT_TEMPLATE && uri !== RUN_TEMPLATE))
    throw invalidParams(`ref.uri: there is no template ${JSON.stringify(uri.slice(0, 200))}.`);
  if (uri === RUN_TEMPLATE) return [];
  if (name === 'handle') return liveHandles(mcp, ended);
  return name === 'format' ? FORMATS : name === 'encoding' ? ENCODINGS : [];
}
