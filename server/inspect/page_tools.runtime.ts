import { each } from '../../shared/base/queue.ts';
import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import type { JsonObject, JsonValue } from '../../shared/base/json.ts';
import { Json, JsonRecord, parseAs } from '../../shared/base/json-schema.ts';
import { MIME } from '../../shared/base/mime.ts';
import { siteOf } from '../../shared/core/policy/sites.ts';
import type { pageToolCall } from '../../shared/inspect/page_tools.manifest.ts';
import type { ListedTool } from '../../shared/inspect/page_tools.methods.ts';
import { callerOf, type CallContext } from '../core/context.ts';
import { produceJson } from '../core/calls/produce.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { Bridge } from '../core/services.ts';
import type { RecordSchema } from '../core/record-schema.ts';
import { actInTab, formatTabId, askTab, requireTab, type TabTarget } from '../core/targets.ts';

export const createRuntimes = ({ bridge }: { readonly bridge: Bridge }): ToolRuntimes => ({
  /** The tools in an agent's form, without false members and the page's own origin. */
  page_tools: async ({ tab }: { readonly tab?: string | undefined }, context) => {
    const target = await requireTab(bridge, { tab }, context);
    const listed = await listTools(bridge, target, context);
    const { tools, left_out: left, silent_frames: silent = 0, url } = listed;
    const own = siteOf(url)?.origin ?? 'null';
    const shown = tools.map((tool): JsonObject => ({
      name: tool.name,
      ...(tool.title === undefined ? {} : { title: tool.title }),
      description: tool.description,
      ...(tool.schema === null ? {} : { input_schema: schemaOf(tool) ?? tool.schema }),
      ...(tool.read_only ? { read_only: true } : {}),
      ...(tool.consequential ? { consequential: true } : {}),
      ...(tool.untrusted ? { untrusted_content: true } : {}),
      ...(tool.origin === own ? {} : { origin: tool.origin }),
    }));
    const notes = [
      ...(left === 0 ? [] : [`${left} more tools exceed the limits of a listed tool.`]),
      ...(silent === 0 ? [] : [`${silent} frames did not answer: they may declare tools, too.`]),
    ];
    const state = { tab: formatTabId(target), url, tools: shown.length };
    const coverage = shown.length === 0 ? ['The page declares no tools.', ...notes] : notes;
    return { ...produceJson({ tools: shown }, state, coverage), untrustedFrom: () => url };
  },
  page_tool_call: async (args: ArgsOf<typeof pageToolCall>, context) => {
    const { name, arguments: given, origin, timeout_ms, tab } = args;
    const target = await requireTab(bridge, { tab }, context);
    const listed = await listTools(bridge, target, context);
    const tool = choose(listed, name, origin);
    const input = JsonRecord.parse(given);
    await expectFit(tool, input, listed.url);
    const { document_id } = tool;
    const params = { tab_id: target.tabId, caller: callerOf(context), document_id, name, input, timeout_ms };
    const on = { bridge, target, context };
    const called = await actInTab(on, 'page_tools.call', params, timeout_ms + GRACE_MS);
    const { answer, is_cut, url } = called;
    const state = { tab: formatTabId(target), url, page_tool: name };
    const notes = is_cut ? ['The answer is cut: it is too large for one message of the browser.'] : [];
    const value = parseAs(Json, answer);
    const produced = { ...produceJson(value, state, notes), untrustedFrom: () => url };
    if (value !== null && !is_cut) return produced;
    return { ...produced, payload: { kind: 'text', mimeType: MIME.text, chunks: each([answer]) } };
  },
});

/** The browser ends the call by itself. */
const GRACE_MS = 30_000;

const listTools = (
  bridge: Bridge,
  target: TabTarget,
  context: CallContext,
): Promise<MethodResult<'page_tools.list'>> =>
  askTab({ bridge, target, context }, 'page_tools.list', { tab_id: target.tabId });

/** @throws SpillwayError `unknown_tool`; `invalid_argument` where several frames declare the name */
function choose(
  { tools, url }: Pick<MethodResult<'page_tools.list'>, 'tools' | 'url'>,
  name: string,
  origin: string | undefined,
): ListedTool {
  const named = tools.filter(
    (tool) => tool.name === name && (origin === undefined || tool.origin === origin),
  );
  const [only, other] = named;
  if (only === undefined) {
    const names = tools.map((tool) => tool.name).slice(0, NAMED);
    const there = names.length === 0 ? 'it declares none' : `it declares ${names.join(', ')}`;
    throw new SpillwayError('unknown_tool', `The page declares no tool ${JSON.stringify(name)}: ${there}.`, {
      hint: 'Call page_tools to see names and arguments.',
      quotes: url,
    });
  }
  if (other !== undefined && other.origin !== only.origin)
    throw invalidArgument(
      `origin: several frames declare ${JSON.stringify(name)}: ${named.map((tool) => tool.origin).join(', ')}.`,
    );
  return only;
}

const NAMED = 20;

const schemaOf = ({ schema }: ListedTool): JsonObject | null => parseAs(JsonRecord, schema ?? '');

/** Invalid arguments never reach the page. A schema that cannot be compiled checks nothing. */
async function expectFit(tool: ListedTool, given: JsonValue, url: string): Promise<void> {
  const schema = schemaOf(tool);
  if (schema === null) return;
  const { compileSchema, describeProblems } = await import('../core/record-schema.ts');
  let problems: ReturnType<RecordSchema['validate']> = [];
  try {
    problems = compileSchema(schema).validate(given);
  } catch {
    // The page checks its arguments itself.
  }
  if (problems.length === 0) return;
  throw invalidArgument(
    `arguments: ${describeProblems(problems.slice(0, PROBLEMS_MAX))}.`,
    'Pass what the input_schema in page_tools asks for.',
  ).with({ quotes: url });
}

const PROBLEMS_MAX = 5;
